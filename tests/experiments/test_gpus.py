"""GPUs: which there are, and that jobs which run at the same time take different ones."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arsm_l2r.experiments import gpus
from arsm_l2r.experiments.gpus import gpu_limit, gpus_of_job, slurm_has_gpus, visible_gpus

Program = Callable[[str, str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Puts made-up programs on an otherwise empty path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return put


def listing(count: int) -> str:
    return "\n".join(
        f"echo 'GPU {number}: NVIDIA A100 (UUID: GPU-{number})'" for number in range(count)
    )


def test_gpus_are_those_that_the_driver_lists(program: Program) -> None:
    program("nvidia-smi", listing(2))
    assert visible_gpus() == ["0", "1"]


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ("1", ["1"]),
        ("2, 0", ["2", "0"]),
        ("GPU-1,GPU-2", ["GPU-1", "GPU-2"]),
        ("", []),
        ("-1", []),
        ("1,-1,2", ["1"]),
    ],
)
def test_cuda_visible_devices_is_respected(
    program: Program, monkeypatch: pytest.MonkeyPatch, allowed: str, expected: list[str]
) -> None:
    program("nvidia-smi", listing(3))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", allowed)
    assert visible_gpus() == expected


@pytest.mark.parametrize("script", ["exit 9", "echo 'No devices were found'", None])
def test_no_gpus_where_the_driver_lists_none_or_is_absent(
    program: Program, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    if script:
        program("nvidia-smi", script)
    assert visible_gpus() == []
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert visible_gpus() == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo '(null)'; echo 'gpu:a100:4(S:0-1)'", True),
        ("echo '(null)'", False),
        ("echo 'no controller' >&2; exit 1", False),
    ],
)
def test_slurm_is_asked_for_gpus(program: Program, script: str, expected: bool) -> None:
    program("sinfo", script)
    assert slurm_has_gpus() is expected
    assert gpu_limit(submitting=True) == (None if expected else 0)


def test_without_slurm_there_are_no_gpus_in_it(program: Program) -> None:
    assert not slurm_has_gpus()


def test_the_limit_is_the_number_of_gpus_if_tensorflow_can_use_them(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("nvidia-smi", listing(2))
    program("sinfo", "echo gpu:8")  # of a cluster, which local jobs have nothing to do with
    monkeypatch.setattr(gpus, "_cuda_installed", lambda: True)
    assert gpu_limit(submitting=False) == 2
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert gpu_limit(submitting=False) == 1
    monkeypatch.setattr(gpus, "_cuda_installed", lambda: False)
    assert gpu_limit(submitting=False) == 0


def test_jobs_at_the_same_time_take_different_gpus(program: Program, tmp_path: Path) -> None:
    program("nvidia-smi", listing(2))
    jobs = [start_job(tmp_path / "locks") for _ in range(2)]
    assert sorted(taken(job) for job in jobs) == ["0", "1"]
    finish(*jobs)


def test_a_gpu_is_free_again_when_its_job_has_died(program: Program, tmp_path: Path) -> None:
    program("nvidia-smi", listing(2))
    first, second = (start_job(tmp_path / "locks") for _ in range(2))
    freed = taken(first)
    taken(second)
    first.kill()
    first.wait()
    third = start_job(tmp_path / "locks")
    assert taken(third) == freed
    finish(second, third)


def test_more_jobs_than_gpus_are_spread_evenly(program: Program, tmp_path: Path) -> None:
    program("nvidia-smi", listing(2))
    jobs = [start_job(tmp_path / "locks") for _ in range(4)]
    assert sorted(taken(job) for job in jobs) == ["0", "0", "1", "1"]
    finish(*jobs)


def test_what_a_scheduler_has_given_is_left(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program("nvidia-smi", listing(4))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    with gpus_of_job(1, tmp_path / "locks"):
        assert os.environ["CUDA_VISIBLE_DEVICES"] == "3"
    assert not (tmp_path / "locks").exists()


def test_without_a_gpu_all_are_hidden(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program("nvidia-smi", listing(2))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    with gpus_of_job(0):
        assert os.environ["CUDA_VISIBLE_DEVICES"] == "-1"


def test_without_a_word_nothing_is_changed(program: Program, tmp_path: Path) -> None:
    program("nvidia-smi", listing(2))
    with gpus_of_job(None, tmp_path / "locks"):
        assert "CUDA_VISIBLE_DEVICES" not in os.environ


def start_job(locks: Path) -> "subprocess.Popen[str]":
    """A process that takes a GPU, prints which, and keeps it until it is told to end."""
    code = (
        "import os, pathlib, sys\n"
        "from arsm_l2r.experiments.gpus import gpus_of_job\n"
        f"with gpus_of_job(1, pathlib.Path({str(locks)!r})):\n"
        "    print(os.environ['CUDA_VISIBLE_DEVICES'], flush=True)\n"
        "    sys.stdin.read()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def taken(job: "subprocess.Popen[str]") -> str:
    assert job.stdout is not None
    return job.stdout.readline().strip()


def finish(*jobs: "subprocess.Popen[str]") -> None:
    for job in jobs:
        job.communicate()
