"""What is trained: an objective, data, and how to go about it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, TypeVar

import numpy as np
from pydantic import Field

from arsm_l2r.declared import ByRun, settings
from arsm_l2r.settings import LARGEST

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf


class Objective(Protocol):
    """What is minimised: the expected loss of a query, by its gradient."""

    def __call__(self, outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> "Estimate":
        """Gradient of each query's loss with respect to the network's outputs, and the loss."""


AnyObjective = TypeVar("AnyObjective", bound=Objective)


def reusable(objective: AnyObjective) -> AnyObjective:
    """Mark an objective that depends on nothing but its arguments.

    What is compiled for it is used again by the next training in the same process.
    """
    objective.reusable = True  # type: ignore[attr-defined]
    return objective


Hidden = Annotated[
    tuple[Annotated[int, Field(ge=1, le=10_000)], ...],
    Field(
        strict=False,
        max_length=20,
        description="Units of each hidden layer, with tanh between layers.",
    ),
]
LearningRate = Annotated[float, Field(gt=0, description="Learning rate of Adam.")]
Epochs = Annotated[int, Field(ge=1, le=1_000_000, description="Passes over the training queries.")]
QueriesPerBatch = Annotated[
    int, Field(ge=1, le=100_000, description="Most queries in a step of training.")
]
Averaging = Annotated[
    float,
    Field(
        ge=0,
        lt=1,
        description="Decay per epoch of the moving average of the weights that is validated "
        "and selected instead of the weights themselves; 0: none.",
    ),
]


@settings
class TrainingSettings:
    """How a network is trained."""

    hidden: Hidden = (500,)
    learning_rate: LearningRate = 1e-4
    epochs: Epochs = 2000
    queries_per_batch: QueriesPerBatch = 16
    patience: Annotated[
        int | None,
        Field(
            ge=1,
            le=LARGEST,
            description="Epochs without a better validation measure after which to stop; "
            "none: never.",
        ),
    ] = None
    members: Annotated[
        int,
        Field(
            ge=1,
            le=100,
            description="Networks trained together on the same batches, each with its own weights "
            "and draws; their level probabilities are averaged, and one epoch is selected for all.",
        ),
    ] = 1
    workers: Annotated[
        int,
        Field(
            ge=1,
            le=1024,
            description="GPUs, CPU devices or processes that share the queries of every step, each "
            "with draws of its own; results are the same for the same number of them.",
        ),
    ] = 1
    weight_decay: Annotated[
        float,
        Field(ge=0, description="Share of the learning rate by which a step shrinks the weights."),
    ] = 0.0
    averaging: Averaging = 0.0
    seed: Annotated[
        int,
        Field(ge=0, le=LARGEST, description="Seed of weights, order of queries and draws."),
        ByRun(local=False),
    ] = 0
    threads: Annotated[
        int | None,
        Field(
            ge=1,
            le=1024,
            description="Threads to compute with; none: as many as there are cores.",
        ),
        ByRun(),
    ] = None
    checkpoint: Annotated[
        str | Path | None,
        Field(
            description="File from which an interrupted training with the same data and settings "
            "goes on."
        ),
        ByRun(),
    ] = None
    checkpoint_every: Annotated[
        int, Field(ge=1, le=LARGEST, description="Epochs between two checkpoints."), ByRun()
    ] = 25


@dataclass(frozen=True)
class TrainingData:
    """Documents to train on.

    Attributes:
        features: (documents, P).
        labels: (documents,).
        group: (queries,) documents per query.
        outputs: how many numbers the network says about each document.
        weights: (queries,) how much each query counts, 1 on average; None: all the same.
    """

    features: np.ndarray
    labels: np.ndarray
    group: np.ndarray
    outputs: int
    weights: np.ndarray | None = None
