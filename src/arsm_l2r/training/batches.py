"""Divide queries into batches whose shapes repeat, so that few programs are compiled."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arsm_l2r.training.seeds import Use, generator

_COARSE, _FINE = 1.15, 1.07
"""Each size of a batch as a multiple of the one before: with few sizes, or with little filling."""

_LONG = 500
"""Epochs from which on less filling saves more time than compiling more sizes takes."""

_SMALLEST = 0.9
"""The smallest size of a batch, at least, as a multiple of what it holds on average."""


@dataclass(frozen=True)
class BatchPlan:
    """Which documents a batch holds.

    Attributes:
        documents: (size,) int32 rows of the training data; filling rows repeat row 0.
        query: (size,) int32 the query of each, numbered from 0 inside the batch; filling rows
            have the number of queries that a full batch has.
        queries: how many queries the batch really has.
    """

    documents: np.ndarray
    query: np.ndarray
    queries: int


class BatchPlanner:
    """Plans the batches of every epoch.

    Documents lie flat, one row each: nothing is padded to the longest query. Only the whole
    batch is filled up, to one of a few sizes.

    Args:
        group: (queries,) how many documents each query has.
        queries_per_batch: how many queries a batch has at most. Batches are as even as can
            be: 108 queries make two batches of 54 rather than 64 and 44.
        seed: of the order of the queries, which is drawn anew for every epoch.
        epochs: how many there will be.
    """

    def __init__(
        self, group: np.ndarray, queries_per_batch: int, seed: int, epochs: int = 1
    ) -> None:
        self._group = group
        self._offsets = np.concatenate([[0], np.cumsum(group)])
        self._seed = seed
        self._step = step_between_sizes(epochs)
        self._batches = -(-len(group) // queries_per_batch)
        self.queries_per_batch = -(-len(group) // self._batches)

    def epoch(self, number: int) -> Iterator[BatchPlan]:
        """The batches of an epoch; every query is in exactly one."""
        order = generator(self._seed, Use.ORDER, number).permutation(len(self._group))
        for queries in np.array_split(order, self._batches):
            yield self._plan(queries)

    def _plan(self, queries: np.ndarray) -> BatchPlan:
        sizes = self._group[queries]
        count = int(sizes.sum())
        if self._batches == 1:
            size = aligned(count)
        else:
            size = size_for(count, self._offsets[-1] / self._batches, self._step)
        return filled(self._offsets[queries], sizes, size, self.queries_per_batch)


def filled(starts: np.ndarray, sizes: np.ndarray, size: int, full: int) -> BatchPlan:
    """A batch of queries, filled up.

    Args:
        starts: (queries,) the first row of each.
        sizes: (queries,) how many documents each has.
        size: what to fill up to.
        full: how many queries a full batch has.
    """
    count = int(sizes.sum())
    documents = np.zeros(size, dtype=np.int32)
    place_in_query = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    documents[:count] = np.repeat(starts, sizes) + place_in_query
    query = np.full(size, full, dtype=np.int32)
    query[:count] = np.repeat(np.arange(len(sizes)), sizes)
    return BatchPlan(documents, query, len(sizes))


def step_between_sizes(epochs: int) -> float:
    """Each size of a batch as a multiple of the one before, in so many epochs."""
    return _FINE if epochs >= _LONG else _COARSE


def size_for(count: int, average: float, step: float) -> int:
    """The size to fill one of several batches up to.

    Sizes are the same for all data, so that other folds need no other programs.

    Args:
        count: documents of the batch.
        average: documents that a batch holds on average.
        step: see `step_between_sizes`.
    """
    least = max(count, _SMALLEST * average)
    size = aligned(1)
    while size < least:
        size = max(aligned(size + 1), aligned(int(size * step)))
    return size


def aligned(count: int) -> int:
    """The next multiple of 16: compiled loops over other sizes are up to a third slower."""
    return -(-count // 16) * 16
