import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from arsm_l2r.analysis.agreement import agreement

ROOT = Path(__file__).parents[2]


def fold(*seeds: int) -> dict:
    measures = {"letor": {"ndcg@1": 0.5, "map": 0.25}, "paper": {"ndcg@1": 0.5, "map": 0.75}}
    runs = [
        {"method": "listnet", "seed": seed, "test": deepcopy(measures), "vali": deepcopy(measures)}
        for seed in seeds
    ]
    return {"dataset": "mine", "fold": 1, "runs": runs}


def test_the_same_measures_are_identical() -> None:
    found = agreement(fold(0, 1), fold(1, 0))
    assert (found.measures, found.identical, found.largest) == (16, 16, 0.0)
    assert not found.where
    assert not found.absent


def test_what_differs_most_is_named() -> None:
    other = fold(0)
    other["runs"][0]["test"]["paper"]["map"] += 0.125
    other["runs"][0]["vali"]["letor"]["map"] += 1e-9
    found = agreement(fold(0), other)
    assert (found.measures, found.identical) == (8, 6)
    assert found.largest == pytest.approx(0.125)
    assert found.where == "listnet 0 test paper map"


def test_runs_of_only_one_side_are_named_and_not_compared() -> None:
    found = agreement(fold(0, 1), fold(1, 2))
    assert found.measures == 8
    assert found.absent == ["listnet, seed 0", "listnet, seed 2"]


@pytest.mark.parametrize(("shift", "code"), [(0.0, 0), (0.0005, 0), (0.002, 1)])
def test_a_difference_beyond_the_tolerance_is_a_failure(
    shift: float, code: int, tmp_path: Path
) -> None:
    published = ROOT / "docs/reproduction/ohsumed/fold3.json"
    again = json.loads(published.read_text())
    again["runs"][0]["test"]["letor"]["map"] += shift
    (tmp_path / "fold3.json").write_text(json.dumps(again))
    done = subprocess.run(
        [sys.executable, "scripts/compare.py", str(tmp_path / "fold3.json")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    measures = 20 * len(again["runs"])  # five, of test and validation, by two conventions
    same = measures if shift == 0 else measures - 1
    assert f"{same} of {measures} measures identical" in done.stdout
    assert ("ranksvm 0 test letor map" in done.stdout) == (shift > 0)
