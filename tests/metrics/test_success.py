import pytest
from hypothesis import given, settings

from arsm_l2r.metrics import PAPER, success

from . import enumeration
from .small_queries import Query, in_order, queries, ranked


def test_a_relevant_document_among_the_first_is_a_success() -> None:
    ranking = in_order([0, 2, 0, 1], PAPER)
    assert [success(ranking, PAPER, k).tolist() for k in (1, 2, 9)] == [[0], [1], [1]]


def test_in_a_tie_it_is_the_chance_that_one_of_two_relevant_is_above_the_cutoff() -> None:
    values = success(ranked([1, 0, 1, 0], [1, 1, 1, 1], PAPER), PAPER, 2)
    assert values.tolist() == pytest.approx([1 - (2 / 4) * (1 / 3)])


@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, PAPER)
    for k in range(1, len(query) + 2):
        expected = enumeration.expectation(enumeration.success_at(k), query.labels, query.scores)
        assert success(ranking, PAPER, k).tolist() == pytest.approx([expected])
