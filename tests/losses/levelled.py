"""Made-up queries whose documents have levels, as a batch and one by one, for any loss."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from arsm_l2r.losses import Batch, Loss
from arsm_l2r.metrics import Judgements
from arsm_l2r.tensorflow import tf

LEVELS = 5
LABELS = 4


@dataclass(frozen=True)
class Query:
    """One query: the true labels of its documents (0 … 3), and the levels they got (0 … 4)."""

    labels: tuple[int, ...]
    levels: tuple[int, ...]

    def judgements(self, relevant_from: int = 1) -> Judgements:
        return Judgements(self.labels, [len(self.labels)], relevant_from=relevant_from)


def queries(min_size: int = 1, max_size: int = 8) -> st.SearchStrategy[Query]:
    document = st.tuples(st.integers(0, LABELS - 1), st.integers(0, LEVELS - 1))
    documents = st.lists(document, min_size=min_size, max_size=max_size)
    return documents.map(lambda pairs: Query(*zip(*pairs, strict=True)))


some_queries = st.lists(queries(), min_size=1, max_size=4)


def long_queries(count: int, seed: int = 0) -> list[Query]:
    """Queries as long as those of LETOR."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 150, size=count)
    return [
        Query(tuple(draw.integers(0, LABELS, size)), tuple(draw.integers(0, LEVELS, size)))
        for size in sizes
    ]


def batch_of(several: Sequence[Query], *, filling: int = 0) -> tuple[Batch, tf.Tensor]:
    """The queries as a batch, and their documents' levels.

    Args:
        several: the queries.
        filling: how many documents that belong to no query follow; they have a label and a
            level that would count.
    """
    sizes = [len(query.labels) for query in several]
    labels = [label for query in several for label in query.labels] + [LABELS - 1] * filling
    levels = [level for query in several for level in query.levels] + [LEVELS - 1] * filling
    query = [*np.repeat(np.arange(len(several)), sizes), *[len(several)] * filling]
    batch = Batch(
        labels=tf.constant(labels, tf.int32),
        query=tf.constant(query, tf.int32),
        queries=len(several),
        levels=LEVELS,
        label_levels=max(LABELS, max(labels) + 1),
        seed=tf.constant([7, 11]),
    )
    return batch, tf.constant(levels, tf.int32)


def losses(
    loss: Loss, several: Sequence[Query], *, filling: int = 0, dtype: tf.DType = tf.float64
) -> np.ndarray:
    """(queries,) what a loss says about the queries together."""
    batch, levels = batch_of(several, filling=filling)
    (values,) = loss.losses(levels[None], batch, dtype).numpy()
    return values


def moved_by_brute_force(loss: Loss, several: Sequence[Query]) -> np.ndarray:
    """(documents, C) the loss of each document's query after giving it each level in turn."""
    blocks = []
    for query in several:
        size = len(query.labels)
        levels = np.tile(query.levels, (size, LEVELS, 1))
        for document in range(size):
            levels[document, :, document] = range(LEVELS)
        batch, _ = batch_of([query])
        assignments = tf.constant(levels.reshape(-1, size), tf.int32)
        blocks.append(loss.losses(assignments, batch, tf.float64).numpy().reshape(size, LEVELS))
    return np.concatenate(blocks)
