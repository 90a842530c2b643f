from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings

from arsm_l2r.metrics import PAPER, reciprocal_rank, reciprocal_rank_at

from . import enumeration
from .small_queries import Query, in_order, queries, ranked, together


@pytest.mark.parametrize("first", [1, 2, 5])
def test_first_relevant_document_decides(first: int) -> None:
    labels = [0] * (first - 1) + [1, 0, 2]
    assert reciprocal_rank(in_order(labels, PAPER), PAPER).tolist() == [1 / first]


def test_one_relevant_in_a_tie_stands_at_each_of_its_ranks_alike() -> None:
    values = reciprocal_rank(ranked([0, 0, 1, 0], [2, 1, 1, 1], PAPER), PAPER)
    assert values.tolist() == pytest.approx([(1 / 2 + 1 / 3 + 1 / 4) / 3])


def test_of_two_relevant_in_a_tie_the_upper_one_decides() -> None:
    values = reciprocal_rank(ranked([1, 0, 1], [1, 1, 1], PAPER), PAPER)
    assert values.tolist() == pytest.approx([2 / 3 * 1 + 1 / 3 * 1 / 2])


@pytest.mark.parametrize(("documents", "relevant"), [(400, 1), (400, 7), (400, 200), (400, 400)])
def test_large_ties_keep_their_precision(documents: int, relevant: int) -> None:
    labels = [1] * relevant + [0] * (documents - relevant)
    values = reciprocal_rank(ranked(labels, [0] * documents, PAPER), PAPER)
    exact = sum(
        Fraction(comb(documents - place, relevant - 1), comb(documents, relevant) * place)
        for place in range(1, documents - relevant + 2)
    )
    assert values.tolist() == pytest.approx([float(exact)], rel=1e-10)


def test_queries_without_relevant_documents_stand_between_others() -> None:
    several = [
        Query((0, 0), (2, 1)),
        Query((0, 1), (2, 1)),
        Query((0,), (1,)),
        Query((0, 0, 1), (1, 1, 1)),
        Query((0, 0), (1, 1)),
    ]
    values = reciprocal_rank(together(several, PAPER), PAPER)
    assert values.tolist() == pytest.approx([0, 1 / 2, 0, (1 + 1 / 2 + 1 / 3) / 3, 0])


def test_without_any_relevant_document_all_is_0() -> None:
    several = [Query((0, 0), (1, 1)), Query((0,), (1,))]
    assert reciprocal_rank(together(several, PAPER), PAPER).tolist() == [0, 0]


@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    values = reciprocal_rank(ranked(query.labels, query.scores, PAPER), PAPER)
    assert values.tolist() == pytest.approx(
        [enumeration.expectation(enumeration.reciprocal_rank, query.labels, query.scores)]
    )


def test_with_a_cutoff_a_first_relevant_document_below_it_counts_0() -> None:
    ranking = in_order([0, 1, 1], PAPER)
    assert [reciprocal_rank_at(ranking, PAPER, k).tolist() for k in (1, 2, 9)] == [
        [0],
        [1 / 2],
        [1 / 2],
    ]


@settings(deadline=None)
@given(query=queries())
def test_ties_with_a_cutoff_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, PAPER)
    for k in range(1, len(query) + 2):
        literal = enumeration.reciprocal_rank_at(k)
        expected = enumeration.expectation(literal, query.labels, query.scores)
        assert reciprocal_rank_at(ranking, PAPER, k).tolist() == pytest.approx([expected])
