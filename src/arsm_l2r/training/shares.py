"""Share the queries of a batch out among several workers."""

import numpy as np

from arsm_l2r.training.batches import BatchPlan, filled, size_for, step_between_sizes


class Shares:
    """Shares out batches, always in the same way.

    Args:
        workers: how many there are.
        batch: how many queries a full batch has.
        average: how many documents a batch has on average.
        epochs: how many there will be.

    Attributes:
        queries: how many queries a full share has.
    """

    def __init__(self, workers: int, batch: int, average: float, epochs: int = 1) -> None:
        self._workers, self._average = workers, average / workers
        self._step = step_between_sizes(epochs)
        self.queries = -(-batch // workers)

    def __call__(self, plan: BatchPlan) -> list[BatchPlan]:
        """The share of each worker: the batch itself, if there is but one.

        No share has more queries than it must, and documents are as even as that allows: the
        longest query first, each goes to the worker with the fewest documents so far. Shares are
        filled up to one of a few sizes, as batches are.
        """
        if self._workers == 1:
            return [plan]
        sizes = np.bincount(plan.query, minlength=plan.queries)[: plan.queries]
        starts = plan.documents[np.cumsum(sizes) - sizes]
        most = -(-plan.queries // self._workers)
        taken: list[list[int]] = [[] for _ in range(self._workers)]
        documents = np.zeros(self._workers, np.int64)
        for query in np.argsort(-sizes, kind="stable"):
            free = [worker for worker in range(self._workers) if len(taken[worker]) < most]
            worker = min(free, key=lambda worker: (documents[worker], worker))
            taken[worker].append(int(query))
            documents[worker] += sizes[query]
        return [self._filled(starts, sizes, sorted(queries)) for queries in taken]

    def _filled(self, starts: np.ndarray, sizes: np.ndarray, queries: list[int]) -> BatchPlan:
        own = np.array(queries, dtype=np.int64)
        size = size_for(int(sizes[own].sum()), self._average, self._step)
        return filled(starts[own], sizes[own], size, self.queries)
