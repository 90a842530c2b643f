"""An epoch of the paper's settings on data like MQ2007's, ready to be taken."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from made_up import FEATURES, queries_like_mq2007

HIDDEN, LEVELS = (500,), 20


class Epoch(NamedTuple):
    """What it takes.

    Attributes:
        take: takes steps: from batches, seeds and a position to a new position and what was
            recorded.
        plans: the batches.
        seeds: (batches, 1, 2) of the draws.
        start: where training stands before it.
        documents: how many there are.
    """

    take: Callable[..., Any]
    plans: list[Any]
    seeds: np.ndarray
    start: Any
    documents: int

    def __call__(self) -> Any:
        """The position after all steps, taken in one call."""
        return self.take(self.plans, self.seeds, self.start)[0]


def epoch_like_mq2007(queries: int = 1017, per_batch: int = 16, epochs: int = 2000) -> Epoch:
    """The first of so many epochs of the paper's settings."""
    from arsm_l2r import ARSMRanker
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.adam import initial_state
    from arsm_l2r.training.batches import BatchPlanner
    from arsm_l2r.training.network import initial_weights
    from arsm_l2r.training.step import Position
    from arsm_l2r.training.steps import EpochRunner
    from arsm_l2r.training.task import TrainingData, TrainingSettings

    data = TrainingData(*queries_like_mq2007(queries), LEVELS)
    settings = TrainingSettings(
        hidden=HIDDEN,
        learning_rate=1e-4,
        epochs=epochs,
        queries_per_batch=per_batch,
        seed=0,
        patience=None,
        checkpoint_every=1,
    )
    # Earlier versions had the same batches for any number of epochs.
    knows_epochs = "epochs" in inspect.signature(BatchPlanner).parameters
    planner = BatchPlanner(
        data.group, per_batch, seed=0, **({"epochs": epochs} if knows_epochs else {})
    )
    objective = ARSMRanker.paper(levels=LEVELS)._objective()
    take = EpochRunner(objective, data, settings, planner.queries_per_batch)
    plans = list(planner.epoch(1))
    seeds = np.random.default_rng(0).integers(0, 2**31, (len(plans), 1, 2)).astype(np.int32)
    weights = initial_weights(FEATURES, HIDDEN, LEVELS, seed=0)
    start = Position([tf.constant(weight) for weight in weights], initial_state(weights))
    return Epoch(take, plans, seeds, start, len(data.labels))
