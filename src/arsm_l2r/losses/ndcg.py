"""Negative truncated NDCG, with gains 2^label - 1 and the paper's discount 1 / log2(1 + rank)."""

import numpy as np

from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.loss import LevelCountLoss, Loss
from arsm_l2r.tensorflow import tf

_DEEPEST = 100_000
"""More documents than any query has; stands for no truncation."""

_TIES = 0x2545F491
"""Makes a seed for the order of ties of that of a step."""


class NDCGLoss(LevelCountLoss):
    """Negative NDCG at a cut-off, ties in expectation over their order.

    Args:
        cutoff: ranks that count; None for all.
    """

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
        self, count: tf.Tensor, weight: tf.Tensor, above: tf.Tensor, weight_above: tf.Tensor
    ) -> tf.Tensor:
        """The level's mean gain times the discounts of its ranks."""
        discounts = self._up_to(above + count) - self._up_to(above)
        return tf.math.divide_no_nan(weight, count) * discounts

    def _up_to(self, rank: tf.Tensor) -> tf.Tensor:
        """The sum of the discounts of the ranks up to and including `rank`."""
        cumulated = tf.constant(self._cumulated, rank.dtype)
        deepest = len(self._cumulated) - 1
        return tf.gather(cumulated, tf.minimum(tf.cast(rank, tf.int32), deepest))


class OrderedNDCGLoss(Loss):
    """Negative NDCG at a cut-off, where tied documents stand in one order.

    The order that they are given in leaks whatever the data were sorted by; one that is drawn
    anew in every step only adds noise. Each assignment takes a sort. It is here to be compared
    with `NDCGLoss`, not to be used.

    Args:
        cutoff: ranks that count; None for all.
        shuffled: put tied documents into an order drawn from the batch's seed, the same for all
            assignments, instead of the order that they are given in.
    """

    def __init__(self, cutoff: int | None = 10, *, shuffled: bool = False) -> None:
        self._unordered = NDCGLoss(cutoff)
        self._cutoff = cutoff or _DEEPEST
        self._shuffled = shuffled

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        documents = levels.shape[-1]
        gains = self._unordered.weight(batch.labels, dtype)
        place = tf.range(documents)
        group = batch.query * batch.levels + (batch.levels - 1 - levels)
        if self._shuffled:
            order = _shuffle(documents, batch)
            group = tf.gather(group, order, axis=-1)
            ordered = tf.gather(order, tf.sort(group * documents + place, axis=-1) % documents)
        else:
            ordered = tf.sort(group * documents + place, axis=-1) % documents
        # Queries stand together, so place and place in the ranking differ by the query's start.
        query = tf.gather(batch.query, ordered)
        start = tf.math.unsorted_segment_min(place, batch.query, batch.queries + 1)
        rank = place - tf.gather(start, query) + 1
        discount = np.log(2) / tf.math.log(1 + tf.cast(rank, dtype))
        counted = tf.where(rank <= self._cutoff, tf.gather(gains, ordered) * discount, 0)
        return -batch.per_query(counted) * self._unordered.scale(batch, gains)


def _shuffle(documents: int, batch: Batch) -> tf.Tensor:
    """(documents,) their numbers in an order drawn from the batch's seed."""
    if batch.seed is None:
        raise ValueError("ties in a random order need a batch with a seed")
    # Estimators draw from the seed itself, and from its complement.
    keys = tf.random.stateless_uniform([documents], batch.seed ^ _TIES, alg="philox")
    return tf.argsort(keys)
