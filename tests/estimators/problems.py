"""Small problems whose gradient is known exactly, and a loss of no structure at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arsm_l2r.estimators import Estimator
from arsm_l2r.losses import Batch, Loss, NDCGLoss
from arsm_l2r.metrics import PAPER, Judgements, ndcg, rank
from arsm_l2r.tensorflow import tf

LossOfLevels = Callable[[Sequence[int]], float]
"""The loss of one query, by its documents' levels."""


class TableLoss(Loss):
    """A loss that is read from a table: one number for each way of giving levels.

    Args:
        tables: for each query, its losses, one axis per document.
        times: how often these queries stand in the batch, one after the other.
    """

    def __init__(self, tables: Sequence[np.ndarray], times: int = 1) -> None:
        sizes = [table.size for table in tables]
        self._values = tf.constant(np.concatenate([table.ravel() for table in tables]))
        self._start = tf.constant(np.tile(np.cumsum([0, *sizes[:-1]]), times), tf.float64)
        strides = [np.array(table.strides) // table.itemsize for table in tables]
        self._stride = tf.constant(np.tile(np.concatenate(strides), times), tf.float64)

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        return self._at(self._place(levels, batch), dtype)

    def moved(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        place = batch.per_document(self._place(levels[None], batch)[0])
        change = tf.range(batch.levels, dtype=tf.float64) - tf.cast(levels, tf.float64)[:, None]
        return self._at(place[:, None] + change * self._stride[:, None], dtype)

    def _place(self, levels: tf.Tensor, batch: Batch) -> tf.Tensor:
        return batch.per_query(tf.cast(levels, tf.float64) * self._stride) + self._start

    def _at(self, place: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
        return tf.cast(tf.gather(self._values, tf.cast(place, tf.int32)), dtype)


@dataclass(frozen=True)
class Problem:
    """Queries with logits, and what their levels cost.

    Attributes:
        logits: for each query, (documents, C).
        labels: for each query, (documents,).
        definition: for each query, its loss by its definition.
        loss: the same as a loss, for the queries repeated so many times.
    """

    logits: list[np.ndarray]
    labels: list[np.ndarray]
    definition: list[LossOfLevels]
    loss: Callable[[int], Loss]

    @property
    def levels(self) -> int:
        return self.logits[0].shape[1]

    def repeated(self, times: int, dtype: tf.DType = tf.float64) -> tuple[tf.Tensor, Batch]:
        """Logits and batch of the queries, so many times one after the other.

        Queries do not know of each other, so this gives as many independent draws at once.
        """
        sizes = [len(labels) for labels in self.labels]
        batch = Batch(
            labels=tf.constant(np.tile(np.concatenate(self.labels), times), tf.int32),
            query=tf.constant(np.repeat(np.arange(len(sizes) * times), sizes * times), tf.int32),
            queries=len(sizes) * times,
            levels=self.levels,
            label_levels=max(int(labels.max()) for labels in self.labels) + 1,
        )
        return tf.constant(np.tile(np.concatenate(self.logits), (times, 1)), dtype), batch

    def draws(self, estimator: Estimator, count: int, seed: int = 0) -> np.ndarray:
        """(count, documents, C) independent estimates."""
        logits, batch = self.repeated(count)
        estimate = estimator(logits, self.loss(count), batch, tf.constant([seed, 7]))
        return estimate.gradient.numpy().reshape(count, -1, self.levels)

    @cached_property
    def exact_gradient(self) -> np.ndarray:
        """(documents, C) the gradient, by summing over every way of giving levels."""
        return np.concatenate(
            [
                _exact_gradient(logits, definition)
                for logits, definition in zip(self.logits, self.definition, strict=True)
            ]
        )


def _exact_gradient(logits: np.ndarray, loss: LossOfLevels) -> np.ndarray:
    documents, count = logits.shape
    probabilities = softmax(logits)
    gradient = np.zeros((documents, count))
    for levels in np.ndindex(*[count] * documents):
        chosen = np.eye(count)[list(levels)]
        chance = probabilities[np.arange(documents), list(levels)].prod()
        gradient += chance * loss(levels) * (chosen - probabilities)
    return gradient


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits)
    return powers / powers.sum(axis=1, keepdims=True)


def table_problem(seed: int = 1) -> Problem:
    """A query of one document and one of three, whose losses have no structure."""
    draw = np.random.default_rng(seed)
    levels, sizes = 3, (1, 3)
    tables = [draw.normal(size=(levels,) * size) for size in sizes]
    return Problem(
        logits=[draw.normal(size=(size, levels)) for size in sizes],
        labels=[np.zeros(size, int) for size in sizes],
        definition=[lambda z, table=table: float(table[tuple(z)]) for table in tables],
        loss=lambda times: TableLoss(tables, times),
    )


def ranking_problem(sizes: Sequence[int], levels: int, cutoff: int, seed: int = 2) -> Problem:
    """Queries of some documents, to be ranked by NDCG."""
    draw = np.random.default_rng(seed)
    labels = [np.append(draw.integers(0, 3, size - 1), 2) for size in sizes]

    def minus_ndcg(truth: np.ndarray) -> LossOfLevels:
        judgements = Judgements(truth, [len(truth)])
        return lambda z: -ndcg(rank(z, judgements, "expected"), [cutoff], PAPER).item()

    return Problem(
        logits=[draw.normal(size=(size, levels)) for size in sizes],
        labels=labels,
        definition=[minus_ndcg(truth) for truth in labels],
        loss=lambda times: NDCGLoss(cutoff),
    )
