"""Steps of training, run an epoch at a time."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from arsm_l2r.compiled import with_programs_on_disk
from arsm_l2r.errors import UserError
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.batches import BatchPlan
from arsm_l2r.training.shares import Shares
from arsm_l2r.training.step import (
    Moved,
    Position,
    SharedStep,
    StepBatch,
    StepData,
    StepKind,
    whole_step,
)
from arsm_l2r.training.task import Objective, TrainingData, TrainingSettings
from arsm_l2r.training.workers import ALONE, Workers


class EpochRunner:
    """Takes the steps of an epoch in one call, with no Python between them.

    A step of some hundred documents takes a few milliseconds. Calling each from Python would
    take half as long again.

    Args:
        objective: what to minimise.
        data: what to train on.
        settings: how to train.
        queries: how many queries a full batch has.
        workers: who takes the steps together.
    """

    def __init__(
        self,
        objective: Objective,
        data: TrainingData,
        settings: TrainingSettings,
        queries: int,
        workers: Workers = ALONE,
    ) -> None:
        batches = -(-len(data.group) // queries)
        average = data.group.sum() / batches
        self._shares = Shares(workers.count, queries, average, settings.epochs)
        kind = StepKind(
            objective,
            data.features.shape[1],
            tuple(settings.hidden),
            data.outputs,
            int(data.labels.max()) + 1,
            self._shares.queries,
            2 ** int(data.group.max()).bit_length() - 1,
            settings.members,
            settings.learning_rate,
            settings.weight_decay,
        )
        kept = getattr(objective, "reusable", False)
        self._programs = (_programs if kept else Programs)(kind, workers)
        self._seeds = (workers.count, settings.members, 2)
        weights = None if data.weights is None else np.repeat(data.weights, data.group)
        self._data = StepData(
            workers.given(lambda: tf.constant(data.features, tf.float32)),
            workers.given(lambda: tf.constant(data.labels, tf.int32)),
            None if weights is None else workers.given(lambda: tf.constant(weights, tf.float32)),
        )

    def compiles(self, plans: Sequence[BatchPlan]) -> bool:
        """Whether these batches need something that was not compiled in this process yet."""
        lengths = {len(share.documents) for plan in plans for share in self._shares(plan)}
        return not lengths <= self._programs.compiled(self._data)

    def __call__(self, plans: Sequence[BatchPlan], seeds: np.ndarray, position: Position) -> Moved:
        """Take a step with each batch in turn.

        Args:
            plans: the batches.
            seeds: (batches, workers, members, 2) int32; one worker needs no axis of its own.
            position: where training stands.
        """
        programs = self._programs
        shares = [self._shares(plan) for plan in plans]
        lengths = [[len(share.documents) for share in each] for each in shares]
        every = {length for each in lengths for length in each}
        run, sizes = programs.run_for(every)
        width = sizes[-1]
        largest = max(plans, key=lambda plan: len(plan.documents))
        try:
            moved = with_programs_on_disk(
                lambda: run(
                    self._data,
                    tf.constant([[sizes.index(n) for n in each] for each in lengths]),
                    tf.constant(_stacked([[s.documents for s in each] for each in shares], width)),
                    tf.constant(_stacked([[s.query for s in each] for each in shares], width)),
                    tf.constant([plan.queries for plan in plans], tf.float32),
                    tf.constant(seeds.reshape(len(plans), *self._seeds)),
                    position,
                )
            )
        except tf.errors.ResourceExhaustedError as error:
            raise UserError(
                f"out of memory with {largest.queries} queries ({len(largest.documents)} "
                "documents) in a batch; lower queries_per_batch, or free the GPU from other jobs"
            ) from error
        programs.compiled(self._data).update(every)
        return moved


class Batches(NamedTuple):
    """The batches of an epoch, as every worker takes its share of them.

    Attributes:
        which: (batches, workers) which of the known sizes a share has.
        documents: (batches, workers, width) of `StepBatch`, filled up with zeros.
        query: (batches, workers, width).
        present: (batches,) queries of each batch.
        seeds: (batches, workers, members, 2).
    """

    which: tf.Tensor
    documents: tf.Tensor
    query: tf.Tensor
    present: tf.Tensor
    seeds: tf.Tensor

    def taken(
        self,
        data: StepData,
        number: tf.Tensor,
        worker: Any,
        sizes: Sequence[int],
        take: Callable[[StepBatch], Any],
    ) -> Any:
        """What comes of taking a worker's share of a batch, at the size that it has."""

        def with_size(size: int) -> Callable[[], Any]:
            def taken() -> Any:
                documents = tf.gather(self.documents[number], worker)[:size]
                return take(
                    StepBatch(
                        tf.gather(data.features, documents),
                        tf.gather(data.labels, documents),
                        None if data.weights is None else tf.gather(data.weights, documents),
                        tf.gather(self.query[number], worker)[:size],
                        self.present[number],
                        self.seeds[number, worker],
                    )
                )

            return taken

        return tf.switch_case(self.which[number, worker], [*map(with_size, sizes)])


_MANY = 16
"""Sizes of batches that one function knows, or a few more."""

Step = Callable[[StepData, Batches, tf.Tensor, Position, Sequence[int]], Moved]
"""Takes the step of the batch of a number, whose shares have some of these sizes."""


class Programs:
    """The compiled steps of one kind, and the functions that take many of them in turn."""

    def __init__(self, kind: StepKind, workers: Workers) -> None:
        self._step = _alone(kind) if workers.count == 1 else _together(kind, workers)
        self._compiled: dict[bool, set[int]] = {False: set(), True: set()}
        self._known: tuple[Callable[..., Moved], list[int]] | None = None

    def compiled(self, data: StepData) -> set[int]:
        """The sizes of batches that steps have been taken with, with weights or without."""
        return self._compiled[data.weights is not None]

    def run_for(self, lengths: set[int]) -> tuple[Callable[..., Moved], list[int]]:
        """A function that takes steps with batches of these sizes, and the sizes that it knows.

        It knows earlier ones, too, unless they have become many. Trainings in other threads may
        ask at the same time.
        """
        known = self._known
        if known is None or not lengths <= set(known[1]):
            earlier = set() if known is None or len(known[1]) > _MANY else set(known[1])
            sizes = sorted(lengths | earlier)
            self._known = known = _steps_in_turn(self._step, sizes), sizes
        return known


_programs = lru_cache(maxsize=16)(Programs)
"""The programs of a kind; those of the last kinds are kept."""


def _alone(kind: StepKind) -> Step:
    whole = whole_step(kind)

    def step(
        data: StepData, batches: Batches, number: tf.Tensor, at: Position, sizes: Sequence[int]
    ) -> Moved:
        moved: Moved = batches.taken(data, number, 0, sizes, lambda batch: whole(batch, at))
        return moved

    return step


def _together(kind: StepKind, workers: Workers) -> Step:
    shared = SharedStep(kind)

    def step(
        data: StepData, batches: Batches, number: tf.Tensor, at: Position, sizes: Sequence[int]
    ) -> Moved:
        def own(worker: Any, data: StepData) -> tf.Tensor:
            return batches.taken(
                data, number, worker, sizes, lambda batch: shared.own(batch, at.weights)
            )

        return shared.moved(workers.summed(own, data), at)

    return step


def _steps_in_turn(step: Step, sizes: Sequence[int]) -> Callable[..., Moved]:
    """A function that takes a step with every batch; it knows batches of these sizes."""

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def run(
        data: StepData,
        which: tf.Tensor,
        documents: tf.Tensor,
        query: tf.Tensor,
        present: tf.Tensor,
        seeds: tf.Tensor,
        position: Position,
    ) -> Moved:
        batches = Batches(which, documents, query, present, seeds)
        names: list[str] = []

        def body(
            number: tf.Tensor, position: Position, records: tf.TensorArray
        ) -> tuple[tf.Tensor, Position, tf.TensorArray]:
            position, recorded = step(data, batches, number, position, sizes)
            names[:] = recorded
            return number + 1, position, records.write(number, tf.stack([*recorded.values()]))

        count = which.shape[0]
        _, position, records = tf.while_loop(
            lambda number, *_: number < count,
            body,
            (tf.constant(0), position, tf.TensorArray(tf.float32, count)),
            parallel_iterations=1,
        )
        columns = tf.unstack(records.stack(), len(names), axis=1)
        return position, dict(zip(names, columns, strict=True))

    traced: Callable[..., Moved] = run
    return traced


def _stacked(rows: Sequence[Sequence[np.ndarray]], width: int) -> np.ndarray:
    """Rows of different lengths, of every worker, as one array, filled with zeros."""
    filled = np.zeros((len(rows), len(rows[0]), width), np.int32)
    for batch, shares in zip(filled, rows, strict=True):
        for row, values in zip(batch, shares, strict=True):
            row[: len(values)] = values
    return filled
