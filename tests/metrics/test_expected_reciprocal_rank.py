import numpy as np
import pytest
from hypothesis import given, settings

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics import PAPER, Judgements, expected_reciprocal_rank, rank

from . import enumeration
from .small_queries import LABELS, Query, in_order, queries, ranked, together


def test_reader_goes_on_until_a_document_satisfies() -> None:
    ranking = in_order([2, 0, 4], PAPER)
    first, third = 3 / 16, 15 / 16
    at_1, at_2, at_3 = (expected_reciprocal_rank(ranking, PAPER, k) for k in (1, 2, 3))
    assert at_1.tolist() == at_2.tolist() == [first]
    assert at_3.tolist() == pytest.approx([first + (1 - first) * third / 3])


def test_of_two_tied_documents_each_is_first_half_of_the_time() -> None:
    values = expected_reciprocal_rank(ranked([4, 1], [1, 1], PAPER), PAPER, 2)
    high, low = 15 / 16, 1 / 16
    one_order = high + (1 - high) * low / 2
    other_order = low + (1 - low) * high / 2
    assert values.tolist() == pytest.approx([(one_order + other_order) / 2])


def test_tie_that_the_cutoff_divides() -> None:
    values = expected_reciprocal_rank(ranked([1, 4, 0], [2, 1, 1], PAPER), PAPER, 2)
    assert values.tolist() == pytest.approx([1 / 16 + 15 / 16 * (15 / 16 / 2) / 2])


def test_highest_grade_is_4_whatever_the_labels_of_other_queries() -> None:
    several = [Query((1,), (1,)), Query((4,), (1,)), Query((0,), (1,))]
    values = expected_reciprocal_rank(together(several, PAPER), PAPER, 5)
    assert values.tolist() == [1 / 16, 15 / 16, 0]


def test_label_above_4_is_refused() -> None:
    with pytest.raises(ConfigError, match="labels from 0 to 4, and there is a label 5"):
        expected_reciprocal_rank(in_order([1, 5], PAPER), PAPER, 1)


def test_large_tie_is_that_of_many_drawn_orders() -> None:
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 3, 300)
    exact = expected_reciprocal_rank(ranked(labels, [0] * 300, PAPER), PAPER, 10)
    copies = Judgements(np.tile(labels, 4000), [300] * 4000)
    drawn = expected_reciprocal_rank(rank(draw.random(300 * 4000), copies, PAPER.ties), PAPER, 10)
    error = drawn.std() / np.sqrt(len(drawn))
    assert abs(exact[0] - drawn.mean()) < 4 * error < 0.01


@settings(deadline=None)
@given(query=queries(labels=LABELS | LABELS.map(lambda label: label + 1)))
def test_ties_are_the_mean_over_every_order_of_the_tied(query: Query) -> None:
    ranking = ranked(query.labels, query.scores, PAPER)
    for k in range(1, len(query) + 2):
        literal = enumeration.expected_reciprocal_rank_at(k)
        expected = enumeration.expectation(literal, query.labels, query.scores)
        assert expected_reciprocal_rank(ranking, PAPER, k).tolist() == pytest.approx([expected])
