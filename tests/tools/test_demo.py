"""What the demo shows of a run of Snakemake's."""

import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "demo.py"


@pytest.fixture(scope="module")
def demo() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


OUTPUT = """\
Job stats:
job                   count
------------------  -------
prepare                   1
train                     4
total                     6

[Wed Nov 18 16:25:01 2026]
Job 3: Parsing, validating and storing synthetic
Finished jobid: 3 (Rule: prepare)
1 of 6 steps (17%) done
Job 4: Training listnet on synthetic, fold 1, seed 0 (threads 1)
Job 5: Training ranksvm on synthetic, fold 1, seed 0 (threads 1)
Finished jobid: 5 (Rule: train)
Job 6: Training listnet on synthetic, fold 2, seed 0 (threads 1)
Finished jobid: 4 (Rule: train)
Finished jobid: 6 (Rule: train)
Job 7: Training ranksvm on synthetic, fold 2, seed 0 (threads 1)
Finished jobid: 7 (Rule: train)
"""


def test_a_line_is_told_when_all_of_a_kind_are_done(demo: dict[str, Any]) -> None:
    found = list(demo["steps"](OUTPUT.splitlines(), folds=2))
    assert [step[:2] for step in found] == [(number, 6) for number in range(1, 6)]
    assert [step[2] for step in found] == [
        "Data parsed, validated and stored",
        "",
        "",
        "Trained listnet on 2 folds",
        "Trained ranksvm on 2 folds",
    ]


def test_a_run_that_goes_on_says_that_what_was_left_is_trained(demo: dict[str, Any]) -> None:
    found = list(demo["steps"](OUTPUT.splitlines()))
    assert [step[2] for step in found if step[2]] == [
        "Data parsed, validated and stored",
        "Trained what was left to train",
    ]


def test_the_table_stands_in_columns(demo: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text('Method,NDCG@1,MAP\n"ARSM-L2R, tuned",0.5,0.25\n')
    assert demo["table_text"](tmp_path / "table.csv").splitlines() == [
        "Method           NDCG@1   MAP",
        "ARSM-L2R, tuned     0.5  0.25",
    ]


def test_a_failure_keeps_what_was_said_and_its_code(demo: dict[str, Any], tmp_path: Path) -> None:
    log = tmp_path / "new" / "log.txt"
    assert demo["watched"](["sh", "-c", "echo it went wrong; exit 3"], log) == 3
    assert log.read_text() == "it went wrong\n"
