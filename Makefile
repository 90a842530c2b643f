# make setup       the environment, in .venv
# make demo        the whole workflow on the embedded data set
# make check       format, lint, types and the quick tests: under a minute
# make test        every check
# make hooks       the quick checks before each commit
# make reproduce   the full reproduction
# make publish     docs/reproduction and the tables in the pages, from complete results
# make docs        the documentation site, in .site/html
# make lock        the lock files, from pyproject.toml (UPGRADE=1: newest versions)
#
# PYTHON=python3.12 chooses the interpreter, EXTRAS="gpu slurm cluster-generic" adds optional parts,
# CORES=4 limits the cores that demo and reproduce use.

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev demo check test hooks reproduce publish docs lock clean-demo

# The first Python that TensorFlow comes for; otherwise any, which then says what is needed.
PYTHON ?= $(or $(firstword $(foreach name,python3 python3.13 python3.12 python3.11,\
	$(shell $(name) -c 'import sys; (3, 11) <= sys.version_info[:2] <= (3, 13) and print("$(name)")' 2>/dev/null))),python3)
EXTRAS ?=
CORES ?= all
SNAKEMAKE := .venv/bin/snakemake --cores $(CORES)

help:
	@sed -n 's/^# \{0,1\}//p; /^$$/q' Makefile

setup:
	@command -v $(PYTHON) >/dev/null || { echo "error: no $(PYTHON) found; install Python 3.11 to 3.13"; exit 1; }
	@$(PYTHON) tools/bootstrap.py $(EXTRAS)

setup-dev:
	@$(MAKE) --no-print-directory setup EXTRAS="dev slurm cluster-generic $(EXTRAS)"

demo: setup
	@.venv/bin/python tools/demo.py --cores $(CORES)

check: setup-dev
	@.venv/bin/python tools/check.py --quick

test: setup-dev
	@.venv/bin/python tools/check.py

hooks: setup-dev
	@.venv/bin/pre-commit install

reproduce: setup
	@$(SNAKEMAKE)

publish: setup
	@.venv/bin/python scripts/publish.py
	@.venv/bin/python tools/generated.py --fix

docs: setup-dev
	@.venv/bin/python tools/site.py

lock: setup-dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python tools/lock.py $(if $(UPGRADE),--upgrade)

clean-demo:
	@rm -rf results/demo
