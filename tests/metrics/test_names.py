"""Measures by name, and measures that users add."""

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


@pytest.mark.parametrize("name", ["", "ndcg", "ndcg@0", "ndcg@K", "map@3", "MAP", "mean"])
def test_unknown_measure_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match=f"no measure {name!r}") as refusal:
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
