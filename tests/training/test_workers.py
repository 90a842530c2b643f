"""Several workers for one training: devices of one process, and processes of their own."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.training.seeds import Use, member_key, stateless_seed

HERE = Path(__file__).parent
TRAIN = HERE.parents[1] / "scripts" / "train.py"
EPOCHS = 300
SETTINGS = {
    "workers": 2,
    "epochs": EPOCHS,
    "levels": 4,
    "hidden": [8],
    "queries_per_batch": 4,
    "estimator": "arsm",
}


@pytest.fixture(scope="module")
def learnt() -> dict[str, Any]:
    """What `two_workers.py` found, in a process of its own: this one may have one device."""
    command = [sys.executable, "-m", "tests.training.two_workers"]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("kind", ["plain", "weights", "patience", "members, averaging, weights"])
def test_with_exact_gradients_two_workers_learn_what_one_learns(
    learnt: dict[str, Any], kind: str
) -> None:
    two, one = learnt["pairs"][kind]
    np.testing.assert_allclose(two["weights"], one["weights"], rtol=1e-3, atol=1e-5)
    assert len(two["history"]) == len(one["history"])
    for row, expected in zip(two["history"], one["history"], strict=True):
        assert row == pytest.approx(expected, rel=1e-4, abs=1e-6)
    if kind == "patience":
        assert len(two["history"]) < 40


@pytest.mark.parametrize("kind", ["arsm", "resumed"])
def test_two_workers_learn_the_same_again_even_if_stopped_between(
    learnt: dict[str, Any], kind: str
) -> None:
    first, again = learnt["same"][kind]
    assert first == again


def test_the_number_of_workers_is_recorded(learnt: dict[str, Any]) -> None:
    assert learnt["device"] == "cpu, 2 workers in one process"


def test_more_workers_than_devices_or_queries_are_refused(learnt: dict[str, Any]) -> None:
    devices, queries = learnt["refused"]
    assert "has started in this process already, with 2 devices" in devices
    assert "workers is 11, but a step takes 10 queries at most" in queries


def test_more_workers_than_queries_are_refused() -> None:
    features, labels = np.random.default_rng(0).random((4, 2)), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="workers is 3, but there are 2 training queries"):
        ListNet(workers=3).fit(features, labels, [2, 2])


def test_no_two_workers_draw_the_same_and_the_first_draws_what_a_single_one_draws() -> None:
    keys = [member_key(member, worker) for member in range(3) for worker in range(3)]
    seeds = {tuple(stateless_seed(1, Use.DRAWS, 2, 3, *key)) for key in keys}
    assert len(seeds) == 9
    assert member_key(0, 0) == ()


def test_one_worker_is_no_part_of_what_identifies_a_run() -> None:
    given = {"epochs": 3, "workers": 1}
    assert ARSMRanker.identifying(given) == {"epochs": 3}
    assert ARSMRanker.identified({})["workers"] == 1
    assert ARSMRanker.identifying({"workers": 2}) == {"workers": 2}


def start(parts: Path, folder: Path, environment: dict[str, str]) -> "subprocess.Popen[str]":
    command = [
        *(sys.executable, str(TRAIN), "--parts", str(parts), "--fold", "1", "--seed", "3"),
        *("--method", "arsm-l2r", "--settings", json.dumps(SETTINGS), "--threads", "2"),
        *("--checkpoint", str(folder / "state.npz"), "--checkpoint-every", "5"),
        *("--output", str(folder / "run")),
    ]
    return subprocess.Popen(
        command, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    )


def start_two(parts: Path, folder: Path) -> "list[subprocess.Popen[str]]":
    """Two processes that train together."""
    with socket.create_server(("", 0)) as one, socket.create_server(("", 0)) as two:
        addresses = [f"localhost:{each.getsockname()[1]}" for each in (one, two)]
    tasks = [
        {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}}
        for number in range(2)
    ]
    return [start(parts, folder, {"TF_CONFIG": json.dumps(task)}) for task in tasks]


def ended(process: "subprocess.Popen[str]", seconds: float = 120) -> str:
    """What a process said, if it ends in time."""
    try:
        return process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"still running after {seconds} s: {process.communicate()[1]}")


def test_two_processes_learn_what_one_learns_with_two_devices_also_after_one_has_died(
    small_parts: Path, tmp_path: Path
) -> None:
    (tmp_path / "killed").mkdir()
    checkpoint = tmp_path / "killed" / "state.npz"
    leader, other = start_two(small_parts, tmp_path / "killed")
    while not checkpoint.exists():
        assert leader.poll() is None, ended(leader)
        time.sleep(0.01)
    other.kill()
    said = ended(leader, 60)
    ended(other)
    assert leader.returncode == 1
    assert "\nerror: another worker of this training has ended, or cannot be reached" in said
    assert "Traceback" not in said
    assert not (tmp_path / "killed" / "run" / "run.json").exists()
    assert checkpoint.exists()

    again = start_two(small_parts, tmp_path / "killed")
    texts = [ended(process) for process in again]
    assert [process.returncode for process in again] == [0, 0], texts
    assert f"Training: epoch 0 of {EPOCHS}" not in texts[0]  # it went on
    assert "Training" not in texts[1]
    alone = start(small_parts, tmp_path / "alone", {})
    said = ended(alone)
    assert alone.returncode == 0, said
    runs = [tmp_path / name / "run" for name in ("killed", "alone")]
    for name in ("vali.scores", "test.scores"):
        one, two = ((run / name).read_bytes() for run in runs)
        assert one == two
    records = [json.loads((run / "run.json").read_text()) for run in runs]
    assert records[0]["device"] == "cpu, 2 workers in 2 processes"
    assert records[1]["device"] == "cpu, 2 workers in one process"
    assert records[0]["selected_epoch"] == records[1]["selected_epoch"]
    assert sorted(path.name for path in (tmp_path / "killed").iterdir()) == ["run"]
