"""What is trained: an objective, data, and how to go about it."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf


class Objective(Protocol):
    """What is minimised: the expected loss of a query, by its gradient."""

    def __call__(self, outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
        """Gradient of each query's loss with respect to the network's outputs, and the loss."""


@dataclass(frozen=True)
class TrainingSettings:
    """How to train; `ARSMRanker` explains each of these."""

    hidden: tuple[int, ...]
    outputs: int
    learning_rate: float
    epochs: int
    queries_per_batch: int
    seed: int
    patience: int | None
    checkpoint_every: int
    members: int = 1
    weight_decay: float = 0.0
    averaging: float = 0.0


@dataclass(frozen=True)
class TrainingData:
    """Documents to train on: (documents, P) features, their labels, documents per query."""

    features: np.ndarray
    labels: np.ndarray
    group: np.ndarray
