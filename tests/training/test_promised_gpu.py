"""A training that was promised a GPU and finds none says so at once."""

import os
import platform
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/train.py"


def train(tmp_path: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Train with a promised GPU where none is visible, on data that do not exist."""
    return subprocess.run(
        [
            *(sys.executable, SCRIPT, "--gpus", "1", "--method", "arsm-l2r", "--fold", "1"),
            *("--parts", tmp_path / "none", "--checkpoint", tmp_path / "checkpoint.npz"),
            *("--output", tmp_path / "output"),
        ],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1", **environment},
        capture_output=True,
        text=True,
    )


def test_it_names_the_machine_and_what_is_visible_before_it_reads_data(tmp_path: Path) -> None:
    done = train(tmp_path)
    assert done.returncode == 1
    assert "error: this job was promised a GPU, but TensorFlow finds none" in done.stderr
    assert f"({platform.node()}, CUDA_VISIBLE_DEVICES -1)" in done.stderr
    assert "allow_cpu: true" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cpu_is_taken_where_it_is_allowed(tmp_path: Path) -> None:
    done = train(tmp_path, ARSM_L2R_ALLOW_CPU="1")
    assert "promised" not in done.stderr
    assert str(tmp_path / "none") in done.stderr  # it got as far as the data
