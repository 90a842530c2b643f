"""How tests share a machine: threads, compiled programs, and what is worth making only once."""

import fcntl
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent

SLOW = [
    *("docs", "estimators", "losses", "training"),  # compile TensorFlow's programs and train
    "workflow",  # starts Snakemake
    *("report/test_browser.py", "report/test_latex.py"),  # start programs of others
    *("letor/test_real_data.py", "metrics/test_real_data.py"),
]
"""Folders and files whose every test is slow; other slow tests are marked where they stand."""

QUICK = "not slow"
"""What `make check` selects."""

THREADS = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


def pytest_configure(config: pytest.Config) -> None:
    """Set what TensorFlow reads when it is loaded, here and in the programs that tests start."""
    if config.option.markexpr == QUICK:
        sys.meta_path.insert(0, NoTensorFlow())
    # What is published was analysed by programs that say so: sums depend on it in the last digits.
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    if "PYTEST_XDIST_WORKER" in os.environ:
        for name in THREADS:  # there is one worker per core
            os.environ.setdefault(name, "1")
    if hasattr(config, "cache"):
        os.environ.setdefault("ARSM_L2R_CACHE", str(config.cache.mkdir("programs")))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what loads TensorFlow when only the quick tests are wanted."""
    return True if config.option.markexpr == QUICK and slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow by its place, and begin with the workflow, whose tests take longest."""
    for item in items:
        if slow(item.path):
            item.add_marker("slow")
    items.sort(key=lambda item: "workflow" not in item.path.parts)


def slow(path: Path) -> bool:
    """Whether all tests of a file or folder are slow."""
    return any(path.is_relative_to(HERE / name) for name in SLOW)


class NoTensorFlow:
    """An importer that keeps `make check` quick: it refuses TensorFlow."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "tensorflow":
            raise ImportError("a test that loads TensorFlow is marked: @pytest.mark.slow")


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make a folder once for all workers: `made_once(name, make)`, which calls `make(folder)`.

    Whoever wants to change what is in it takes a copy.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def get(name: str, make: Callable[[Path], None]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)  # of an attempt that failed
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return get
