"""Which GPUs there are, and which of them a job takes. Only `require_gpu` loads TensorFlow."""

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.gpu_locks import least_busy

VISIBLE = "CUDA_VISIBLE_DEVICES"
_NONE = "-1"


def gpu_limit(*, submitting: bool) -> int | None:
    """How many jobs may train on a GPU at the same time, each on one.

    Args:
        submitting: jobs are submitted to a cluster, rather than run on this machine.

    Returns:
        The number of this machine's GPUs that TensorFlow can use; for SLURM 0, or None if a node
        has GPUs, which SLURM then shares out by itself.
    """
    if submitting and shutil.which("sinfo"):
        return None if slurm_has_gpus() else 0
    gpus = visible_gpus()
    return len(gpus) if gpus and _cuda_installed() else 0


def visible_gpus() -> list[str]:
    """This machine's GPUs that CUDA_VISIBLE_DEVICES allows, by the names that it takes."""
    listed = [line for line in _lines("nvidia-smi", "-L") if line.startswith("GPU ")]
    allowed = os.environ.get(VISIBLE)
    if allowed is None or not listed:
        return [str(number) for number in range(len(listed))]
    names = [name.strip() for name in allowed.split(",")]
    # CUDA ignores everything from the first name on that is none.
    ends = (place for place, name in enumerate(names) if name in ("", _NONE))
    return names[: next(ends, len(names))]


def slurm_has_gpus() -> bool:
    """Whether any node of the SLURM cluster has GPUs."""
    return any("gpu" in line for line in _lines("sinfo", "-h", "-o", "%G"))


@contextmanager
def gpus_of_job(wanted: int | None, locks: Path | None = None) -> Iterator[None]:
    """Restrict this process to what it is to train on, before TensorFlow is loaded.

    Of several visible GPUs it takes those with the fewest jobs, counted by locks that end with
    their process. No more visible GPUs than wanted, as a scheduler gives them, are left as they
    are.

    Args:
        wanted: 0 hides all GPUs, another number takes so many, None changes nothing.
        locks: folder of the lock files; by default one of this user on this machine.

    Raises:
        UserError: if others may write to that folder.
    """
    if wanted == 0:
        os.environ[VISIBLE] = _NONE
    visible = visible_gpus() if wanted else []
    if not wanted or len(visible) <= wanted:
        yield
        return
    folder = locks or Path(tempfile.gettempdir()) / f"arsm-l2r-gpus-{os.getuid()}"
    with ExitStack() as locked:
        taken: list[str] = []
        for _ in range(wanted):
            others = [name for name in visible if name not in taken]
            taken.append(locked.enter_context(least_busy(others, folder)))
        os.environ[VISIBLE] = ",".join(taken)
        yield


def whereabouts() -> str:
    """Where this process runs: the machine, the job's number in SLURM, the visible GPUs."""
    job = os.environ.get("SLURM_JOB_ID")
    parts = [platform.node(), f"SLURM job {job}" if job else ""]
    parts.append(f"{VISIBLE} {os.environ.get(VISIBLE, 'not set')}")
    return ", ".join(part for part in parts if part)


def _cuda_installed() -> bool:
    """Whether the libraries are there that TensorFlow needs besides the driver."""
    packaged = find_spec("nvidia") is not None and find_spec("nvidia.cudnn") is not None
    return packaged or find_library("cudnn") is not None


def _lines(*command: str) -> list[str]:
    """What a program prints; nothing if it is absent, fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def require_gpu() -> None:
    """Check that TensorFlow finds the GPU that this job was promised.

    Raises:
        UserError: if it finds none.
    """
    from arsm_l2r.tensorflow import tf

    if not tf.config.list_physical_devices("GPU"):
        raise UserError(
            f"this job was promised a GPU, but TensorFlow finds none ({whereabouts()}).\n"
            "If `nvidia-smi` lists a GPU there, install the CUDA libraries: make setup EXTRAS=gpu; "
            "in a container, add --apptainer-args=--nv.\n"
            "To train on CPUs, without asking for GPUs: snakemake --resources gpu=0 …\n"
            "To take a CPU where a GPU is missing: allow_cpu: true in the configuration."
        )
