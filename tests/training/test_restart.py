"""A training job that is killed and started again ends as if nothing had happened."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

PROJECT = Path(__file__).parents[2]
EPOCHS = 200
SETTINGS = {
    "epochs": EPOCHS,
    "levels": 4,
    "hidden": [8],
    "queries_per_batch": 4,
    "learning_rate": 1e-3,
}


def command(parts: Path, folder: Path) -> list[str]:
    return [
        *(sys.executable, str(PROJECT / "scripts" / "train.py")),
        *("--parts", str(parts), "--fold", "1", "--method", "arsm-l2r", "--seed", "3"),
        *("--settings", json.dumps(SETTINGS), "--checkpoint-every", "5"),
        *("--checkpoint", str(folder / "state.npz"), "--output", str(folder / "run")),
    ]


def run(parts: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(parts, folder), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def undisturbed(small_parts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run from beginning to end."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run(small_parts, folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


def saved_epoch(path: Path) -> int:
    """How far the checkpoint is; 0 without one."""
    if not path.exists():
        return 0
    with np.load(path, allow_pickle=False) as content:
        return json.loads(str(content["note"]))["epoch"]


def kill_when(process: subprocess.Popen[str], checkpoint: Path, epoch: int, later: float) -> str:
    """Kill a process so many seconds after its checkpoint has reached an epoch."""
    while saved_epoch(checkpoint) < epoch:
        if process.poll() is not None:
            pytest.fail(f"ended before it could be killed: {process.communicate()[1]}")
        time.sleep(0.002)
    time.sleep(later)
    process.kill()
    return process.communicate()[1]


def assert_same_run(folder: Path, expected: Path) -> None:
    for name in ("test.scores", "vali.scores"):
        assert (folder / name).read_bytes() == (expected / name).read_bytes()
    found, wanted = (json.loads((each / "run.json").read_text()) for each in (folder, expected))
    found.pop("seconds"), wanted.pop("seconds")
    assert json.dumps(found) == json.dumps(wanted)
    history, other = (
        pl.read_parquet(each / "history.parquet").drop("seconds") for each in (folder, expected)
    )
    assert history.equals(other)
    assert history["epoch"].to_list() == list(range(1, EPOCHS + 1))


def test_run_writes_everything_and_removes_its_checkpoint(undisturbed: Path) -> None:
    assert sorted(path.name for path in undisturbed.iterdir()) == [
        "history.parquet",
        "model.npz",
        "run.json",
        "test.scores",
        "vali.scores",
    ]
    assert list(undisturbed.parent.iterdir()) == [undisturbed]
    record = json.loads((undisturbed / "run.json").read_text())
    assert record["epochs"] == EPOCHS
    assert 1 < record["selected_epoch"] < EPOCHS
    assert (record["method"], record["seed"]) == ("arsm-l2r", 3)
    assert (undisturbed / "test.scores").read_text().count("\n") == 4 * 12


def test_killed_at_random_moments_and_restarted_it_ends_the_same(
    small_parts: Path, tmp_path: Path, undisturbed: Path
) -> None:
    moments = np.random.default_rng(1)
    checkpoint = tmp_path / "state.npz"
    epochs = np.sort(moments.integers(1, int(0.8 * EPOCHS), size=3))
    for epoch in epochs:
        before = saved_epoch(checkpoint)
        process = subprocess.Popen(
            command(small_parts, tmp_path), stderr=subprocess.PIPE, text=True
        )
        said = kill_when(process, checkpoint, int(epoch), later=moments.uniform(0, 0.02))
        assert process.returncode == -9
        assert f"Training: epoch {before} of {EPOCHS}" in said  # it went on, not began again
        assert not (tmp_path / "run" / "run.json").exists()
    before = saved_epoch(checkpoint)
    assert before >= epochs[-1]
    done = run(small_parts, tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"Training: epoch {before} of {EPOCHS}" in done.stderr
    assert_same_run(tmp_path / "run", undisturbed)
    assert not checkpoint.exists()
