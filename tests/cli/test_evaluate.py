import json
from math import log2
from pathlib import Path

import pytest

from .conftest import Command, Done

DATA = "0 qid:1 1:0\n2 qid:1 1:0\n1 qid:2 1:0\n0 qid:2 1:0\n0 qid:3 1:0\n"


@pytest.fixture
def evaluate(command: Command, tmp_path: Path):
    """Evaluate scores of DATA."""

    def run(scores: str, *options: str) -> Done:
        (tmp_path / "data.txt").write_text(DATA)
        (tmp_path / "scores.txt").write_text(scores)
        return command(
            *("evaluate", "--data", tmp_path / "data.txt", "--scores", tmp_path / "scores.txt"),
            *options,
        )

    return run


PERFECT, WORST = "1\n2\n2\n1\n0\n", "2\n1\n1\n2\n0\n"


def test_table_is_on_standard_output_in_both_conventions(evaluate) -> None:
    done = evaluate(PERFECT, "--cutoffs", "1", "2")
    assert (done.code, done.err) == (0, "")
    head, letor, paper, *_ = done.out.splitlines()
    assert head.split() == ["NDCG@1", "NDCG@2", "MAP"]
    # Two perfect queries, and one without a relevant document that counts as 0.
    assert letor.split() == ["letor", "0.6667", "0.6667", "0.6667"]
    assert paper.split() == ["paper", "0.6667", "0.6667", "0.6667"]
    assert "3 queries, 5 documents." in done.out


def test_json_has_the_numbers_in_full(evaluate) -> None:
    found = json.loads(evaluate(WORST, "--json", "--cutoffs", "1", "2").out)
    assert (found["queries"], found["documents"]) == (3, 5)
    assert found["letor"] == pytest.approx({"ndcg@1": 0, "ndcg@2": 2 / 3, "map": 1 / 3})
    assert found["paper"] == pytest.approx({"ndcg@1": 0, "ndcg@2": 2 / 3 / log2(3), "map": 1 / 3})


def test_default_cutoffs_are_the_papers(evaluate) -> None:
    found = json.loads(evaluate(WORST, "--json").out)
    assert list(found["paper"]) == ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map"]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ("1\n2\n3\n4\n", "scores.txt: 4 scores for 5 documents"),
        ("1\n2\n3\n4\n5\n6\n", "scores.txt: 6 scores for 5 documents"),
        ("1\nnan\n3\n4\n5\n", "scores.txt:2: a score must be finite: 'nan'"),
        ("1\n2\nhigh\n4\n5\n", "scores.txt:3: not a number: 'high'"),
    ],
)
def test_scores_that_do_not_fit_are_told_without_a_traceback(
    evaluate, scores: str, message: str
) -> None:
    done = evaluate(scores)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.endswith(f"{message}\n")


def test_cutoff_that_is_no_rank_is_told_without_a_traceback(evaluate) -> None:
    done = evaluate(PERFECT, "--cutoffs", "0")
    assert (done.code, done.out) == (1, "")
    assert done.err == "error: cut-offs must be whole numbers from 1, not [0]\n"


def test_missing_score_file_is_told_without_a_traceback(command: Command, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text(DATA)
    done = command("evaluate", "--data", tmp_path / "data.txt", "--scores", tmp_path / "none.txt")
    assert done.code == 1
    assert f"error: {tmp_path / 'none.txt'}: cannot be read" in done.err


def test_what_map_counts_as_relevant_is_said_and_can_be_set(evaluate) -> None:
    done = evaluate(PERFECT)
    assert "MAP counts labels from 1 as relevant." in done.out
    from_2 = evaluate(PERFECT, "--relevant-from", "2")
    assert "MAP counts labels from 2 as relevant." in from_2.out
    *ndcg, map_1 = done.out.splitlines()[1].split()
    assert from_2.out.splitlines()[1].split() == [*ndcg, "0.3333"]  # of one query of three
    assert map_1 == "0.6667"
    found = json.loads(evaluate(PERFECT, "--json", "--relevant-from", "2").out)
    assert found["relevant_from"] == 2
    assert found["letor"]["map"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--relevant-from", "0"), "relevant_from must be from 1 to 52, not 0"),
        (("--relevant-from", "3"), "data.txt: --relevant-from 3, but the highest label is 2"),
        (("--cutoffs", "3000000000"), "the cut-off must be from 1 to 100,000, not 3000000000"),
    ],
)
def test_what_cannot_be_measured_is_told(evaluate, given: tuple[str, ...], message: str) -> None:
    done = evaluate(PERFECT, *given)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.endswith(f"{message}\n")
