"""Counts packed into integers are the counts, however many documents and labels there are."""

from dataclasses import replace

import numpy as np
import pytest

from arsm_l2r.losses import AveragePrecisionLoss, Batch, LevelCountLoss, NDCGLoss
from arsm_l2r.tensorflow import tf

LEVELS = 6


def batch_with(sizes: list[int], label_levels: int) -> tuple[Batch, tf.Tensor]:
    """Queries of some lengths with random labels, and three random assignments of levels."""
    draw = np.random.default_rng(0)
    documents = sum(sizes)
    batch = Batch(
        labels=tf.constant(draw.integers(0, label_levels, documents), tf.int32),
        query=tf.constant(np.repeat(np.arange(len(sizes)), sizes), tf.int32),
        queries=len(sizes),
        levels=LEVELS,
        label_levels=label_levels,
    )
    return batch, tf.constant(draw.integers(0, LEVELS, (3, documents)), tf.int32)


@pytest.mark.parametrize("loss", [NDCGLoss(3), NDCGLoss(None), AveragePrecisionLoss()])
@pytest.mark.parametrize(
    ("sizes", "label_levels"),
    [([1], 1), ([7, 1], 3), ([15, 16, 17], 5), ([3000], 3), ([40, 9], 31)],
)
def test_the_longest_query_decides_the_packing_and_not_the_result(
    loss: LevelCountLoss, sizes: list[int], label_levels: int
) -> None:
    batch, levels = batch_with(sizes, label_levels)
    plain = loss.losses(levels, batch, tf.float64)
    for longest in (max(sizes), 2 * max(sizes), 2**31 - 1):  # the last: a label to an integer
        told = replace(batch, longest=longest)
        np.testing.assert_array_equal(loss.losses(levels, told, tf.float64), plain)
        np.testing.assert_array_equal(
            loss.moved(levels[0], told, tf.float64), loss.moved(levels[0], batch, tf.float64)
        )


def test_a_loss_that_judges_in_a_way_of_its_own_is_asked_in_turns_too() -> None:
    class Squared(NDCGLoss):
        def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
            return -tf.square(super().losses(levels, batch, dtype))

    batch, levels = batch_with([7, 12], 3)
    (found,) = Squared(3).losses_in_turn(lambda _: levels, 1, batch, tf.float64)
    np.testing.assert_allclose(found, -(NDCGLoss(3).losses(levels, batch, tf.float64).numpy() ** 2))


def test_all_documents_on_one_level_with_one_label_fill_a_count_to_its_last_bit() -> None:
    sizes = [255, 127]
    batch, levels = batch_with(sizes, 3)
    for label in (1, 2):
        same = replace(batch, labels=label * tf.ones_like(batch.labels), longest=255)
        found = NDCGLoss(None).losses(3 * tf.ones_like(levels), same, tf.float64)
        np.testing.assert_allclose(found, -np.ones((3, 2)), rtol=1e-12)
