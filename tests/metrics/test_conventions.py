from dataclasses import replace
from math import log2

import numpy as np
import pytest

from arsm_l2r.metrics import (
    CONVENTIONS,
    LETOR,
    LETOR3,
    PAPER,
    Convention,
    average_precision,
    measure_by_name,
    measure_names,
    ndcg,
    precision,
    reciprocal_rank,
)

from .small_queries import Query, in_order, ranked, together

every_convention = pytest.mark.parametrize(
    "convention", [LETOR, LETOR3, PAPER], ids=lambda convention: convention.name
)


def every_measure(ranking, convention: Convention, cutoffs=(1, 2)) -> dict[str, np.ndarray]:
    """(queries,) values of everything there is."""
    names = {name.replace("@K", f"@{k}") for name in measure_names() for k in cutoffs}
    return {name: measure_by_name(name).function(ranking, convention) for name in sorted(names)}


def test_letor_discounts_from_the_third_rank_on() -> None:
    discounts = LETOR.discount(np.arange(1, 6))
    assert discounts.tolist() == pytest.approx([1, 1, 1 / log2(3), 1 / 2, 1 / log2(5)])


def test_paper_discounts_from_the_second_rank_on() -> None:
    discounts = PAPER.discount(np.arange(1, 6))
    assert discounts.tolist() == pytest.approx([1, 1 / log2(3), 1 / 2, 1 / log2(5), 1 / log2(6)])


def test_ndcg_differs_between_letor_and_paper_below_the_first_rank() -> None:
    labels = [1, 0, 2]
    (letor,) = ndcg(in_order(labels, LETOR), [1, 2, 3], LETOR)
    (paper,) = ndcg(in_order(labels, PAPER), [1, 2, 3], PAPER)
    assert letor.tolist() == pytest.approx([1 / 3, 1 / (3 + 1), (1 + 3 / log2(3)) / (3 + 1)])
    assert paper.tolist() == pytest.approx(
        [1 / 3, 1 / (3 + 1 / log2(3)), (1 + 3 / log2(4)) / (3 + 1 / log2(3))]
    )


@pytest.mark.parametrize(("convention", "at_3"), [(LETOR, 0), (LETOR3, 0), (PAPER, 1 / log2(3))])
def test_ndcg_of_a_list_shorter_than_the_cutoff(convention: Convention, at_3: float) -> None:
    (values,) = ndcg(in_order([0, 1], convention), [3], convention)
    assert values.tolist() == pytest.approx([at_3])


@pytest.mark.parametrize(("convention", "at_1"), [(LETOR, 0), (LETOR3, 0), (PAPER, 1 / 2)])
def test_equal_scores_keep_file_order_or_are_averaged(convention: Convention, at_1: float) -> None:
    ranking = ranked([0, 1], [7, 7], convention)
    assert ndcg(ranking, [1], convention).tolist() == [[at_1]]
    assert precision(ranking, [1], convention).tolist() == [[at_1]]


@every_convention
def test_query_without_relevant_document_is_0_and_counted(convention: Convention) -> None:
    several = [Query((1, 1), (2, 1)), Query((0, 0), (2, 1))]
    alone = together(several[:1], convention)
    measures = every_measure(together(several, convention), convention)
    assert {name: values.tolist() for name, values in measures.items()} == {
        name: [*values, 0] for name, values in every_measure(alone, convention).items()
    }


@every_convention
def test_another_value_for_queries_without_relevant_document(convention: Convention) -> None:
    own = replace(convention, name="own", no_relevant=0.5)
    several = [Query((0, 0), (2, 1)), Query((1, 1), (2, 1)), Query((0, 0), (1, 1))]
    alone = together(several[1:2], own)
    measures = every_measure(together(several, own), own)
    assert {name: values.tolist() for name, values in measures.items()} == {
        name: [0.5, *values, 0.5] for name, values in every_measure(alone, own).items()
    }


@every_convention
def test_it_holds_for_short_lists_too(convention: Convention) -> None:
    own = replace(convention, name="own", no_relevant=0.5)
    ranking = in_order([0], own)
    assert ndcg(ranking, [1, 2], own).tolist() == [[0.5, 0.5]]
    assert precision(ranking, [1, 2], own).tolist() == [[0.5, 0.5]]


def test_relevant_from_2_leaves_out_label_1() -> None:
    ranking = in_order([1, 2, 0, 3], LETOR, relevant_from=2)
    assert precision(ranking, [1, 2, 4], LETOR).tolist() == [[0, 1 / 2, 2 / 4]]
    assert average_precision(ranking, LETOR).tolist() == pytest.approx([(1 / 2 + 2 / 4) / 2])
    assert reciprocal_rank(ranking, LETOR).tolist() == [1 / 2]


def test_relevant_from_2_leaves_ndcg_as_it_is() -> None:
    ranking = in_order([1, 0], LETOR, relevant_from=2)
    assert ndcg(ranking, [1], LETOR).tolist() == [[1]]
    assert average_precision(ranking, LETOR).tolist() == [0]


@every_convention
@pytest.mark.parametrize("cutoff", [2, 3, 100_000])
def test_a_cutoff_past_the_longest_list_adds_nothing(convention: Convention, cutoff: int) -> None:
    ranking = in_order([1, 2], replace(convention, short_ndcg="shorter"))
    lenient = replace(convention, short_ndcg="shorter", short_precision="shorter")
    at_2 = ndcg(ranking, [2], lenient)
    assert ndcg(ranking, [1, cutoff], lenient)[:, 1:].tolist() == at_2.tolist()
    assert precision(ranking, [1, cutoff], lenient).tolist() == [[1, 2 / cutoff]]


def test_own_convention_with_own_discount() -> None:
    own = Convention("own", lambda ranks: 1 / ranks, ties="expected", short_ndcg="shorter")
    (values,) = ndcg(ranked([0, 1, 2], [3, 1, 1], own), [3], own)
    mean_gain = (1 + 3) / 2
    assert values.tolist() == pytest.approx([mean_gain * (1 / 2 + 1 / 3) / (3 + 1 / 2)])


def test_results_are_given_in_the_conventions_of_letor_and_the_paper() -> None:
    assert CONVENTIONS == {"letor": LETOR, "paper": PAPER}
