"""The training loop: steps over batches of queries, selection on validation, checkpoints."""

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from arsm_l2r.compiled import with_programs_on_disk
from arsm_l2r.errors import UserError
from arsm_l2r.progress import Progress
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import AdamState, initial_state
from arsm_l2r.training.batches import BatchPlan, BatchPlanner
from arsm_l2r.training.checkpoint import TrainingState, load_checkpoint, save_checkpoint
from arsm_l2r.training.network import ROWS_AT_ONCE, by_member, forward, initial_weights
from arsm_l2r.training.seeds import Use, member_key, stateless_seed
from arsm_l2r.training.step import NORM, Position
from arsm_l2r.training.steps import EpochRunner
from arsm_l2r.training.task import Objective, TrainingData, TrainingSettings
from arsm_l2r.training.together import Leader, follow
from arsm_l2r.training.workers import workers_of

COMPILING = "compiling (once for data and settings of these sizes)"


@dataclass(frozen=True)
class Validation:
    """What decides which epoch's weights are kept.

    Attributes:
        features: (documents, P) features of the validation documents.
        measure: from the networks' outputs for them, (members, documents, outputs), to named
            measures.
        select_on: the measure whose highest value selects the weights.
    """

    features: np.ndarray
    measure: Callable[[np.ndarray], dict[str, float]]
    select_on: str


class TrainingDivergedError(UserError):
    """A loss or gradient is no longer a finite number."""


def train(
    objective: Objective,
    data: TrainingData,
    settings: TrainingSettings,
    *,
    validation: Validation | None = None,
    identity: str = "",
) -> TrainingState:
    """Train a network.

    Args:
        objective: what to minimise.
        data: what to train on.
        settings: how to train; the state is saved to its `checkpoint`, and taken up from there.
        validation: what to select the weights on; without it, the last ones are selected.
        identity: names data and settings; a checkpoint with another is not used.

    Returns:
        The state after the last epoch, with the selected weights and the history. In a process
        that follows another it has the selected weights and the history only.
    """
    workers = workers_of(settings.workers)
    with workers.reached():
        planner = BatchPlanner(
            data.group, settings.queries_per_batch, settings.seed, settings.epochs
        )
        run = EpochRunner(objective, data, settings, planner.queries_per_batch, workers)
        fresh = _fresh_state(data, settings)
        if not workers.leads:
            return follow(
                workers, fresh, lambda epoch, at: _steps(run, planner, epoch, settings, at)
            )
        with Leader(workers, fresh) as leader:
            return _lead(leader, run, planner, fresh, settings, validation, identity)


def _lead(
    leader: Leader,
    run_epoch: EpochRunner,
    planner: BatchPlanner,
    fresh: TrainingState,
    settings: TrainingSettings,
    validation: Validation | None,
    identity: str,
) -> TrainingState:
    """Train, from the checkpoint if there is one; see `train`."""
    checkpoint = Path(settings.checkpoint) if settings.checkpoint else None
    validate = _compiled_validation(validation, settings.members)
    state = (load_checkpoint(checkpoint, identity) if checkpoint else None) or fresh
    moments = AdamState(_tensors(state.first), _tensors(state.second), tf.constant(state.steps))
    position = Position(_tensors(state.weights), moments)

    def remember() -> None:
        state.weights = _arrays(position.weights)
        state.first = _arrays(position.moments.first)
        state.second = _arrays(position.moments.second)
        state.steps = int(position.moments.steps)
        if checkpoint:
            save_checkpoint(checkpoint, state, identity)

    started, seconds_before = time.perf_counter(), state.seconds
    with Progress("Training", settings.epochs, unit="epoch", done=state.epoch) as progress:
        for epoch in range(state.epoch + 1, settings.epochs + 1):
            if _out_of_patience(state, settings):
                break
            plans = list(planner.epoch(epoch))
            compiles = run_epoch.compiles(plans)
            with progress.prepare(COMPILING) if compiles else nullcontext():
                leader.go(epoch, position)
                position, row = _epoch(run_epoch, plans, epoch, settings, position)
            state.average = _moved_average(state.average, position.weights, epoch, settings)
            candidate = _tensors(state.average) or position.weights
            row |= validate(candidate)
            _select(state, epoch, row, candidate, validation)
            state.epoch = epoch
            state.seconds = seconds_before + time.perf_counter() - started
            state.history.append({**row, "seconds": state.seconds})
            if epoch % settings.checkpoint_every == 0:
                remember()
            progress.advance(1, _note(row), timed=not compiles)
    remember()
    leader.over(state)
    return state


def _steps(
    run: EpochRunner,
    planner: BatchPlanner,
    epoch: int,
    settings: TrainingSettings,
    position: Position,
) -> None:
    """Take the steps of an epoch for another process, which looks at what comes out."""
    plans = list(planner.epoch(epoch))
    run(plans, _seeds(plans, epoch, settings), position)


def _seeds(plans: Sequence[BatchPlan], epoch: int, settings: TrainingSettings) -> np.ndarray:
    """(batches, workers, members, 2) seeds of the draws of an epoch."""
    return np.array(
        [
            [
                [
                    stateless_seed(
                        settings.seed, Use.DRAWS, epoch, number, *member_key(member, worker)
                    )
                    for member in range(settings.members)
                ]
                for worker in range(settings.workers)
            ]
            for number in range(len(plans))
        ]
    )


def _epoch(
    run: EpochRunner,
    plans: Sequence[BatchPlan],
    epoch: int,
    settings: TrainingSettings,
    position: Position,
) -> tuple[Position, dict[str, float]]:
    position, recorded = run(plans, _seeds(plans, epoch, settings), position)
    queries = sum(plan.queries for plan in plans)
    by_step = {name: np.array(values, np.float64) for name, values in recorded.items()}
    broken = ~np.isfinite([*by_step.values()]).all(axis=0)
    if broken.any():
        at = int(np.flatnonzero(broken)[0])
        raise TrainingDivergedError(
            f"epoch {epoch}, step {at + 1}: loss {by_step['objective'][at]}, gradient norm "
            f"{by_step[NORM][at]}; a lower learning rate may help. The last checkpoint is kept."
        )
    if not all(np.isfinite(weight).all() for weight in position.weights):
        raise TrainingDivergedError(
            f"epoch {epoch}, step {len(plans)}: weights are no longer finite; a lower learning "
            "rate may help. The last checkpoint is kept."
        )
    norm = float(by_step.pop(NORM).mean())
    means = {name: float(values.sum() / queries) for name, values in by_step.items()}
    row = {"epoch": epoch, **means, NORM: norm}
    return position, row


def _compiled_validation(
    validation: Validation | None, members: int
) -> Callable[[Sequence[tf.Tensor]], dict[str, float]]:
    if validation is None:
        return lambda weights: {}
    # All at once, hidden layers would take several times the memory of the features.
    starts = range(0, len(validation.features), ROWS_AT_ONCE)
    pieces = [
        tf.constant(validation.features[start : start + ROWS_AT_ONCE], tf.float32)
        for start in starts
    ]
    outputs = _outputs_of(members)

    def measured(weights: Sequence[tf.Tensor]) -> dict[str, float]:
        found = [with_programs_on_disk(partial(outputs, piece, weights)) for piece in pieces]
        return validation.measure(np.concatenate([each.numpy() for each in found], axis=1))

    return measured


@cache
def _outputs_of(members: int) -> Callable[..., tf.Tensor]:
    """The outputs of so many networks, compiled once for each shape of features and weights."""

    @tf.function(jit_compile=True, autograph=False)  # type: ignore[untyped-decorator]
    def outputs(features: tf.Tensor, weights: Sequence[tf.Tensor]) -> tf.Tensor:
        return tf.stack([forward(features, each, tf.tanh) for each in by_member(weights, members)])

    compiled: Callable[..., tf.Tensor] = outputs
    return compiled


def _fresh_state(data: TrainingData, settings: TrainingSettings) -> TrainingState:
    weights = [
        weight
        for member in range(settings.members)
        for weight in initial_weights(
            data.features.shape[1], settings.hidden, data.outputs, settings.seed, member
        )
    ]
    moments = initial_state(weights)
    return TrainingState(
        epoch=0,
        weights=weights,
        average=[],
        first=_arrays(moments.first),
        second=_arrays(moments.second),
        steps=0,
        best_weights=weights,
    )


def _moved_average(
    average: Sequence[np.ndarray],
    weights: Sequence[tf.Tensor],
    epoch: int,
    settings: TrainingSettings,
) -> list[np.ndarray]:
    """The moving average after one more epoch; a plain mean until that is the longer memory."""
    if not settings.averaging:
        return []
    keep = np.float32(min(settings.averaging, 1 - 1 / epoch))
    if not average:
        return _arrays(weights)
    return [
        keep * old + (1 - keep) * new for old, new in zip(average, _arrays(weights), strict=True)
    ]


def _select(
    state: TrainingState,
    epoch: int,
    row: dict[str, float],
    weights: list[tf.Tensor],
    validation: Validation | None,
) -> None:
    """Keep the weights if they are the best so far; the earliest of equally good ones."""
    value = row[validation.select_on] if validation else float(epoch)
    if value > state.best_value:
        state.best_value, state.best_epoch = value, epoch
        state.best_weights = _arrays(weights)


def _out_of_patience(state: TrainingState, settings: TrainingSettings) -> bool:
    return settings.patience is not None and state.epoch - state.best_epoch >= settings.patience


def _tensors(arrays: Sequence[np.ndarray]) -> list[tf.Tensor]:
    return [tf.constant(array) for array in arrays]


def _arrays(tensors: Sequence[tf.Tensor]) -> list[np.ndarray]:
    return [tensor.numpy() for tensor in tensors]


def _note(row: dict[str, float]) -> str:
    shown = {"objective": "loss", "ndcg@10": "validation NDCG@10"}
    return ", ".join(f"{name} {row[key]:.4f}" for key, name in shown.items() if key in row)
