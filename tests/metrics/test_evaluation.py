from math import log2

import numpy as np
import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics import (
    LETOR,
    PAPER,
    Convention,
    Judgements,
    average_precision,
    evaluate,
    means,
    ndcg,
    precision,
    rank,
    reciprocal_rank,
)

SCORES = [2.0, 1.0, 1.0, 5.0, 5.0]
JUDGEMENTS = Judgements([0, 2, 1, 0, 1], [3, 2])


def test_measures_are_those_asked_for_in_their_order() -> None:
    assert list(evaluate(SCORES, JUDGEMENTS, PAPER)) == [
        "ndcg@1",
        "ndcg@3",
        "ndcg@5",
        "ndcg@10",
        "map",
    ]
    wanted = ["ndcg@7", "p@1", "map", "ndcg@2", "rr"]
    assert list(evaluate(SCORES, JUDGEMENTS, PAPER, wanted)) == wanted


@pytest.mark.parametrize("convention", [LETOR, PAPER], ids=lambda convention: convention.name)
def test_each_is_what_its_measure_says(convention: Convention) -> None:
    values = evaluate(SCORES, JUDGEMENTS, convention, ["ndcg@3", "rr", "map", "ndcg@1", "p@2"])
    ranking = rank(SCORES, JUDGEMENTS, convention.ties)
    by_cutoff = ndcg(ranking, [3, 1], convention)
    np.testing.assert_array_equal(values["ndcg@3"], by_cutoff[:, 0])
    np.testing.assert_array_equal(values["ndcg@1"], by_cutoff[:, 1])
    np.testing.assert_array_equal(values["map"], average_precision(ranking, convention))
    np.testing.assert_array_equal(values["rr"], reciprocal_rank(ranking, convention))
    np.testing.assert_array_equal(values["p@2"], precision(ranking, [2], convention)[:, 0])


def test_convention_decides_on_ties() -> None:
    letor = evaluate(SCORES, JUDGEMENTS, LETOR)
    paper = evaluate(SCORES, JUDGEMENTS, PAPER)
    assert letor["ndcg@1"].tolist() == [0, 0]
    assert paper["ndcg@1"].tolist() == [0, 1 / 2]
    assert letor["map"].tolist() == pytest.approx([(1 / 2 + 2 / 3) / 2, 1 / 2])
    assert paper["map"].tolist() == pytest.approx([(1 / 2 + 2 / 3) / 2, (1 + 1 / 2) / 2])


def test_means_weigh_every_query_alike() -> None:
    averaged = means(evaluate(SCORES, JUDGEMENTS, PAPER, ["ndcg@2", "map"]))
    first = (0 + (3 + 1) / 2 / log2(3)) / (3 + 1 / log2(3))
    second = (1 + 1 / log2(3)) / 2
    assert averaged["ndcg@2"] == pytest.approx((first + second) / 2)
    assert all(type(value) is float for value in averaged.values())


def test_measure_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"no measure 'ndcg@0'; there are .*ndcg@K"):
        evaluate(SCORES, JUDGEMENTS, PAPER, ["map", "ndcg@0"])
