"""Measures by name, and measures that users add."""

import re

import numpy as np
import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics import (
    LETOR,
    PAPER,
    PAPER_MEASURES,
    Convention,
    Judgements,
    Ranking,
    evaluate,
    measure,
    measure_by_name,
    measure_descriptions,
    measure_names,
    measure_title,
    ndcg,
    rank,
)
from arsm_l2r.metrics.measure import MEASURES

from ..registries import forget_what_is_added

JUDGEMENTS = Judgements([0, 2, 1, 0, 1], [3, 2])
SCORES = [3.0, 2.0, 1.0, 1.0, 2.0]


@pytest.fixture(autouse=True)
def _forget_measures_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_what_is_added(MEASURES, monkeypatch)


@pytest.mark.parametrize(
    ("name", "title"),
    [("ndcg@5", "NDCG@5"), ("p@10", "P@10"), ("map", "MAP"), ("rr", "RR"), ("ndcg@1", "NDCG@1")],
)
def test_titles(name: str, title: str) -> None:
    assert measure_title(name) == measure_by_name(name).title == title
    assert measure_by_name(name).name == name


@pytest.mark.parametrize(
    ("given", "name", "title"),
    [
        ("nDCG@10", "ndcg@10", "NDCG@10"),
        ("NDCG@10", "ndcg@10", "NDCG@10"),
        ("nDCG(dcg='exp-log2')@10", "ndcg@10", "NDCG@10"),
        ('nDCG(dcg="exp-log2")@10', "ndcg@10", "NDCG@10"),
        ("AP", "map", "MAP"),
        ("MAP", "map", "MAP"),
        ("AP@5", "map@5", "AP@5"),
        ("RR", "rr", "RR"),
        ("MRR@3", "rr@3", "RR@3"),
        ("P@5", "p@5", "P@5"),
        ("Precision@5", "p@5", "P@5"),
        ("R@7", "recall@7", "R@7"),
        ("Recall@7", "recall@7", "R@7"),
        ("Success@1", "success@1", "Success@1"),
        ("Rprec", "r-precision", "Rprec"),
        ("RPrec", "r-precision", "Rprec"),
        ("ERR@20", "err@20", "ERR@20"),
        ("P(rel=2)@5", "p(rel=2)@5", "P(rel=2)@5"),
        ("AP( rel = 2 )", "map(rel=2)", "MAP(rel=2)"),
        ("map(rel=2)", "map(rel=2)", "MAP(rel=2)"),
        ("RR(rel=1)", "rr(rel=1)", "RR(rel=1)"),
    ],
)
def test_names_of_ir_measures_are_understood(given: str, name: str, title: str) -> None:
    found = measure_by_name(given)
    assert (found.name, found.title) == (name, title)
    assert measure_by_name(name) == found


def test_every_other_name_leads_to_its_measure_and_is_no_name_of_another() -> None:
    others = [(also, name) for name, kind in MEASURES.things().items() for also in kind.also]
    assert len({also for also, _ in others} | {*measure_names()}) == len(others + measure_names())
    for also, name in others:
        assert measure_by_name(also.replace("@K", "@4")).name == name.replace("@K", "@4")


def test_results_have_our_names() -> None:
    found = evaluate(SCORES, JUDGEMENTS, PAPER, ["nDCG@2", "AP", "ndcg@2", "Success@1"])
    assert list(found) == ["ndcg@2", "map", "success@1"]


def test_rel_says_from_which_label_on_documents_are_relevant() -> None:
    found = evaluate(SCORES, JUDGEMENTS, PAPER, ["P(rel=2)@3", "P@3", "P(rel=1)@3"])
    assert found["p(rel=2)@3"].tolist() == [1 / 3, 0]
    assert found["p@3"].tolist() == found["p(rel=1)@3"].tolist() == [2 / 3, 1 / 3]
    alone = measure_by_name("P(rel=2)@3").function(rank(SCORES, JUDGEMENTS, PAPER.ties), PAPER)
    assert alone.tolist() == [1 / 3, 0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nDCG(dcg='log2')@5", "NDCG@K has dcg='exp-log2' and no other, not 'log2'"),
        ("nDCG(rel=2)@5", "NDCG@K has no parameter rel here; it has dcg"),
        ("ERR(rel=2)@5", "ERR@K has no parameter rel here; it has none"),
        ("P(judged_only=True)@5", "P@K has no parameter judged_only here; it has rel"),
        ("P(cutoff=5)@5", "a cut-off is written as in P@5"),
        ("P(rel=0)@5", "rel must be a label from 1 to 52, not 0"),
        ("P(rel=53)@5", "rel must be a label from 1 to 52, not 53"),
        ("P(2)@5", "'2' is no parameter; write it as in P(rel=2)@5"),
        ("P()@5", "'' is no parameter"),
    ],
)
def test_parameters_that_there_are_not_are_refused(name: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(reason)) as refusal:
        measure_by_name(name)
    assert repr(name) in str(refusal.value)


def test_paper_has_five() -> None:
    assert [measure_title(name) for name in PAPER_MEASURES] == [
        *("NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10"),
        "MAP",
    ]


def test_named_measure_is_the_function_with_its_cutoff() -> None:
    ranking = rank(SCORES, JUDGEMENTS, LETOR.ties)
    found = measure_by_name("ndcg@2").function(ranking, LETOR)
    np.testing.assert_array_equal(found, ndcg(ranking, [2], LETOR)[:, 0])
    assert measure_by_name("ndcg@2").definition is ndcg


@pytest.mark.parametrize(
    "name", ["", "ndcg", "ndcg@0", "ndcg@K", "nDCG@", "NDCG(@5", "infAP", "mean", "ERR", "R"]
)
def test_unknown_measure_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"no measure {name!r}")) as refusal:
        measure_by_name(name)
    assert all(known in str(refusal.value) for known in measure_names())


def test_own_measure_with_a_cutoff_is_found_by_its_name() -> None:
    @measure("judged@K", title="Judged@K")
    def judged(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
        """The share of ranks up to K that have a document."""
        return np.minimum(ranking.judgements.group, cutoff) / cutoff

    found = evaluate(SCORES, JUDGEMENTS, PAPER, ["judged@4", "map", "judged@2"])
    assert found["judged@4"].tolist() == [3 / 4, 2 / 4]
    assert found["judged@2"].tolist() == [1, 1]
    assert measure_title("judged@2") == "Judged@2"
    assert measure_names()[-1] == "judged@K"
    assert measure_descriptions()["judged@K"] == "The share of ranks up to K that have a document."


def test_own_measure_without_a_cutoff_is_found_by_its_name() -> None:
    @measure("documents", title="Documents")
    def documents(ranking: Ranking, convention: Convention) -> np.ndarray:
        return ranking.judgements.group

    assert evaluate(SCORES, JUDGEMENTS, PAPER, ["documents"])["documents"].tolist() == [3, 2]


def test_measure_of_the_wrong_shape_is_refused_with_both_shapes() -> None:
    @measure("mine", title="Mine")
    def mine(ranking: Ranking, convention: Convention) -> np.ndarray:
        return ranking.judgements.labels

    with pytest.raises(ValueError, match=r"measure mine returned shape \(5,\);.*\(2,\)"):
        evaluate(SCORES, JUDGEMENTS, PAPER, ["mine"])


def test_title_of_a_measure_with_a_cutoff_has_it_too() -> None:
    with pytest.raises(ConfigError, match="title of the measure mine@K must end in @K"):
        measure("mine@K", title="Mine")


def test_two_measures_of_one_name_are_refused_and_both_are_named() -> None:
    with pytest.raises(
        ConfigError, match=r"the measure 'map': average_precision in .*\.py and .*mine in"
    ):

        @measure("map", title="Mine")
        def mine(ranking: Ranking, convention: Convention) -> np.ndarray:
            return ranking.judgements.group
