"""Negative average precision: labels are relevant or not, ties in expectation."""

from __future__ import annotations

import numpy as np

from arsm_l2r.losses.level_count import LevelCountLoss
from arsm_l2r.tensorflow import tf

_LONGEST = 100_000
"""More documents than any query has."""


class AveragePrecisionLoss(LevelCountLoss):
    """Negative average precision, ties in expectation over their order.

    At rank j of a level with n documents, r of them relevant, below t documents with R
    relevant, stands a relevant one with probability r / n, and then R + 1 +
    (j - t - 1)(r - 1)/(n - 1) are expected at or above it. Summed over the level's ranks, with
    H the harmonic sum of 1/j over them, this is r/n · ((R + 1) H + (n - (t + 1) H)(r - 1)/(n - 1)).

    Args:
        relevant_from: the lowest label that counts as relevant.
    """

    name = "average-precision"
    takes_relevance = True

    def __init__(self, relevant_from: int = 1) -> None:
        self._relevant_from = relevant_from
        inverse = 1.0 / np.arange(1, _LONGEST + 1)
        self._harmonic = np.concatenate([[0.0], np.cumsum(inverse)])

    def weight(self, labels: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
        """1 for a relevant document, 0 for another."""
        return tf.cast(labels >= self._relevant_from, dtype)

    def term(
        self,
        count: tf.Tensor,
        weight: tf.Tensor,
        worth: tf.Tensor,
        above: tf.Tensor,
        weight_above: tf.Tensor,
    ) -> tf.Tensor:
        """See the class."""
        pairs = (weight - 1) / tf.maximum(count - 1, 1)
        inside = (weight_above + 1) * worth
        inside += (count - (above + 1) * worth) * pairs
        return tf.math.divide_no_nan(weight, count) * inside

    def up_to(self, rank: tf.Tensor) -> tf.Tensor:
        """The harmonic sum, of 1/j over the ranks j up to and including `rank`."""
        harmonic = tf.constant(self._harmonic, rank.dtype)
        return tf.gather(harmonic, tf.cast(rank, tf.int32))
