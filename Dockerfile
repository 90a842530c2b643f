# The environment that jobs run in with `--software-deployment-method apptainer`, from the lock
# file; docs/cluster.md says how to build and use it.
#   docker build --tag arsm-l2r .
#   docker build --tag arsm-l2r --build-arg EXTRAS=gpu .
FROM python:3.12-slim

# LightGBM needs OpenMP; the archives of LETOR need a reader of RAR.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 libarchive-tools \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/arsm-l2r

COPY requirements.lock requirements-gpu.lock ./
ARG EXTRAS=""
RUN set -- -r requirements.lock \
    && for extra in $EXTRAS; do set -- "$@" -r "requirements-$extra.lock"; done \
    && pip install --no-cache-dir --require-hashes "$@"

COPY pyproject.toml LICENSE ./
COPY docs/library.md ./docs/
COPY src ./src
RUN pip install --no-cache-dir --no-deps --no-build-isolation .
