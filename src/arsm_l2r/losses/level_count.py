"""Losses that depend only on how many documents of each label every level has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.loss import Loss
from arsm_l2r.tensorflow import tf

_BITS = 31
"""Of a 32-bit integer, without its sign."""


class LevelCountLoss(Loss):
    """A loss that depends only on how many documents, of what weight, each level has.

    Documents of one level are tied. Such a loss is a negative sum over levels, from the best
    down, of a term that knows the level's documents and what stands above it, divided by the
    sum's highest value. That is enough to evaluate many assignments without sorting, and to
    move single documents at little cost.
    """

    @abstractmethod
    def weight(self, labels: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
        """What a document of each label is worth, such as its gain."""

    @abstractmethod
    def term(
        self,
        count: tf.Tensor,
        weight: tf.Tensor,
        worth: tf.Tensor,
        above: tf.Tensor,
        weight_above: tf.Tensor,
    ) -> tf.Tensor:
        """What a level adds, in expectation over the order of its documents.

        Args:
            count: how many documents the level has; the term of an empty level is 0.
            weight: the sum of their weights.
            worth: what their ranks are worth together, by `up_to`.
            above: how many documents stand above them.
            weight_above: the sum of those documents' weights.
        """

    def up_to(self, rank: tf.Tensor) -> tf.Tensor:
        """What the ranks up to and including `rank`, from 1, are worth together; none, nothing.

        Such as the sum of their discounts; by default, their number.
        """
        return rank

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        return -self._totals(levels, batch, batch.levels, dtype) * self.scale(batch, dtype)

    def losses_in_turn(
        self,
        levels: Callable[[tf.Tensor], tf.Tensor],
        turns: int,
        batch: Batch,
        dtype: tf.DType,
    ) -> tf.Tensor:
        """See `Loss.losses_in_turn`; what a turn needs fits a processor's cache.

        Cells are made a turn ahead: XLA computes one by one what is added up in the same turn,
        and many at a time what the loop carries to the next.
        """
        if type(self).losses is not LevelCountLoss.losses:  # it judges in a way of its own
            return super().losses_in_turn(levels, turns, batch, dtype)
        first = levels(tf.constant(0))
        counting = _Counting(batch, first.shape[0], batch.levels)

        def take(
            turn: tf.Tensor, cells: tf.Tensor, values: tf.Tensor, found: tf.Tensor
        ) -> tuple[tf.Tensor, ...]:
            totals = self._total_of(counting, counting.table(cells, values), dtype)
            following = counting.cells(levels(tf.minimum(turn + 1, turns - 1)))
            return (
                turn + 1,
                following,
                values,
                tf.tensor_scatter_nd_update(found, [[turn]], totals[None]),
            )

        *_, found = tf.while_loop(
            lambda turn, *_: turn < turns,
            take,
            (
                tf.constant(0),
                counting.cells(first),
                counting.values,
                tf.zeros((turns, counting.assignments * counting.groups), dtype),
            ),
            parallel_iterations=1,
        )
        found = tf.reshape(found, (turns, counting.assignments, counting.groups))
        return -found[..., :-1] * self.scale(batch, dtype)

    def moved(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.moved`; takes O(documents · C) altogether."""
        counting = _Counting(batch, 1, batch.levels)
        table = counting.table(counting.cells(levels[None]), counting.values)
        here = tf.one_hot(levels, batch.levels, dtype=dtype)
        own = self.weight(batch.labels, dtype)[:, None]
        # What the levels hold without the document, as seen by each document. (Filling
        # documents belong to no query and have nothing to be taken from.)
        count, weight = (
            batch.per_document(tf.transpose(sums)[:-1])
            for sums in counting.read(table, self, dtype)
        )
        count, weight = tf.maximum(count - here, 0), weight - here * own
        above, weight_above = _sum_above(count), _sum_above(weight)
        start, end = self.up_to(above), self.up_to(above + count)
        start_below, end_below = self.up_to(above + 1), self.up_to(above + count + 1)
        unmoved = self.term(count, weight, end - start, above, weight_above)
        pushed_down = self.term(
            count, weight, end_below - start_below, above + 1, weight_above + own
        )
        joined = self.term(count + 1, weight + own, end_below - start, above, weight_above)
        total = _sum_above(unmoved) + joined + _sum_below(pushed_down)
        return -total * batch.per_document(self.scale(batch, dtype))[:, None]

    def scale(self, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """(queries,) one over the highest possible sum: that of the labels taken as levels."""
        best = self._totals(batch.labels[None], batch, batch.label_levels, dtype)[0]
        return tf.math.divide_no_nan(tf.ones_like(best), best)

    def _totals(
        self, levels: tf.Tensor, batch: Batch, level_count: int, dtype: tf.DType
    ) -> tf.Tensor:
        """(assignments, queries) the sum over levels."""
        counting = _Counting(batch, levels.shape[0], level_count)
        table = counting.table(counting.cells(levels), counting.values)
        totals = self._total_of(counting, table, dtype)
        return tf.reshape(totals, (-1, counting.groups))[:, :-1]

    def _total_of(self, counting: _Counting, table: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
        """(assignments · groups,) the sum over levels, from a table of packed counts.

        Level by level from the best down, so that nothing of all levels is stored, and what ranks
        are worth is looked up once for the end of a level and the start of the next.
        """
        above = tf.zeros_like(table[0])
        total = start = tf.zeros(above.shape[:1], dtype)
        sums_above = _Sums(start, start)
        for row in tf.unstack(table)[::-1]:
            above += row
            sums = counting.read(above, self, dtype)
            end = self.up_to(sums.count)
            total += self.term(*counting.read(row, self, dtype), end - start, *sums_above)
            sums_above, start = sums, end
        return total


class _Sums(NamedTuple):
    """Number of documents and sum of weights."""

    count: tf.Tensor
    weight: tf.Tensor


class _Counting:
    """Counts the documents of each level by label, several counts packed into one integer.

    A group is a query under one assignment; the last of an assignment's groups is that of the
    filling documents, which count nothing.

    Args:
        batch: the documents' labels and queries.
        assignments: how many are counted at the same time.
        level_count: how many levels there are.
    """

    def __init__(self, batch: Batch, assignments: int, level_count: int) -> None:
        self.assignments, self.groups = assignments, batch.queries + 1
        self._level_count, self._label_levels = level_count, batch.label_levels
        longest = batch.longest or batch.labels.shape[0]
        self._bits = max(longest, 1).bit_length()
        self._per_word = _BITS // self._bits
        words = -(-batch.label_levels // self._per_word)
        word, place = batch.labels // self._per_word, batch.labels % self._per_word
        one = tf.bitwise.left_shift(tf.ones_like(place), self._bits * place)
        one = tf.where(batch.query < batch.queries, one, 0)
        values = tf.where(word[:, None] == tf.range(words), one[:, None], 0)
        self._start = tf.range(assignments)[:, None] * self.groups + batch.query
        self.values = tf.tile(values, (assignments, 1))
        """(assignments · documents, words) what every document adds to its cell."""

    def cells(self, levels: tf.Tensor) -> tf.Tensor:
        """(assignments, documents) where every document is counted."""
        return levels * (self.assignments * self.groups) + self._start

    def table(self, cells: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
        """(levels, assignments · groups, words) packed counts.

        Args:
            cells: see `cells`.
            values: `values`, wherever they are carried along.
        """
        groups = self.assignments * self.groups
        sums = tf.math.unsorted_segment_sum(
            values, tf.reshape(cells, [-1]), self._level_count * groups
        )
        return tf.reshape(sums, (self._level_count, groups, -1))

    def read(self, table: tf.Tensor, loss: LevelCountLoss, dtype: tf.DType) -> _Sums:
        """(…, assignments · groups) what packed counts, or sums of some, say."""
        weights = loss.weight(tf.range(self._label_levels), dtype)
        mask = (1 << self._bits) - 1
        counts = []
        for label in range(self._label_levels):
            word, place = divmod(label, self._per_word)
            packed = tf.bitwise.right_shift(table[..., word], self._bits * place)
            counts.append(tf.cast(tf.bitwise.bitwise_and(packed, mask), dtype))
        return _Sums(
            tf.add_n(counts),
            tf.add_n([weights[label] * count for label, count in enumerate(counts)]),
        )


def _sum_above(values: tf.Tensor) -> tf.Tensor:
    """Sum over the levels above each level (last axis).

    A product with a triangle of ones: for some tens of levels that is faster than a running
    sum.
    """
    count = values.shape[-1]
    return values @ tf.constant(np.tri(count, k=-1), values.dtype)


def _sum_below(values: tf.Tensor) -> tf.Tensor:
    """Sum over the levels below each level (last axis)."""
    count = values.shape[-1]
    return values @ tf.constant(np.tri(count, k=-1).T, values.dtype)
