"""Divide queries into batches whose shapes repeat, so that few programs are compiled."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arsm_l2r.training.seeds import Use, generator

_ROOM = 1.07
"""The smallest size of a batch, as a multiple of what it holds on average."""

_STEP = 1.15
"""Each further size, as a multiple of the one before. Two sizes serve nearly all batches."""


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
    """

    def __init__(self, group: np.ndarray, queries_per_batch: int, seed: int) -> None:
        self._group = group
        self._offsets = np.concatenate([[0], np.cumsum(group)])
        self._seed = seed
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
        size = self._size_for(count)
        documents = np.zeros(size, dtype=np.int32)
        place_in_query = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        documents[:count] = np.repeat(self._offsets[queries], sizes) + place_in_query
        query = np.full(size, self.queries_per_batch, dtype=np.int32)
        query[:count] = np.repeat(np.arange(len(queries)), sizes)
        return BatchPlan(documents, query, len(queries))

    def _size_for(self, count: int) -> int:
        """The size to fill a batch of so many documents up to."""
        if self._batches == 1:
            return aligned(count)
        size = aligned(int(self._offsets[-1] / self._batches * _ROOM))
        while size < count:
            size = aligned(int(size * _STEP))
        return size


def aligned(count: int) -> int:
    """The next multiple of 16: compiled loops over other sizes are up to a third slower."""
    return -(-count // 16) * 16
