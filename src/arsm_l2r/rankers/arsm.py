"""ARSMRanker: train a ranker on any loss of levels against labels, gradient or none."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
from numpy.typing import ArrayLike

from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.scoring import check_scoring, mixture, scores

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.losses import Batch, Loss
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.task import Objective


class ARSMRanker(NetworkRanker):
    """A ranker whose documents take one of C relevance levels at random (the paper's section 2).

    The defaults are the paper's settings, or, where the paper is silent, this reproduction's.

    Args:
        levels: C, the number of levels.
        hidden: units of each hidden layer; tanh between layers.
        loss: name of a loss (`arsm_l2r.losses.LOSSES`, `ndcg@K`), a `Loss`, or a function of
            TensorFlow operations from levels (assignments, documents) and a `Batch` to
            (assignments, queries) losses.
        estimator: name of a gradient estimator (`arsm_l2r.estimators.ESTIMATORS`).
        samples: draws that the estimator averages over.
        learning_rate: of Adam.
        epochs: passes over the training queries.
        queries_per_batch: queries per step.
        select_on: validation measure whose best epoch's weights are kept (LETOR convention):
            `ndcg@1`, `ndcg@3`, `ndcg@5`, `ndcg@10`, `map`, or `mean`, their mean.
        feature_scaling: `none`, `standard`: to mean 0 and variance 1 over the training set, or
            `quantile`: by rank among the training set's values, from -1 to 1.
        scoring: how level probabilities become a score (`arsm_l2r.rankers.scoring.SCORINGS`).
        members: networks trained together on the same batches, each with its own weights and
            draws; their level probabilities are averaged, and one epoch is selected for all.
        weight_decay: share of the learning rate by which a step shrinks the weights.
        averaging: decay per epoch of the moving average of the weights that is validated and
            selected instead of the weights themselves; 0: none.
        patience: stop after so many epochs without a better validation measure; None: never.
        seed: of weights, order of queries and draws.
        threads: threads to compute with; None leaves that to TensorFlow.
        checkpoint: file from which an interrupted `fit` with the same data and settings goes on.
        checkpoint_every: epochs between two checkpoints.
    """

    def __init__(
        self,
        *,
        levels: int = 20,
        hidden: tuple[int, ...] = (500,),
        loss: "str | Loss | Callable[[tf.Tensor, Batch], tf.Tensor]" = "ndcg@10",
        estimator: str = "arsm",
        samples: int = 1,
        learning_rate: float = 1e-4,
        epochs: int = 2000,
        queries_per_batch: int = 16,
        select_on: str = "mean",
        feature_scaling: str = "none",
        scoring: str = "linear",
        members: int = 1,
        weight_decay: float = 0.0,
        averaging: float = 0.0,
        patience: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        checkpoint: str | Path | None = None,
        checkpoint_every: int = 25,
    ) -> None:
        self.levels = levels
        self.hidden = hidden
        self.loss = loss
        self.estimator = estimator
        self.samples = samples
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.queries_per_batch = queries_per_batch
        self.select_on = select_on
        self.feature_scaling = feature_scaling
        self.scoring = scoring
        self.members = members
        self.weight_decay = weight_decay
        self.averaging = averaging
        self.patience = patience
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every

    def predict_logits(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """The logits φ of the levels, (documents, C); of several members' mean probabilities."""
        return mixture(self._network_outputs(self._checked(X)))

    @property
    def _outputs(self) -> int:
        return self.levels

    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        return scores(mixture(outputs), self.scoring)

    def _objective(self) -> "Objective":
        from arsm_l2r.estimators import estimator_by_name
        from arsm_l2r.losses import CallableLoss, Loss, loss_by_name

        loss: Loss
        if isinstance(self.loss, str):
            loss = loss_by_name(self.loss)
        else:
            loss = self.loss if isinstance(self.loss, Loss) else CallableLoss(self.loss)
        estimator = estimator_by_name(self.estimator)

        def objective(outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> "Estimate":
            return estimator(outputs, loss, batch, seed, samples=self.samples)

        return objective

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.samples < 1:
            raise ValueError(f"samples must be at least 1, not {self.samples}")
        if self.levels < 2:
            raise ValueError(f"levels must be at least 2, not {self.levels}")
        check_scoring(self.scoring)

    def _portable_settings(self) -> dict[str, Any]:
        settings = super()._portable_settings()
        if not isinstance(self.loss, str):
            settings["loss"] = f"own: {_description(self.loss)}"
        return settings


def _description(loss: Any) -> str:
    """The name of a user's loss, with a hash that tells it from others of the same name."""
    code = getattr(loss, "__code__", None)
    content = (code.co_code, code.co_consts, code.co_names) if code else vars(loss)
    name = getattr(loss, "__qualname__", type(loss).__name__)
    return f"{name} {joblib.hash(content)[:12]}"
