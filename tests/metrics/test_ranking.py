import numpy as np
import pytest

from arsm_l2r.metrics import Judgements, rank

TWO_QUERIES = Judgements([0, 0, 0, 0, 0], [3, 2])


@pytest.mark.parametrize("ties", ["file order", "expected"])
def test_documents_are_sorted_by_descending_score_inside_their_query(ties) -> None:
    ranking = rank([1.0, 3.0, 2.0, 8.0, 9.0], TWO_QUERIES, ties)
    assert ranking.order.tolist() == [1, 2, 0, 4, 3]
    assert ranking.ranks.tolist() == [1, 2, 3, 1, 2]
    assert ranking.tie_sizes.tolist() == [1, 1, 1, 1, 1]


def test_equal_scores_keep_file_order() -> None:
    many = 100  # enough for an unstable sort to show
    ranking = rank([0.0, 1.0] * many, Judgements([0] * 2 * many, [2 * many]), "file order")
    assert ranking.order.tolist() == [*range(1, 2 * many, 2), *range(0, 2 * many, 2)]
    assert not ranking.tied.any()


def test_negative_zero_ties_with_zero() -> None:
    judgements = Judgements([0, 0, 0], [3])
    assert rank([0.0, -0.0, 0.0], judgements, "file order").order.tolist() == [0, 1, 2]
    assert rank([0.0, -0.0, 0.0], judgements, "expected").tie_sizes.tolist() == [3]


def test_ties_end_with_their_query() -> None:
    ranking = rank([5.0, 4.0, 4.0, 4.0, 4.0], TWO_QUERIES, "expected")
    assert ranking.tie_starts.tolist() == [0, 1, 3]
    assert ranking.tie_sizes.tolist() == [1, 2, 2]


def test_tie_means_average_the_documents_of_each_tie() -> None:
    ranking = rank([1.0, 2.0, 1.0, 6.0, 6.0], TWO_QUERIES, "expected")
    means = ranking.tie_means(np.array([10.0, 20.0, 40.0, 1.0, 2.0]))
    assert means.tolist() == [20, (10 + 40) / 2, (10 + 40) / 2, (1 + 2) / 2, (1 + 2) / 2]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_score_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match=rf"score of document 3 is {bad}: .*finite"):
        rank([1, 2, 3, bad, 5], TWO_QUERIES, "file order")


@pytest.mark.parametrize(
    ("scores", "shape"), [([1, 2, 3, 4], r"\(4,\)"), ([[1], [2], [3], [4], [5]], r"\(5, 1\)")]
)
def test_scores_that_are_not_one_per_document_are_refused(scores: list, shape: str) -> None:
    with pytest.raises(ValueError, match=f"{shape} scores for 5 documents"):
        rank(scores, TWO_QUERIES, "expected")


def test_unknown_treatment_of_ties_is_refused() -> None:
    with pytest.raises(ValueError, match="'file order' or 'expected', not 'random'"):
        rank([1, 2, 3, 4, 5], TWO_QUERIES, "random")  # type: ignore[arg-type]
