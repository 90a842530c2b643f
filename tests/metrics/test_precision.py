import pytest
from hypothesis import given, settings

from arsm_l2r.metrics import LETOR, LETOR3, PAPER, precision

from .enumeration import expectation, precision_at
from .small_queries import Query, in_order, queries, ranked


def test_share_of_relevant_documents_among_the_first() -> None:
    (values,) = precision(in_order([1, 0, 2, 0], LETOR), [1, 2, 3, 4], LETOR)
    assert values.tolist() == [1 / 1, 1 / 2, 2 / 3, 2 / 4]


def test_tie_at_the_cutoff_counts_by_the_chance_to_be_above_it() -> None:
    (values,) = precision(ranked([1, 1, 0, 0], [2, 1, 1, 1], PAPER), [2, 3], PAPER)
    assert values.tolist() == pytest.approx([(1 + 1 / 3) / 2, (1 + 2 / 3) / 3])


def test_missing_documents_are_irrelevant_or_make_the_value_0() -> None:
    ranking = in_order([1, 1], LETOR)
    assert precision(ranking, [2, 3, 4], LETOR).tolist() == [[1, 2 / 3, 2 / 4]]
    assert precision(ranking, [2, 3, 4], LETOR3).tolist() == [[1, 0, 0]]


@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    cutoffs = range(1, len(query) + 2)
    (values,) = precision(ranked(query.labels, query.scores, PAPER), cutoffs, PAPER)
    assert values.tolist() == pytest.approx(
        [expectation(precision_at(k), query.labels, query.scores) for k in cutoffs]
    )


@pytest.mark.parametrize("cutoffs", [[0], [2, -3], [0.5], []])
def test_cutoff_that_is_no_rank_is_refused(cutoffs: list) -> None:
    with pytest.raises(ValueError, match="cut-offs must be whole numbers from 1") as refusal:
        precision(in_order([1, 0], PAPER), cutoffs, PAPER)
    assert str(cutoffs) in str(refusal.value)
