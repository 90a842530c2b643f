import numpy as np
import pytest
from hypothesis import given, settings

from arsm_l2r.losses import AbsoluteErrorLoss, Batch, SquaredErrorLoss, ZeroOneLoss
from arsm_l2r.losses.loss import target_levels
from arsm_l2r.tensorflow import tf

from .levelled import LABELS, LEVELS, losses, some_queries

DEFINITIONS = {
    ZeroOneLoss: lambda level, target: float(level != target),
    AbsoluteErrorLoss: lambda level, target: abs(level - target),
    SquaredErrorLoss: lambda level, target: (level - target) ** 2,
}


@pytest.mark.parametrize("kind", DEFINITIONS)
@settings(deadline=None, max_examples=50)
@given(several=some_queries)
def test_loss_is_the_mean_over_the_documents_of_a_query(kind, several) -> None:
    def of_document(level: int, label: int) -> float:
        return DEFINITIONS[kind](level, round(label * (LEVELS - 1) / (LABELS - 1)))

    expected = [
        np.mean([of_document(*pair) for pair in zip(query.levels, query.labels, strict=True)])
        for query in several
    ]
    np.testing.assert_allclose(losses(kind(), several), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("levels", "label_levels", "targets"),
    [
        (20, 3, [0, 10, 19]),  # 9.5 is rounded to the even number
        (3, 3, [0, 1, 2]),
        (2, 3, [0, 0, 1]),
        (20, 2, [0, 19]),
        (11, 5, [0, 2, 5, 8, 10]),
        (5, 1, [0]),
    ],
)
def test_lowest_label_means_the_lowest_level_and_the_highest_the_highest(
    levels: int, label_levels: int, targets: list[int]
) -> None:
    labels = tf.range(label_levels)
    batch = Batch(labels, tf.zeros_like(labels), 1, levels, label_levels)
    assert target_levels(batch, tf.float32).numpy().tolist() == targets
