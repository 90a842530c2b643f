"""Negative truncated NDCG, with gains 2^label - 1 and the paper's discount 1 / log2(1 + rank)."""

from __future__ import annotations

import numpy as np

from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.level_count import LevelCountLoss
from arsm_l2r.losses.loss import Loss
from arsm_l2r.tensorflow import tf

_DEEPEST = 100_000
"""More documents than any query has; stands for no truncation."""

_TIES = 0x2545F491
"""Makes a seed for the order of ties of that of a step."""


class NDCGLoss(LevelCountLoss):
    """Negative NDCG, ties in expectation over their order.

    Args:
        cutoff: ranks that count; None for all.
    """

    name = "ndcg"
    truncates = True

    def __init__(self, cutoff: int | None = 10) -> None:
        if cutoff is not None and cutoff < 1:
            raise ValueError(f"cut-off must be at least 1, not {cutoff}")
        depth = cutoff or _DEEPEST
        discounts = 1.0 / np.log2(np.arange(1, depth + 1) + 1.0)
        self._cumulated = np.concatenate([[0.0], np.cumsum(discounts)])

    def weight(self, labels: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
        """The gain, 2^label - 1."""
        return tf.pow(tf.constant(2, dtype), tf.cast(labels, dtype)) - 1

    def term(
        self,
        count: tf.Tensor,
        weight: tf.Tensor,
        worth: tf.Tensor,
        above: tf.Tensor,
        weight_above: tf.Tensor,
    ) -> tf.Tensor:
        """The level's mean gain times the discounts of its ranks."""
        return tf.math.divide_no_nan(weight, count) * worth

    def up_to(self, rank: tf.Tensor) -> tf.Tensor:
        """The sum of the discounts of the ranks up to and including `rank`."""
        cumulated = tf.constant(self._cumulated, rank.dtype)
        deepest = len(self._cumulated) - 1
        return tf.gather(cumulated, tf.minimum(tf.cast(rank, tf.int32), deepest))


class OrderedNDCGLoss(Loss):
    """Negative NDCG, tied documents in the order that they are given in.

    That order leaks whatever the data were sorted by. Each assignment takes a sort. It is here
    to be compared with `NDCGLoss`, not to be used.

    Args:
        cutoff: ranks that count; None for all.
    """

    name = "ndcg-file-order"
    truncates = True

    def __init__(self, cutoff: int | None = 10) -> None:
        self._unordered = NDCGLoss(cutoff)
        self._cutoff = cutoff or _DEEPEST

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        documents = levels.shape[-1]
        gains = self._unordered.weight(batch.labels, dtype)
        place = tf.range(documents)
        group = batch.query * batch.levels + (batch.levels - 1 - levels)
        ordered = self._sorted(group, batch)
        # Queries stand together, so place and place in the ranking differ by the query's start.
        query = tf.gather(batch.query, ordered)
        start = tf.math.unsorted_segment_min(place, batch.query, batch.queries + 1)
        rank = place - tf.gather(start, query) + 1
        discount = np.log(2) / tf.math.log(1 + tf.cast(rank, dtype))
        counted = tf.where(rank <= self._cutoff, tf.gather(gains, ordered) * discount, 0)
        return -batch.per_query(counted) * self._unordered.scale(batch, dtype)

    def _sorted(self, group: tf.Tensor, batch: Batch) -> tf.Tensor:
        """(assignments, documents) their numbers, sorted by group."""
        documents = group.shape[-1]
        return tf.sort(group * documents + tf.range(documents), axis=-1) % documents


class ShuffledNDCGLoss(OrderedNDCGLoss):
    """Negative NDCG, tied documents in an order that is drawn anew in every step.

    The order is the same for all assignments. It leaks nothing and only adds noise.
    """

    name = "ndcg-random-order"
    truncates = True

    def _sorted(self, group: tf.Tensor, batch: Batch) -> tf.Tensor:
        order = _shuffle(group.shape[-1], batch)
        return tf.gather(order, super()._sorted(tf.gather(group, order, axis=-1), batch))


def _shuffle(documents: int, batch: Batch) -> tf.Tensor:
    """(documents,) their numbers in an order drawn from the batch's seed."""
    if batch.seed is None:
        raise ValueError("ties in a random order need a batch with a seed")
    # Estimators draw from the seed itself, and from its complement.
    keys = tf.random.stateless_uniform([documents], batch.seed ^ _TIES, alg="philox")
    return tf.argsort(keys)
