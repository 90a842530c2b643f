from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.losses import NDCGLoss, OrderedNDCGLoss, ShuffledNDCGLoss
from arsm_l2r.metrics import PAPER, ndcg, rank
from arsm_l2r.metrics.ranking import Ties
from arsm_l2r.tensorflow import tf

from .levelled import Query, batch_of, long_queries, losses, some_queries

CUTOFFS = [1, 2, 3, 5, 10, None]

every_cutoff = pytest.mark.parametrize("cutoff", CUTOFFS)


def metric(query: Query, cutoff: int | None, ties: Ties) -> float:
    """NDCG with the paper's discount, of the levels taken as scores."""
    ranking = rank(query.levels, query.judgements(), ties)
    return ndcg(ranking, [cutoff or len(query.labels)], PAPER).item()


def test_level_counts_by_its_mean_gain_and_the_discounts_of_its_ranks() -> None:
    query = Query(labels=(0, 1, 2), levels=(4, 2, 2))
    mean_gain = (1 + 3) / 2
    assert losses(NDCGLoss(2), [query]).tolist() == pytest.approx(
        [-(mean_gain / log2(3)) / (3 + 1 / log2(3))]
    )


@settings(deadline=None, max_examples=50)
@given(several=some_queries, cutoff=st.sampled_from(CUTOFFS))
def test_ndcg_loss_is_minus_the_metric_with_ties_in_expectation(several, cutoff) -> None:
    expected = [-metric(query, cutoff, "expected") for query in several]
    np.testing.assert_allclose(losses(NDCGLoss(cutoff), several), expected, atol=1e-12)


@settings(deadline=None, max_examples=50)
@given(several=some_queries, cutoff=st.sampled_from(CUTOFFS))
def test_ordered_ndcg_loss_is_minus_the_metric_with_ties_in_file_order(several, cutoff) -> None:
    expected = [-metric(query, cutoff, "file order") for query in several]
    np.testing.assert_allclose(losses(OrderedNDCGLoss(cutoff), several), expected, atol=1e-12)


@every_cutoff
def test_shuffled_ties_are_those_in_expectation_on_average(cutoff) -> None:
    several = [Query((0, 2, 1, 0, 3, 1), (4, 2, 2, 2, 4, 1)), Query((1, 0), (3, 3))]
    loss, draws = ShuffledNDCGLoss(cutoff), 400
    batch, levels = batch_of(several, filling=2)

    @tf.function
    def draw(seed: tf.Tensor) -> tf.Tensor:
        return loss.losses(levels[None], replace(batch, seed=seed), tf.float64)[0]

    found = np.array([draw(tf.constant([0, n])) for n in range(draws)])
    expected = losses(NDCGLoss(cutoff), several)
    error = found.std(axis=0) / np.sqrt(draws)
    assert (abs(found.mean(axis=0) - expected) <= 4 * error + 1e-12).all()
    if cutoff == 1:
        assert len(np.unique(found[:, 1])) == 2  # each of two tied documents comes first


def test_shuffled_ties_stand_in_one_order_for_all_assignments() -> None:
    batch, levels = batch_of(long_queries(3))
    both = ShuffledNDCGLoss(10).losses(tf.stack([levels, levels]), batch, tf.float64)
    np.testing.assert_array_equal(both[0], both[1])


def test_shuffled_ties_need_a_seed() -> None:
    batch, levels = batch_of(long_queries(1))
    with pytest.raises(ValueError, match="a batch with a seed"):
        ShuffledNDCGLoss(10).losses(levels[None], replace(batch, seed=None), tf.float64)


@every_cutoff
@pytest.mark.parametrize(
    ("kind", "ties"), [(NDCGLoss, "expected"), (OrderedNDCGLoss, "file order")]
)
def test_single_precision_is_enough_for_long_queries(kind, ties: Ties, cutoff) -> None:
    several = long_queries(20)
    expected = [-metric(query, cutoff, ties) for query in several]
    found = losses(kind(cutoff), several, filling=7, dtype=tf.float32)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_highest_label_that_is_allowed_does_not_break_single_precision() -> None:
    query = Query(labels=(30, 0, 1), levels=(2, 3, 4))
    (found,) = losses(NDCGLoss(3), [query], dtype=tf.float32)
    assert found == pytest.approx(-metric(query, 3, "expected"), rel=1e-5)


@pytest.mark.parametrize("kind", [NDCGLoss, OrderedNDCGLoss])
def test_cutoff_below_1_is_refused(kind) -> None:
    with pytest.raises(ValueError, match="cut-off must be at least 1, not 0"):
        kind(0)
