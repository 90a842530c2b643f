"""Steps of training, compiled, and run an epoch at a time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arsm_l2r.errors import UserError
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
        self._step = _compiled_step(objective, data, settings, queries)
        self._sizes: list[int] = []
        self._run: Callable[..., Moved] | None = None

    def __call__(self, plans: Sequence[BatchPlan], seeds: np.ndarray, position: Position) -> Moved:
        """Take a step with each batch in turn.

        Args:
            plans: the batches.
            seeds: (batches, members, 2) int32.
            position: where training stands.
        """
        sizes = {len(plan.documents) for plan in plans}
        if self._run is None or not sizes <= set(self._sizes):
            self._sizes = sorted(sizes | set(self._sizes))
            self._run = _steps_in_turn(self._step, self._sizes)
        largest = max(plans, key=lambda plan: len(plan.documents))
        try:
            return self._run(
                tf.constant([self._sizes.index(len(plan.documents)) for plan in plans]),
                tf.constant(_stacked([plan.documents for plan in plans], self._sizes[-1])),
                tf.constant(_stacked([plan.query for plan in plans], self._sizes[-1])),
                tf.constant([plan.queries for plan in plans], tf.float32),
                tf.constant(seeds),
                position,
            )
        except tf.errors.ResourceExhaustedError as error:
            raise UserError(
                f"out of memory with {largest.queries} queries ({len(largest.documents)} "
                "documents) in a batch; lower queries_per_batch, or free the GPU from other jobs"
            ) from error


def _compiled_step(
    objective: Objective, data: TrainingData, settings: TrainingSettings, queries: int
) -> Callable[..., Moved]:
    """One step of training, compiled by XLA; once more for every new size of a batch."""
    features = tf.constant(data.features, tf.float32)
    labels = tf.constant(data.labels, tf.int32)
    label_levels = int(data.labels.max()) + 1

    # An objective that XLA cannot compile says so.
    compiles = getattr(objective, "compiles", True)

    @tf.function(jit_compile=compiles, autograph=False)  # type: ignore[untyped-decorator]
    def step(
        documents: tf.Tensor,
        query: tf.Tensor,
        present: tf.Tensor,
        seeds: tf.Tensor,
        position: Position,
    ) -> Moved:
        batch = Batch(tf.gather(labels, documents), query, queries, data.outputs, label_levels)
        inputs = tf.gather(features, documents)
        surrogates, noted = [], []
        with tf.GradientTape() as tape:
            tape.watch(position.weights)
            for member, weights in enumerate(by_member(position.weights, settings.members)):
                outputs = forward(inputs, weights, tf.tanh)
                own = replace(batch, seed=seeds[member])
                estimate = objective(tf.stop_gradient(outputs), own, seeds[member])
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
            settings.learning_rate,
            weight_decay=settings.weight_decay,
        )
        recorded = {
            name: tf.add_n([tf.reduce_sum(each[name]) for each in noted]) / settings.members
            for name in noted[0]
        }
        return Position(moved, moments), {**recorded, NORM: tf.linalg.global_norm(gradients)}

    compiled: Callable[..., Moved] = step
    return compiled


def _steps_in_turn(step: Callable[..., Moved], sizes: Sequence[int]) -> Callable[..., Moved]:
    """A function that takes a step with every batch; it knows batches of these sizes."""

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def run(
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
