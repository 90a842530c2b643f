"""The training loop with objectives simple enough to follow by hand."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.checkpoint import load_checkpoint
from arsm_l2r.training.loop import TrainingDivergedError, Validation, train
from arsm_l2r.training.network import by_member, initial_weights, outputs
from arsm_l2r.training.task import TrainingData, TrainingSettings

DRAW = np.random.default_rng(0)
DATA = TrainingData(
    features=DRAW.normal(size=(10, 3)).astype(np.float32),
    labels=np.array([0, 1, 2, 0, 1, 0, 0, 2, 1, 0]),
    group=np.array([3, 2, 4, 1]),
    outputs=2,
)
EVEN = replace(DATA, group=np.full(5, 2))
"""The same documents in queries of one size: batches of one size, compiled once."""

SETTINGS = TrainingSettings(
    hidden=(5,),
    learning_rate=0.01,
    epochs=1,
    queries_per_batch=64,
    seed=0,
    patience=None,
    checkpoint_every=1,
)


def squares(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
    """Half the squared distance of a document's outputs from its label, summed over a query."""
    distance = outputs - tf.cast(batch.labels, tf.float32)[:, None]
    distance = tf.where((batch.query < batch.queries)[:, None], distance, 0)
    return Estimate(distance, batch.per_query(tf.reduce_sum(distance**2 / 2, axis=1)))


def noisy(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
    """The same with noise, so that every draw counts."""
    noise = tf.random.stateless_uniform(outputs.shape, seed, -1, 1, alg="philox")
    estimate = squares(outputs, batch, seed)
    return Estimate(estimate.gradient + noise, estimate.losses)


def scripted(values: list[float]) -> Validation:
    """Validation whose measure says these values, epoch after epoch."""
    remaining: Iterator[float] = iter(values)
    return Validation(DATA.features, lambda outputs: {"measure": next(remaining)}, "measure")


def test_step_is_adams_on_the_chain_rule_divided_by_the_queries() -> None:
    state = train(squares, DATA, SETTINGS)
    first, bias, second, last_bias = initial_weights(3, (5,), 2, seed=0)
    hidden = np.tanh(DATA.features @ first + bias)
    delta = (hidden @ second + last_bias - DATA.labels[:, None]) / len(DATA.group)
    back = (delta @ second.T) * (1 - hidden**2)
    gradients = [DATA.features.T @ back, back.sum(0), hidden.T @ delta, delta.sum(0)]
    for moved, start, gradient in zip(
        state.weights, (first, bias, second, last_bias), gradients, strict=True
    ):
        # Adam's first step.
        expected = start - 0.01 * gradient / (abs(gradient) + 1e-8)
        np.testing.assert_allclose(moved, expected, atol=1e-6)
    (row,) = state.history
    norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients))
    assert row["gradient_norm"] == pytest.approx(norm, rel=1e-5)
    assert row["objective"] == pytest.approx((delta**2).sum() * len(DATA.group) / 2, rel=1e-5)


def test_many_steps_minimise_the_objective() -> None:
    state = train(squares, EVEN, replace(SETTINGS, epochs=300, queries_per_batch=1))
    objective = [row["objective"] for row in state.history]
    assert objective[-1] < 0.1 * objective[0]
    assert [row["epoch"] for row in state.history] == list(range(1, 301))
    assert state.steps == 300 * 5


def test_best_epochs_weights_are_selected_and_the_earliest_of_equals() -> None:
    settings = replace(SETTINGS, epochs=5)
    state = train(squares, DATA, settings, validation=scripted([0.1, 0.3, 0.2, 0.3, 0.1]))
    assert (state.best_epoch, state.best_value, state.epoch) == (2, 0.3, 5)
    until_then = train(squares, DATA, replace(settings, epochs=2))
    for found, expected in zip(state.best_weights, until_then.weights, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert (state.weights[0] != state.best_weights[0]).any()


def test_validation_gets_the_outputs_of_the_epochs_weights() -> None:
    seen = []

    def measure(values: np.ndarray) -> dict[str, float]:
        seen.append(values)
        return {"measure": 0.0}

    state = train(
        squares, DATA, SETTINGS, validation=Validation(DATA.features[:4], measure, "measure")
    )
    np.testing.assert_allclose(seen[0], outputs(DATA.features[:4], state.weights), atol=1e-6)


def test_without_validation_the_last_weights_are_selected() -> None:
    state = train(squares, DATA, replace(SETTINGS, epochs=3, patience=1))
    assert (state.best_epoch, state.epoch) == (3, 3)
    np.testing.assert_array_equal(state.best_weights[0], state.weights[0])


def test_training_stops_when_patience_is_over() -> None:
    settings = replace(SETTINGS, epochs=9, patience=2)
    state = train(squares, DATA, settings, validation=scripted([0.1, 0.3, 0.2, 0.3, 0.9]))
    assert (state.best_epoch, state.epoch, len(state.history)) == (2, 4, 4)


class StopError(Exception):
    """What ends a run early."""


def stopping_at(epoch: int, inner: Callable[[np.ndarray], dict[str, float]]) -> Validation:
    """Validation that ends the run when it is asked for the so-many-th time."""
    calls = []

    def measure(values: np.ndarray) -> dict[str, float]:
        calls.append(None)
        if len(calls) == epoch:
            raise StopError
        return inner(values)

    return Validation(DATA.features, measure, "measure")


def steadiness(values: np.ndarray) -> dict[str, float]:
    return {"measure": float(-abs(values).sum())}


def without_time(history: list[dict[str, float]]) -> list[dict[str, float]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in history]


@pytest.mark.parametrize("options", [{}, {"members": 2, "averaging": 0.9, "weight_decay": 0.1}])
def test_stopped_run_goes_on_as_if_it_had_not_been_stopped(
    tmp_path: Path, options: dict[str, float]
) -> None:
    settings = replace(SETTINGS, epochs=9, queries_per_batch=1, checkpoint_every=3, **options)
    undisturbed = train(
        noisy, EVEN, settings, validation=Validation(DATA.features, steadiness, "measure")
    )
    settings = replace(settings, checkpoint=tmp_path / "state")
    for calls in (5, 3):  # epoch 5, then epoch 3 + 3 = 6
        with pytest.raises(StopError):
            train(noisy, EVEN, settings, validation=stopping_at(calls, steadiness))
        saved = load_checkpoint(tmp_path / "state", "")
        assert saved is not None
        assert saved.epoch == 3
    resumed = train(
        noisy, EVEN, settings, validation=Validation(DATA.features, steadiness, "measure")
    )
    assert without_time(resumed.history) == without_time(undisturbed.history)
    assert all(np.diff([row["seconds"] for row in resumed.history]) > 0)
    for name in ("weights", "average", "second", "best_weights"):
        for found, expected in zip(getattr(resumed, name), getattr(undisturbed, name), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_member_is_trained_as_if_it_were_alone() -> None:
    settings = replace(SETTINGS, epochs=3, queries_per_batch=1)
    alone = train(noisy, EVEN, settings)
    together = train(noisy, EVEN, replace(settings, members=2))
    assert len(together.weights) == 2 * len(alone.weights)
    first, second = by_member(together.weights, 2)
    for found, expected, other in zip(first, alone.weights, second, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
        assert (found != other).any()


def test_the_average_of_the_weights_is_validated_and_selected() -> None:
    decay, epochs = 0.6, 4
    followed = [train(squares, DATA, replace(SETTINGS, epochs=n)).weights for n in (1, 2, 3, 4)]
    expected = followed[0]
    for epoch, weights in enumerate(followed[1:], start=2):
        keep = min(decay, 1 - 1 / epoch)
        expected = [
            keep * old + (1 - keep) * new for old, new in zip(expected, weights, strict=True)
        ]
    seen = []

    def measure(values: np.ndarray) -> dict[str, float]:
        seen.append(values)
        return {"measure": float(len(seen))}

    state = train(
        squares,
        DATA,
        replace(SETTINGS, epochs=epochs, averaging=decay),
        validation=Validation(DATA.features, measure, "measure"),
    )
    for found, average, selected in zip(state.average, expected, state.best_weights, strict=True):
        np.testing.assert_allclose(found, average, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(found, selected)
    np.testing.assert_allclose(seen[-1], outputs(DATA.features, expected), atol=1e-5)


def test_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    settings = replace(SETTINGS, checkpoint=tmp_path / "state")
    first = train(squares, DATA, settings)
    again = train(squares, DATA, settings)
    assert again.history == first.history
    assert again.seconds == first.seconds


def test_loss_that_is_no_number_ends_training_and_names_epoch_and_step(tmp_path: Path) -> None:
    def objective(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
        estimate = squares(outputs, batch, seed)
        # Fine at first; it breaks when training has come some way.
        broken = tf.where(tf.reduce_sum(estimate.losses) < 1e-3, np.nan, 0.0)
        return Estimate(estimate.gradient, estimate.losses + broken)

    settings = replace(SETTINGS, epochs=300, queries_per_batch=1, checkpoint_every=1)
    with pytest.raises(TrainingDivergedError, match=r"epoch \d+, step [1-5]: loss nan") as told:
        train(objective, EVEN, replace(settings, checkpoint=tmp_path / "state"))
    kept = load_checkpoint(tmp_path / "state", "")
    assert kept is not None
    assert f"epoch {kept.epoch + 1}, " in str(told.value)
    assert all(np.isfinite(weight).all() for weight in kept.weights)
    assert "learning rate" in str(told.value)


@pytest.mark.parametrize("validation", [None, Validation(DATA.features, steadiness, "measure")])
def test_weights_that_overflow_end_training_before_they_are_saved(
    tmp_path: Path, validation: Validation | None
) -> None:
    def uphill(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
        return Estimate(-tf.ones_like(outputs), batch.per_query(tf.ones_like(outputs[:, 0])))

    settings = replace(SETTINGS, epochs=9, learning_rate=1.5e38, checkpoint=tmp_path / "state")
    with pytest.raises(TrainingDivergedError, match="epoch 3, step 1"):
        train(uphill, DATA, settings, validation=validation)
    kept = load_checkpoint(tmp_path / "state", "")
    assert kept is not None
    assert kept.epoch == 2
    assert all(np.isfinite(weight).all() for weight in kept.weights)


def test_lack_of_memory_is_told_with_what_to_do() -> None:
    def objective(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
        raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor")

    with pytest.raises(UserError, match=r"4 queries \(16 documents\).*lower queries_per_batch"):
        train(objective, DATA, SETTINGS)
