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


def test_measures_are_those_named_under_our_names(evaluate) -> None:
    done = evaluate(WORST, "--measures", "nDCG@2", "RR", "P@1", "ERR@2", "AP(rel=2)")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0].split() == ["NDCG@2", "RR", "P@1", "ERR@2", "MAP(rel=2)"]
    assert "RR and P@1 count labels from 1 as relevant." in done.out
    assert "NDCG has gains 2^label - 1" in done.out
    assert "ERR takes label 4 for the highest" in done.out
    found = json.loads(evaluate(WORST, "--json", "--measures", "RR", "ERR@2").out)
    reciprocal, cascade = (1 / 2 + 1 / 2) / 3, (3 / 16 / 2 + 1 / 16 / 2) / 3
    assert found["paper"] == pytest.approx({"rr": reciprocal, "err@2": cascade})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--measures", "infAP"), "no measure 'infAP'; there are"),
        (("--measures", "nDCG(rel=2)@5"), "NDCG@K has no parameter rel here"),
        (("--measures", "AP", "--cutoffs", "5"), "--cutoffs is for the measures by default"),
        (("--run", "run.txt"), "give --data and --scores, or --run and --qrels"),
    ],
)
def test_measures_that_there_are_not_are_told(evaluate, given: tuple[str, ...], message) -> None:
    done = evaluate(PERFECT, *given)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert message in done.err


@pytest.fixture
def evaluate_run(command: Command, tmp_path: Path):
    """Evaluate a run against qrels."""

    def run(run: str, qrels: str, *options: str) -> Done:
        (tmp_path / "run.txt").write_text(run)
        (tmp_path / "qrels.txt").write_text(qrels)
        files = ("--run", tmp_path / "run.txt", "--qrels", tmp_path / "qrels.txt")
        return command("evaluate", *files, *options)

    return run


RUN = "q1 Q0 b 1 2 me\nq1 Q0 a 2 1 me\nq9 Q0 a 1 1 me\n"
QRELS = "q1 0 a 2\nq1 0 c 1\nq2 0 a 1\n"


def test_run_is_measured_over_the_queries_of_the_qrels(evaluate_run) -> None:
    found = json.loads(evaluate_run(RUN, QRELS, "--json", "--measures", "nDCG@5", "AP", "R@5").out)
    ndcg = 3 / log2(3) / (3 + 1 / log2(3))
    assert found.pop("trec") == pytest.approx(
        {"ndcg@5": ndcg / 2, "map": 1 / 2 / 2 / 2, "recall@5": 1 / 2 / 2}
    )
    assert found == {
        "queries": 2,
        "documents": 2,
        "queries_not_in_run": 1,
        "queries_not_judged": 1,
        "relevant_from": 1,
    }


def test_legend_says_how_a_run_is_measured(evaluate_run) -> None:
    done = evaluate_run(RUN, QRELS)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0].split() == ["NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "MAP"]
    assert done.out.splitlines()[1].split()[0] == "trec"
    for said in (
        "2 queries of the qrels, 2 documents of the run.",
        "1 of these queries have no document in the run, and count as 0.",
        "1 queries of the run are not in the qrels, and are left out.",
        "tied scores by document, descending",
        "Documents without judgement count as not relevant",
        "NDCG has gains 2^label - 1",
    ):
        assert said in done.out


@pytest.mark.parametrize(
    ("run", "qrels", "options", "message"),
    [
        ("q1 Q0 a 1 x me\n", QRELS, (), "run.txt:1: not a number: 'x'"),
        (RUN, "q1 0 a 2\nq1 0 a 2\n", (), "qrels.txt:2: document 'a' of query 'q1'"),
        (RUN, "q7 0 a 2\n", (), "run.txt: none of its queries is in "),
        (RUN, QRELS, ("--relevant-from", "3"), "--relevant-from 3, but the highest label is 2"),
        (RUN, "q1 0 a 5\n", ("--measures", "ERR@5"), "labels from 0 to 4, and there is a label 5"),
    ],
)
def test_runs_that_cannot_be_measured_are_told(
    evaluate_run, run: str, qrels: str, options: tuple[str, ...], message: str
) -> None:
    done = evaluate_run(run, qrels, *options)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert message in done.err
