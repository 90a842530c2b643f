"""Local training shares out the GPUs of the machine; here they are made up."""

import os
import platform
import re
from pathlib import Path

import pytest

from .conftest import Clone

DRIVER = """\
#!/bin/sh
echo 'GPU 0: Made up (UUID: GPU-0)'
echo 'GPU 1: Made up (UUID: GPU-1)'
"""


@pytest.fixture
def two_gpus(tmp_path: Path) -> dict[str, str]:
    """An environment with a driver that lists two GPUs, and with CUDA libraries."""
    driver = tmp_path / "bin/nvidia-smi"
    driver.parent.mkdir()
    driver.write_text(DRIVER)
    driver.chmod(0o755)
    libraries = tmp_path / "packages/nvidia/cudnn"
    libraries.mkdir(parents=True)
    before = os.environ.get("PYTHONPATH", "")
    return {
        "PATH": f"{driver.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{tmp_path / 'packages'}{os.pathsep if before else ''}{before}",
        "TMPDIR": str(tmp_path),
    }


TRAININGS = [f"results/synthetic/fold{fold}/arsm-l2r/seed0/run.json" for fold in range(1, 4)]


def test_as_many_networks_are_trained_at_once_as_there_are_gpus(
    prepared: Clone, two_gpus: dict[str, str]
) -> None:
    done = prepared.snakemake(
        *("--configfile", "tiny.yaml", "--config", "allow_cpu=true", "--cores", "3", "--"),
        *TRAININGS,
        **two_gpus,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    running, most = set(), 0
    for started, finished in re.findall(r"Job (\d+): Training|Finished jobid: (\d+)", said):
        running.add(started) if started else running.discard(finished)
        most = max(most, len(running))
    assert most == 2
    folder = prepared.path("results/logs/train/synthetic")
    taken = {re.search(r"DEVICES (\S+)", log.read_text())[1] for log in folder.rglob("*.log")}
    assert taken == {"0", "1"}


def test_a_promised_gpu_that_is_not_there_is_an_error(
    prepared: Clone, two_gpus: dict[str, str]
) -> None:
    done = prepared.snakemake("--configfile", "tiny.yaml", "--", TRAININGS[0], **two_gpus)
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "promised a GPU, but TensorFlow finds none" in said
    assert f"({platform.node()}, CUDA_VISIBLE_DEVICES 0)" in said
    assert "snakemake --resources gpu=0" in said


def test_the_user_may_say_otherwise(clone: Clone, two_gpus: dict[str, str]) -> None:
    for options, expected in (([], 1), (["--resources", "gpu=0"], 0)):
        done = clone.snakemake(
            *("--dry-run", "--configfile", "tiny.yaml", *options, "--"),
            *TRAININGS,
            **two_gpus,
        )
        assert done.stdout.count(f"GPUs {expected})") == len(TRAININGS), done.stdout


def test_hidden_gpus_are_not_used(clone: Clone, two_gpus: dict[str, str]) -> None:
    done = clone.snakemake(
        *("--dry-run", "--configfile", "tiny.yaml", "--"),
        *TRAININGS,
        **two_gpus,
        CUDA_VISIBLE_DEVICES="",
    )
    assert done.stdout.count("GPUs 0)") == len(TRAININGS), done.stdout


def test_a_card_without_cuda_libraries_is_no_reason_to_fail(
    clone: Clone, two_gpus: dict[str, str]
) -> None:
    two_gpus["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    done = clone.snakemake(
        *("--dry-run", "--configfile", "tiny.yaml", "--"), *TRAININGS, **two_gpus
    )
    assert done.stdout.count("GPUs 0)") == len(TRAININGS), done.stdout
