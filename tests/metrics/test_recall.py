import pytest
from hypothesis import given, settings

from arsm_l2r.metrics import PAPER, r_precision, recall

from . import enumeration
from .small_queries import Query, in_order, queries, ranked, together


def test_share_of_the_relevant_documents_that_are_among_the_first() -> None:
    ranking = in_order([1, 0, 2, 0, 1], PAPER)
    values = [recall(ranking, PAPER, k).tolist() for k in (1, 2, 3, 4, 5, 9)]
    assert values == [[1 / 3], [1 / 3], [2 / 3], [2 / 3], [1], [1]]


def test_each_query_has_its_own_number_of_relevant_documents() -> None:
    several = [Query((0, 1), (2, 1)), Query((1, 1, 1), (3, 2, 1)), Query((0, 0), (2, 1))]
    ranking = together(several, PAPER)
    assert recall(ranking, PAPER, 1).tolist() == [0, 1 / 3, 0]
    assert r_precision(ranking, PAPER).tolist() == [0, 1, 0]


def test_r_precision_is_precision_at_the_number_of_relevant_documents() -> None:
    assert r_precision(in_order([1, 0, 2, 0, 1], PAPER), PAPER).tolist() == [2 / 3]
    assert r_precision(in_order([0, 0, 2, 1], PAPER), PAPER).tolist() == [0]


@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, PAPER)
    for k in range(1, len(query) + 2):
        expected = enumeration.expectation(enumeration.recall_at(k), query.labels, query.scores)
        assert recall(ranking, PAPER, k).tolist() == pytest.approx([expected])
    expected = enumeration.expectation(enumeration.r_precision, query.labels, query.scores)
    assert r_precision(ranking, PAPER).tolist() == pytest.approx([expected])
