"""Steps of training, compiled, and run an epoch at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arsm_l2r.compiled import with_programs_on_disk
from arsm_l2r.errors import UserError
from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import AdamState, adam_step
from arsm_l2r.training.batches import BatchPlan
from arsm_l2r.training.network import by_member, forward
from arsm_l2r.training.task import Objective, TrainingData, TrainingSettings


class Position(NamedTuple):
    """Where training stands: the weights of every member in turn, and Adam's moments."""

    weights: list[tf.Tensor]
    moments: AdamState


Moved = tuple[Position, dict[str, tf.Tensor]]
"""A new position, and what is recorded of each step that led there: (steps,) by name.

`objective`, the loss, and what the objective notes are sums over the queries of a step.
"""

NORM = "gradient_norm"
"""What the norm of a step's gradient is recorded as."""


class EpochRunner:
    """Takes the steps of an epoch in one call, with no Python between them.

    A step of some hundred documents takes a few milliseconds. Calling each from Python would
    take half as long again.

    Args:
        objective: what to minimise.
        data: what to train on.
        settings: how to train.
        queries: how many queries a full batch has.
    """

    def __init__(
        self, objective: Objective, data: TrainingData, settings: TrainingSettings, queries: int
    ) -> None:
        kind = StepKind(
            objective,
            data.features.shape,
            tuple(settings.hidden),
            data.outputs,
            int(data.labels.max()) + 1,
            queries,
            settings.members,
            settings.learning_rate,
            settings.weight_decay,
        )
        kept = getattr(objective, "reusable", False)
        self._programs = _programs(kind) if kept else Programs(kind)
        self._data = StepData(
            tf.constant(data.features, tf.float32),
            tf.constant(data.labels, tf.int32),
            None
            if data.weights is None
            else tf.constant(np.repeat(data.weights, data.group), tf.float32),
        )

    def compiles(self, plans: Sequence[BatchPlan]) -> bool:
        """Whether these batches need something that was not compiled in this process yet."""
        return not {len(plan.documents) for plan in plans} <= self._programs.compiled(self._data)

    def __call__(self, plans: Sequence[BatchPlan], seeds: np.ndarray, position: Position) -> Moved:
        """Take a step with each batch in turn.

        Args:
            plans: the batches.
            seeds: (batches, members, 2) int32.
            position: where training stands.
        """
        programs, lengths = self._programs, [len(plan.documents) for plan in plans]
        run = programs.run_for(lengths)
        width = programs.sizes[-1]
        largest = max(plans, key=lambda plan: len(plan.documents))
        try:
            moved = with_programs_on_disk(
                lambda: run(
                    self._data,
                    tf.constant([programs.sizes.index(length) for length in lengths]),
                    tf.constant(_stacked([plan.documents for plan in plans], width)),
                    tf.constant(_stacked([plan.query for plan in plans], width)),
                    tf.constant([plan.queries for plan in plans], tf.float32),
                    tf.constant(seeds),
                    position,
                )
            )
        except tf.errors.ResourceExhaustedError as error:
            raise UserError(
                f"out of memory with {largest.queries} queries ({len(largest.documents)} "
                "documents) in a batch; lower queries_per_batch, or free the GPU from other jobs"
            ) from error
        programs.compiled(self._data).update(lengths)
        return moved


class StepData(NamedTuple):
    """What every step of a training sees.

    Attributes:
        features: (documents, P) float32.
        labels: (documents,) int32.
        weights: (documents,) float32, what the query of each counts; None: all the same.
    """

    features: tf.Tensor
    labels: tf.Tensor
    weights: tf.Tensor | None


@dataclass(frozen=True)
class StepKind:
    """All that a compiled step depends on besides the sizes of batches.

    Trainings of one kind share what was compiled, if their objective is `reusable`: one that does
    the same whenever it is called, as a user's function need not.
    """

    objective: Objective
    shape: tuple[int, ...]
    hidden: tuple[int, ...]
    outputs: int
    label_levels: int
    queries: int
    members: int
    learning_rate: float
    weight_decay: float


class Programs:
    """The compiled steps of one kind, and the functions that take many of them in turn."""

    def __init__(self, kind: StepKind) -> None:
        self._step = _compiled_step(kind)
        self._run: Callable[..., Moved] | None = None
        self._compiled: dict[bool, set[int]] = {False: set(), True: set()}
        self.sizes: list[int] = []

    def compiled(self, data: StepData) -> set[int]:
        """The sizes of batches that steps have been taken with, with weights or without."""
        return self._compiled[data.weights is not None]

    def run_for(self, lengths: Sequence[int]) -> Callable[..., Moved]:
        """A function that takes steps with batches of these and all earlier sizes."""
        if self._run is None or not set(lengths) <= set(self.sizes):
            self.sizes = sorted({*lengths, *self.sizes})
            self._run = _steps_in_turn(self._step, self.sizes)
        return self._run


_programs = lru_cache(maxsize=16)(Programs)
"""The programs of a kind; those of the last kinds are kept."""


def _compiled_step(kind: StepKind) -> Callable[..., Moved]:
    """One step of training, compiled by XLA; once more for every new size of a batch."""
    # An objective that XLA cannot compile says so.
    compiles = getattr(kind.objective, "compiles", True)

    @tf.function(jit_compile=compiles, autograph=False)  # type: ignore[untyped-decorator]
    def step(
        data: StepData,
        documents: tf.Tensor,
        query: tf.Tensor,
        present: tf.Tensor,
        seeds: tf.Tensor,
        position: Position,
    ) -> Moved:
        labels = tf.gather(data.labels, documents)
        batch = Batch(labels, query, kind.queries, kind.outputs, kind.label_levels)
        inputs = tf.gather(data.features, documents)
        surrogates, noted = [], []
        with tf.GradientTape() as tape:
            tape.watch(position.weights)
            for member, weights in enumerate(by_member(position.weights, kind.members)):
                outputs = forward(inputs, weights, tf.tanh)
                own = replace(batch, seed=seeds[member])
                estimate = kind.objective(tf.stop_gradient(outputs), own, seeds[member])
                if data.weights is not None:
                    estimate = _weighted(estimate, batch, tf.gather(data.weights, documents))
                # Its derivative with respect to the weights is the chain rule's.
                surrogates.append(
                    tf.reduce_sum(tf.stop_gradient(estimate.gradient) * outputs) / present
                )
                noted.append({"objective": estimate.losses, **estimate.noted})
        gradients = tape.gradient(surrogates, position.weights)
        moved, moments = adam_step(
            position.weights,
            gradients,
            position.moments,
            kind.learning_rate,
            weight_decay=kind.weight_decay,
        )
        recorded = {
            name: tf.add_n([tf.reduce_sum(each[name]) for each in noted]) / kind.members
            for name in noted[0]
        }
        return Position(moved, moments), {**recorded, NORM: tf.linalg.global_norm(gradients)}

    compiled: Callable[..., Moved] = step
    return compiled


def _weighted(estimate: Estimate, batch: Batch, weights: tf.Tensor) -> Estimate:
    """An estimate of which each query counts as its documents' weights, which are all the same."""
    sizes = batch.per_query(tf.ones_like(weights))
    of_query = tf.math.divide_no_nan(batch.per_query(weights), sizes)
    return estimate._replace(
        gradient=estimate.gradient * weights[:, None], losses=estimate.losses * of_query
    )


def _steps_in_turn(step: Callable[..., Moved], sizes: Sequence[int]) -> Callable[..., Moved]:
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
        names: list[str] = []

        def body(
            number: tf.Tensor, position: Position, records: tf.TensorArray
        ) -> tuple[tf.Tensor, Position, tf.TensorArray]:
            def with_size(size: int) -> Callable[[], Moved]:
                return lambda: step(
                    data,
                    tf.gather(documents, number)[:size],
                    tf.gather(query, number)[:size],
                    present[number],
                    seeds[number],
                    position,
                )

            position, recorded = tf.switch_case(which[number], [*map(with_size, sizes)])
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


def _stacked(rows: Sequence[np.ndarray], width: int) -> np.ndarray:
    """Rows of different lengths as one array, filled with zeros."""
    filled = np.zeros((len(rows), width), np.int32)
    for row, values in zip(filled, rows, strict=True):
        row[: len(values)] = values
    return filled
