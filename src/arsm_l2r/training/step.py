"""One step of training: what a worker computes of its queries, and what is done with the sum."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import AdamState, adam_step
from arsm_l2r.training.network import by_member, forward
from arsm_l2r.training.task import Objective

NORM = "gradient_norm"
"""What the norm of a step's gradient is recorded as."""


class Position(NamedTuple):
    """Where training stands: the weights of every member in turn, and Adam's moments."""

    weights: list[tf.Tensor]
    moments: AdamState


Recorded = dict[str, tf.Tensor]
"""What is recorded of a step, by name."""

Moved = tuple[Position, Recorded]
"""A new position, and what is recorded of the steps that led there.

`objective`, the loss, and what the objective notes are sums over the queries of a step.
"""


class StepData(NamedTuple):
    """What all batches of a training are taken from.

    Attributes:
        features: (documents, P) float32.
        labels: (documents,) int32.
        weights: (documents,) float32, what the query of each counts; None: all the same.
    """

    features: tf.Tensor
    labels: tf.Tensor
    weights: tf.Tensor | None


class StepBatch(NamedTuple):
    """What a worker takes of a batch.

    Attributes:
        features: (size, P) float32.
        labels: (size,) int32.
        weights: (size,) float32, see `StepData`.
        query: (size,) the query of each, see `BatchPlan`.
        present: how many queries the batch has, those of other workers included.
        seeds: (members, 2) of the draws.
    """

    features: tf.Tensor
    labels: tf.Tensor
    weights: tf.Tensor | None
    query: tf.Tensor
    present: tf.Tensor
    seeds: tf.Tensor


@dataclass(frozen=True)
class StepKind:
    """All that a compiled step depends on besides the size of a batch and whether it has weights.

    Trainings of one kind share what was compiled, if their objective is `reusable`: one that does
    the same whenever it is called, as a user's function need not. Those on other folds of a data
    set mostly are of one kind.

    Attributes:
        queries: how many a full batch has, or a worker's full share of one.
        longest: at least as many documents as any query has.
    """

    objective: Objective
    inputs: int
    hidden: tuple[int, ...]
    outputs: int
    label_levels: int
    queries: int
    longest: int
    members: int
    learning_rate: float
    weight_decay: float


def whole_step(kind: StepKind) -> Callable[[StepBatch, Position], Moved]:
    """One step, compiled by XLA; once more for every new size of a batch."""

    @tf.function(jit_compile=_compiles(kind), autograph=False)  # type: ignore[untyped-decorator]
    def step(batch: StepBatch, position: Position) -> Moved:
        return _moved(kind, *_gradients(kind, batch, position.weights), position)

    compiled: Callable[..., Moved] = step
    return compiled


class SharedStep:
    """The two halves of a step, each compiled by XLA, between which workers add up.

    Args:
        kind: of the step.
    """

    def __init__(self, kind: StepKind) -> None:
        self._names: list[str] = []

        @tf.function(jit_compile=_compiles(kind), autograph=False)  # type: ignore[untyped-decorator]
        def own(batch: StepBatch, weights: list[tf.Tensor]) -> tf.Tensor:
            gradients, recorded = _gradients(kind, batch, weights)
            self._names = list(recorded)
            sums = [tf.reshape(gradient, [-1]) for gradient in gradients]
            return tf.concat([*sums, tf.stack([*recorded.values()])], axis=0)

        @tf.function(jit_compile=True, autograph=False)  # type: ignore[untyped-decorator]
        def moved(summed: tf.Tensor, position: Position) -> Moved:
            shapes = [weight.shape for weight in position.weights]
            counts = [shape.num_elements() for shape in shapes]
            *parts, sums = tf.split(summed, [*counts, len(self._names)])
            gradients = [tf.reshape(part, shape) for part, shape in zip(parts, shapes, strict=True)]
            recorded = dict(zip(self._names, tf.unstack(sums), strict=True))
            return _moved(kind, gradients, recorded, position)

        self.own: Callable[[StepBatch, list[tf.Tensor]], tf.Tensor] = own
        """A worker's part of the gradient and of what is recorded, as one row of numbers."""
        self.moved: Callable[[tf.Tensor, Position], Moved] = moved
        """The new position, from the sum of these rows."""


def _compiles(kind: StepKind) -> bool:
    # An objective that XLA cannot compile says so.
    return bool(getattr(kind.objective, "compiles", True))


def _gradients(
    kind: StepKind, batch: StepBatch, weights: list[tf.Tensor]
) -> tuple[list[tf.Tensor], Recorded]:
    """The gradient of these queries' part of the mean loss of the batch, and sums to record."""
    judged = Batch(
        batch.labels,
        batch.query,
        kind.queries,
        kind.outputs,
        kind.label_levels,
        longest=kind.longest,
    )
    surrogates, noted = [], []
    with tf.GradientTape() as tape:
        tape.watch(weights)
        for member, own_weights in enumerate(by_member(weights, kind.members)):
            outputs = forward(batch.features, own_weights, tf.tanh)
            own = replace(judged, seed=batch.seeds[member])
            estimate = kind.objective(tf.stop_gradient(outputs), own, batch.seeds[member])
            if batch.weights is not None:
                estimate = _weighted(estimate, judged, batch.weights)
            # Its derivative with respect to the weights is the chain rule's.
            surrogates.append(
                tf.reduce_sum(tf.stop_gradient(estimate.gradient) * outputs) / batch.present
            )
            noted.append({"objective": estimate.losses, **estimate.noted})
    gradients: list[tf.Tensor] = tape.gradient(surrogates, weights)
    recorded = {
        name: tf.add_n([tf.reduce_sum(each[name]) for each in noted]) / kind.members
        for name in noted[0]
    }
    return gradients, recorded


def _moved(
    kind: StepKind, gradients: list[tf.Tensor], recorded: Recorded, position: Position
) -> Moved:
    """Adam's step against the gradient of the whole batch."""
    weights, moments = adam_step(
        position.weights,
        gradients,
        position.moments,
        kind.learning_rate,
        weight_decay=kind.weight_decay,
    )
    return Position(weights, moments), {**recorded, NORM: tf.linalg.global_norm(gradients)}


def _weighted(estimate: Estimate, batch: Batch, weights: tf.Tensor) -> Estimate:
    """An estimate of which each query counts as its documents' weights, which are all the same."""
    sizes = batch.per_query(tf.ones_like(weights))
    of_query = tf.math.divide_no_nan(batch.per_query(weights), sizes)
    return estimate._replace(
        gradient=estimate.gradient * weights[:, None], losses=estimate.losses * of_query
    )
