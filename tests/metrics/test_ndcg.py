from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import ndcg_score

from arsm_l2r.metrics import LETOR, PAPER, mean_ndcg, ndcg

from .enumeration import expectation, letor_discount, ndcg_at, paper_discount
from .small_queries import Query, in_order, queries, ranked, together

LETOR_EXPECTED = replace(LETOR, ties="expected", short_ndcg="shorter")


def test_gain_doubles_with_each_label_and_ranks_are_discounted() -> None:
    (values,) = ndcg(in_order([1, 0, 3, 2], PAPER), [1, 2, 3, 4], PAPER)
    ideal = [7, 3 / log2(3), 1 / log2(4), 0]
    assert values.tolist() == pytest.approx(
        [
            1 / 7,
            1 / sum(ideal[:2]),
            (1 + 7 / log2(4)) / sum(ideal[:3]),
            (1 + 7 / log2(4) + 3 / log2(5)) / sum(ideal),
        ]
    )


def test_cutoffs_may_come_in_any_order() -> None:
    ranking = in_order([0, 2, 1], PAPER)
    np.testing.assert_array_equal(
        ndcg(ranking, [3, 1, 2], PAPER), ndcg(ranking, [1, 2, 3], PAPER)[:, [2, 0, 1]]
    )


def test_tie_at_the_cutoff_counts_by_the_chance_to_be_above_it() -> None:
    ranking = ranked([2, 1, 0], [1, 1, 1], PAPER)
    mean_gain = (3 + 1 + 0) / 3
    (values,) = ndcg(ranking, [1, 2], PAPER)
    assert values.tolist() == pytest.approx(
        [mean_gain / 3, mean_gain * (1 + 1 / log2(3)) / (3 + 1 / log2(3))]
    )


@pytest.mark.parametrize(
    ("convention", "discount"), [(PAPER, paper_discount), (LETOR_EXPECTED, letor_discount)]
)
@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(convention, discount, query: Query) -> None:
    cutoffs = range(1, len(query) + 2)
    (values,) = ndcg(ranked(query.labels, query.scores, convention), cutoffs, convention)
    assert values.tolist() == pytest.approx(
        [expectation(ndcg_at(k, discount), query.labels, query.scores) for k in cutoffs]
    )


@settings(deadline=None)
@given(query=queries(min_size=2, max_size=12))
def test_paper_convention_agrees_with_scikit_learn(query: Query) -> None:
    cutoffs = range(1, len(query) + 2)
    gains = [[2**label - 1 for label in query.labels]]
    (values,) = ndcg(ranked(query.labels, query.scores, PAPER), cutoffs, PAPER)
    assert values.tolist() == pytest.approx(
        [ndcg_score(gains, [query.scores], k=k) for k in cutoffs]
    )


def test_mean_ndcg_averages_the_cutoffs_up_to_the_length_of_each_query() -> None:
    several = [Query((0, 1), (2, 1)), Query((1,), (1,)), Query((0, 0, 2), (3, 2, 1))]
    at_2, at_3 = 1 / log2(3), 1 / log2(4)
    assert mean_ndcg(together(several, PAPER), PAPER).tolist() == pytest.approx(
        [(0 + at_2) / 2, 1 / 1, (0 + 0 + at_3) / 3]
    )


@settings(deadline=None)
@given(query=queries())
def test_mean_ndcg_averages_what_ndcg_says(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, LETOR)
    (values,) = ndcg(ranking, range(1, len(query) + 1), LETOR)
    assert mean_ndcg(ranking, LETOR).tolist() == pytest.approx([values.mean()])


def test_highest_label_still_counts_a_lower_one() -> None:
    (values,) = ndcg(in_order([52, 1], LETOR), [2], LETOR)
    assert values.tolist() == [1.0]
    (values,) = ndcg(in_order([1, 52], PAPER), [1], PAPER)
    assert values.tolist() == [1 / (2**52 - 1)]


@pytest.mark.parametrize("cutoffs", [[0], [3, 0], [-1], [1.5], [], [True]])
def test_cutoff_that_is_no_rank_is_refused(cutoffs: list) -> None:
    with pytest.raises(ValueError, match="cut-offs must be whole numbers from 1") as refusal:
        ndcg(in_order([1, 0], PAPER), cutoffs, PAPER)
    assert str(cutoffs) in str(refusal.value)
