import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from arsm_l2r.metrics import LETOR, PAPER, average_precision, average_precision_at

from . import enumeration
from .small_queries import Query, in_order, queries, ranked, together


def test_precision_is_averaged_over_the_ranks_of_relevant_documents() -> None:
    values = average_precision(in_order([1, 0, 0, 1, 1], PAPER), PAPER)
    assert values.tolist() == pytest.approx([(1 / 1 + 2 / 4 + 3 / 5) / 3])


@pytest.mark.parametrize("labels", [(0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 1, 0), (0, 2, 2, 0)])
def test_labels_1_and_2_are_alike(labels: tuple[int, ...]) -> None:
    values = average_precision(in_order(labels, LETOR), LETOR)
    assert values.tolist() == pytest.approx([(1 / 2 + 2 / 3) / 2])


def test_one_relevant_in_a_tie_stands_at_each_of_its_ranks_alike() -> None:
    values = average_precision(ranked([0, 1, 0], [1, 1, 1], PAPER), PAPER)
    assert values.tolist() == pytest.approx([(1 / 1 + 1 / 2 + 1 / 3) / 3])


def test_two_relevant_in_a_tie_raise_each_other() -> None:
    values = average_precision(ranked([1, 0, 1], [1, 1, 1], PAPER), PAPER)
    orders = [(1 / 1 + 2 / 2) / 2, (1 / 1 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2]
    assert values.tolist() == pytest.approx([sum(orders) / 3])


def test_relevant_documents_above_a_tie_count_only_in_their_own_query() -> None:
    several = [Query((1, 1, 1), (3, 2, 1)), Query((1, 0, 1), (2, 1, 1))]
    values = average_precision(together(several, PAPER), PAPER)
    assert values.tolist() == pytest.approx([1, (1 + (2 / 2 + 2 / 3) / 2) / 2])


@settings(deadline=None)
@given(query=queries())
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    values = average_precision(ranked(query.labels, query.scores, PAPER), PAPER)
    assert values.tolist() == pytest.approx(
        [enumeration.expectation(enumeration.average_precision, query.labels, query.scores)]
    )


def test_with_a_cutoff_documents_below_it_count_0_and_are_counted() -> None:
    values = average_precision_at(in_order([1, 0, 0, 1, 1], PAPER), PAPER, 4)
    assert values.tolist() == pytest.approx([(1 / 1 + 2 / 4) / 3])


@settings(deadline=None)
@given(query=queries())
def test_ties_with_a_cutoff_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, PAPER)
    for k in range(1, len(query) + 2):
        literal = enumeration.average_precision_at(k)
        expected = enumeration.expectation(literal, query.labels, query.scores)
        assert average_precision_at(ranking, PAPER, k).tolist() == pytest.approx([expected])


def test_labels_below_relevant_from_are_not_relevant() -> None:
    values = average_precision(in_order([2, 1, 3, 0, 2], LETOR, relevant_from=2), LETOR)
    assert values.tolist() == pytest.approx([(1 / 1 + 2 / 3 + 3 / 5) / 3])
    assert average_precision(in_order([2, 1, 3], LETOR, relevant_from=3), LETOR).tolist() == [1 / 3]


def test_labels_below_relevant_from_are_not_relevant_in_ties_either() -> None:
    values = average_precision(ranked([1, 2, 1], [1, 1, 1], PAPER, relevant_from=2), PAPER)
    assert values.tolist() == pytest.approx([(1 / 1 + 1 / 2 + 1 / 3) / 3])


@settings(deadline=None)
@given(
    query=queries(st.integers(-20, 20), distinct=True, max_size=12).filter(
        lambda query: query.has_relevant
    ),
    relevant_from=st.integers(1, 3),
)
def test_without_ties_agrees_with_scikit_learn(query: Query, relevant_from: int) -> None:
    relevant = [label >= relevant_from for label in query.labels]
    assume(any(relevant))
    values = average_precision(ranked(query.labels, query.scores, PAPER, relevant_from), PAPER)
    assert values.tolist() == pytest.approx([average_precision_score(relevant, query.scores)])
