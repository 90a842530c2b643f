"""Runs that do not have all judged documents, nor only those."""

from math import log2

import pytest

from arsm_l2r.metrics import TREC, Judgements, evaluate_run, measure_by_name, measure_names, rank

QRELS = {"1": {"a": 2, "b": 0, "c": 1, "d": 1}}
EVERY = [name.replace("@K", "@2") for name in measure_names()]


def of(run: dict[str, float], *measures: str) -> list[float]:
    values = evaluate_run({"1": run}, QRELS, measures).values
    return [float(each[0]) for each in values.values()]


def test_judged_documents_that_the_run_does_not_have_are_in_the_ideal_and_in_recall() -> None:
    # Ranked: c (1), x (not judged), and neither a (2) nor d (1).
    found = of({"c": 2, "x": 1}, "nDCG@2", "nDCG@10", "AP", "R@10", "Rprec", "P@2", "P@10")
    assert found == pytest.approx(
        [
            1 / (3 + 1 / log2(3)),
            1 / (3 + 1 / log2(3) + 1 / log2(4)),
            1 / 3,
            1 / 3,
            1 / 3,
            1 / 2,
            1 / 10,
        ]
    )


def test_they_do_not_stand_below_the_documents_of_the_run() -> None:
    found = of({"x": 2, "b": 1}, "nDCG@10", "AP", "RR", "RR@5", "Success@9", "P@9", "ERR@9", "R@9")
    assert found == [0] * 8


def test_tied_documents_are_ranked_by_descending_name() -> None:
    assert of({"a": 1, "b": 1}, "RR") == [1 / 2]
    assert of({"a": 1, "B": 1}, "RR") == [1]
    assert of({"a10": 1, "a": 1, "a9": 1}, "RR") == [1 / 3]


def test_labels_below_0_count_as_0() -> None:
    qrels = {"1": {"a": -2, "b": 1, "c": -1}}
    values = evaluate_run({"1": {"a": 2, "b": 1}}, qrels, ["nDCG@5", "RR", "R@1"]).values
    assert [float(each[0]) for each in values.values()] == [1 / log2(3), 1 / 2, 0]


def test_every_judged_query_counts_and_no_other() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 0}, "4": {"a": 1}}
    run = {"9": {"a": 1.0}, "4": {"a": 1.0}, "3": {"a": 1.0}, "1": {"b": 2.0, "a": 1.0}}
    found = evaluate_run(run, qrels, ["RR"])
    assert found.queries == ["1", "2", "3", "4"]
    assert found.values["rr"].tolist() == [1 / 2, 0, 0, 1]
    assert (found.not_in_run, found.not_judged) == (["2"], ["9"])


def test_relevant_from_holds_for_documents_that_the_run_does_not_have() -> None:
    values = evaluate_run({"1": {"a": 1.0}}, QRELS, ["R@5", "R(rel=1)@5"], relevant_from=2).values
    assert {name: each.tolist() for name, each in values.items()} == {
        "recall@5": [1],
        "recall(rel=1)@5": [1 / 3],
    }


@pytest.mark.parametrize("name", EVERY)
def test_a_run_of_all_judged_documents_is_an_ordinary_list(name: str) -> None:
    run = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 0.0}
    ranking = rank(list(run.values()), Judgements(list(QRELS["1"].values()), [4]), TREC.ties)
    (expected,) = measure_by_name(name).function(ranking, TREC)
    assert of(run, name) == [expected]


def test_run_without_a_judged_query_is_refused() -> None:
    with pytest.raises(ValueError, match="none of the run's queries is judged"):
        evaluate_run({"2": {"a": 1.0}}, QRELS)
