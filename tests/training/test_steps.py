"""Steps taken an epoch at a time against the same steps taken one by one."""

import numpy as np
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import AdamState
from arsm_l2r.training.batches import BatchPlan, BatchPlanner
from arsm_l2r.training.network import initial_weights
from arsm_l2r.training.step import Position, StepKind
from arsm_l2r.training.steps import EpochRunner, Programs
from arsm_l2r.training.task import TrainingData, TrainingSettings
from arsm_l2r.training.workers import ALONE

DRAW = np.random.default_rng(3)
GROUP = np.array([3, 40, 2, 60, 4, 1, 90, 5])
DATA = TrainingData(
    features=DRAW.normal(size=(GROUP.sum(), 4)).astype(np.float32),
    labels=DRAW.integers(0, 3, GROUP.sum()),
    group=GROUP,
    outputs=5,
)
SETTINGS = TrainingSettings(
    hidden=(6,),
    learning_rate=0.01,
    epochs=1,
    queries_per_batch=2,
    seed=0,
    patience=None,
    checkpoint_every=1,
)


def drawn(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
    """Noise: every seed and every document counts."""
    noise = tf.random.stateless_uniform(outputs.shape, seed, -1, 1, alg="philox")
    noise = tf.where((batch.query < batch.queries)[:, None], noise * outputs, 0)
    losses = batch.per_query(tf.reduce_sum(noise, axis=1))
    return Estimate(noise, losses, {"twice": 2 * losses})


def start() -> Position:
    weights = [tf.constant(weight) for weight in initial_weights(4, (6,), 5, seed=0)]
    zeros = [tf.zeros_like(weight) for weight in weights]
    return Position(weights, AdamState(zeros, list(zeros), tf.constant(0)))


def plans_and_seeds(epoch: int) -> tuple[list[BatchPlan], np.ndarray]:
    plans = list(BatchPlanner(GROUP, 2, seed=0).epoch(epoch))
    return plans, DRAW.integers(0, 1000, (len(plans), 1, 2)).astype(np.int32)


def test_an_epoch_in_one_call_is_its_steps_one_by_one() -> None:
    run = EpochRunner(drawn, DATA, SETTINGS, queries=2)
    left, right = start(), start()
    seen = set()
    for epoch in (1, 2, 3):
        plans, seeds = plans_and_seeds(epoch)
        seen |= {len(plan.documents) for plan in plans}
        left, recorded = run(plans, seeds, left)
        assert set(recorded) == {"objective", "twice", "gradient_norm"}
        np.testing.assert_array_equal(recorded["twice"], 2 * recorded["objective"])
        for number, plan in enumerate(plans):
            right, alone = run([plan], seeds[number : number + 1], right)
            for name, values in recorded.items():
                assert values[number] == alone[name][0], name
        for found, expected in zip(tf.nest.flatten(left), tf.nest.flatten(right), strict=True):
            np.testing.assert_array_equal(found, expected)
    assert len(seen) > 2, "batches of several sizes were meant"
    assert left.moments.steps == 12


def test_what_knows_many_sizes_begins_anew() -> None:
    kind = StepKind(drawn, 4, (6,), 5, 3, 2, 127, 1, 0.01, 0.0)
    programs = Programs(kind, ALONE)
    run, sizes = programs.run_for({16})
    assert programs.run_for({16})[0] is run
    for size in range(32, 400, 16):
        run, sizes = programs.run_for({16, size})
        assert {16, size} <= set(sizes)
        assert len(sizes) <= 18
    assert sizes == sorted(sizes)
    assert programs.run_for({sizes[-1]}) == (run, sizes)


def test_out_of_memory_says_with_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*arguments: object) -> None:
        raise tf.errors.ResourceExhaustedError(None, None, "no room")

    monkeypatch.setattr("arsm_l2r.training.steps._steps_in_turn", lambda *_: too_much)
    runner = EpochRunner(drawn, DATA, SETTINGS, queries=3)
    plans, seeds = plans_and_seeds(1)
    largest = max(len(plan.documents) for plan in plans)
    with pytest.raises(UserError, match=rf"with 2 queries \({largest} documents\) in a batch"):
        runner(plans, seeds, start())
