import numpy as np
import pytest

from arsm_l2r.losses import Batch, CallableLoss
from arsm_l2r.tensorflow import tf

from .levelled import Query, batch_of, losses

TWO = [Query((0, 2, 1), (4, 2, 2)), Query((1, 0), (3, 0))]


def test_function_gets_levels_and_batch_and_its_values_are_the_losses() -> None:
    def own(levels: tf.Tensor, batch: Batch) -> tf.Tensor:
        """The sum of level times label."""
        return batch.per_query(tf.cast(levels * batch.labels, tf.float32))

    assert losses(CallableLoss(own), TWO, filling=1).tolist() == [0 + 4 + 2, 3 + 0]


def test_whole_numbers_become_the_type_asked_for() -> None:
    loss = CallableLoss(lambda levels, batch: tf.ones((levels.shape[0], batch.queries), tf.int32))
    assert losses(loss, TWO, dtype=tf.float32).dtype == np.float32


@pytest.mark.parametrize(
    ("shape", "shown"), [((2,), r"\(2,\)"), ((2, 1), r"\(2, 1\)"), ((1, 5), r"\(1, 5\)")]
)
def test_result_of_wrong_shape_is_refused(shape: tuple[int, ...], shown: str) -> None:
    loss = CallableLoss(lambda levels, batch: tf.zeros(shape))
    batch, levels = batch_of(TWO)
    with pytest.raises(
        ValueError, match=rf"returned shape {shown}; .*\(assignments, queries\) = \(1, 2\)"
    ):
        loss.losses(levels[None], batch, tf.float64)
