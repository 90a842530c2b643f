"""ARSMRanker: train a ranker on any loss of levels against labels, gradient or none."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from arsm_l2r import __version__
from arsm_l2r.errors import UserError
from arsm_l2r.metrics import CONVENTIONS, CUTOFFS, Judgements, evaluate, means
from arsm_l2r.model_file import read_model, write_model
from arsm_l2r.queries import checked_features, checked_queries
from arsm_l2r.scoring import check_scoring, scores
from arsm_l2r.training.network import Weights, outputs

if TYPE_CHECKING:
    from arsm_l2r.losses import Batch, Loss
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.loop import TrainingData

_KIND = "arsm-ranker"

SELECTION_MEASURES = (*(f"ndcg@{cutoff}" for cutoff in CUTOFFS), "map", "mean")
"""What weights can be selected on."""

EvalSet = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Features, labels and documents per query of validation data."""


class ARSMRanker(BaseEstimator):  # type: ignore[misc]
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
        feature_scaling: `none`, or `standard`: to mean 0 and variance 1 over the training set.
        scoring: how level probabilities become a score (`arsm_l2r.scoring.SCORINGS`).
        patience: stop after so many epochs without a better validation measure; None: never.
        seed: of weights, order of queries and draws.
        threads: threads to compute with; None leaves that to TensorFlow.
        checkpoint: file from which an interrupted `fit` with the same data and settings goes on.
        checkpoint_every: epochs between two checkpoints.

    Attributes:
        history_: one row per epoch: objective, gradient norm, validation measures.
        selected_epoch_: the epoch whose weights were kept.
        device_: what it was trained on.
        seconds_: time spent in training.
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
        queries_per_batch: int = 64,
        select_on: str = "ndcg@10",
        feature_scaling: str = "none",
        scoring: str = "linear",
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
        self.patience = patience
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
        eval_set: EvalSet | None = None,
    ) -> Self:
        """Train.

        Args:
            X: (documents, P) features, documents of one query together.
            y: (documents,) labels, whole numbers from 0.
            group: (queries,) how many documents each query has.
            qid: (documents,) each document's query, instead of `group`.
            eval_set: X, y and group of validation data; without it the last weights are kept.
        """
        # TensorFlow takes seconds to import; only training needs it.
        from arsm_l2r.estimators import Estimate, estimator_by_name
        from arsm_l2r.losses import CallableLoss, Loss, loss_by_name
        from arsm_l2r.training.device import prepare_device
        from arsm_l2r.training.loop import TrainingData, TrainingSettings, Validation, train

        self._check_settings()
        features, judgements = checked_queries(X, y, group, qid=qid)
        if not (judgements.labels > 0).any():
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        loss: Loss
        if isinstance(self.loss, str):
            loss = loss_by_name(self.loss)
        else:
            loss = self.loss if isinstance(self.loss, Loss) else CallableLoss(self.loss)
        estimator = estimator_by_name(self.estimator)
        self._scaling = _fitted_scaling(features, self.feature_scaling)
        data = TrainingData(self._scaled(features), judgements.labels, judgements.group)
        validation = None
        if eval_set is not None:
            vali_features, vali = checked_queries(*eval_set, columns=features.shape[1])
            validation = Validation(
                self._scaled(vali_features), self._measure(vali), self.select_on
            )

        def objective(outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> Estimate:
            return estimator(outputs, loss, batch, seed, samples=self.samples)

        self.device_ = prepare_device(self.threads)
        state = train(
            objective,
            data,
            TrainingSettings(
                hidden=tuple(self.hidden),
                outputs=self.levels,
                learning_rate=self.learning_rate,
                epochs=self.epochs,
                queries_per_batch=self.queries_per_batch,
                seed=self.seed,
                patience=self.patience,
                checkpoint_every=self.checkpoint_every,
            ),
            validation=validation,
            checkpoint=Path(self.checkpoint) if self.checkpoint else None,
            identity=self._identity(data, validation.features if validation else None),
        )
        self._weights: Weights = state.best_weights
        self.history_ = pl.DataFrame(state.history)
        self.selected_epoch_ = state.best_epoch
        self.epochs_done_ = state.epoch
        self.seconds_ = state.seconds
        self.n_features_in_ = features.shape[1]
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """Score documents; higher is better. Needs no TensorFlow.

        Args:
            X: (documents, P) features.

        Returns:
            (documents,) float64 scores.
        """
        return scores(self.predict_logits(X), self.scoring)

    def predict_logits(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """The logits φ of the levels, (documents, C)."""
        if not hasattr(self, "_weights"):
            raise NotFittedError("this ARSMRanker has not been trained; call fit first, or load")
        features = checked_features(X, self.n_features_in_)
        return outputs(self._scaled(features), self._weights)

    def save(self, path: str | Path) -> None:
        """Save the trained ranker as one file of arrays and JSON."""
        if not hasattr(self, "_weights"):
            raise NotFittedError("this ARSMRanker has not been trained; there is nothing to save")
        arrays = {f"weight{number}": array for number, array in enumerate(self._weights)}
        arrays |= {"shift": self._scaling[0], "scale": self._scaling[1]}
        note = {
            "version": __version__,
            "settings": self._portable_settings(),
            "selected_epoch": self.selected_epoch_,
            "epochs": self.epochs_done_,
            "device": self.device_,
            "seconds": self.seconds_,
        }
        write_model(Path(path), _KIND, note, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a saved ranker. It can predict; `history_` stays with the one that trained.

        Only arrays and JSON are read: a file from a stranger cannot run code.
        """
        note, arrays = read_model(Path(path), _KIND)
        try:
            settings = note["settings"]
            ranker = cls(**{**settings, "hidden": tuple(settings["hidden"])})
            check_scoring(ranker.scoring)
            layers = len(ranker.hidden) + 1
            ranker._weights = [arrays[f"weight{number}"] for number in range(2 * layers)]
            ranker._scaling = (arrays["shift"], arrays["scale"])
            ranker.n_features_in_ = ranker._weights[0].shape[0]
            ranker.selected_epoch_ = note["selected_epoch"]
            ranker.epochs_done_ = note["epochs"]
            ranker.device_, ranker.seconds_ = note["device"], note["seconds"]
        except (KeyError, TypeError, IndexError) as error:
            raise UserError(f"{path}: not a model that this version can read: {error}") from error
        return ranker

    def report(self) -> dict[str, Any]:
        """What a run records about its training."""
        return {
            "selected_epoch": self.selected_epoch_,
            "epochs": self.epochs_done_,
            "seconds": round(self.seconds_, 2),
            "device": self.device_,
        }

    def _check_settings(self) -> None:
        """Refuse settings that cannot be trained with, naming each."""
        for name in ("samples", "epochs", "queries_per_batch", "checkpoint_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.levels < 2:
            raise ValueError(f"levels must be at least 2, not {self.levels}")
        if not self.learning_rate > 0:
            raise ValueError(f"learning_rate must be positive, not {self.learning_rate}")
        if any(units < 1 for units in self.hidden):
            raise ValueError(f"hidden must be layer sizes from 1, not {self.hidden}")
        if self.patience is not None and self.patience < 1:
            raise ValueError(f"patience must be at least 1 or None, not {self.patience}")
        if self.select_on not in SELECTION_MEASURES:
            raise ValueError(
                f"select_on must be one of {', '.join(SELECTION_MEASURES)}, not {self.select_on!r}"
            )
        check_scoring(self.scoring)

    def _measure(self, judgements: Judgements) -> Callable[[np.ndarray], dict[str, float]]:
        def measure(logits: np.ndarray) -> dict[str, float]:
            found = means(evaluate(scores(logits, self.scoring), judgements, CONVENTIONS["letor"]))
            return found | {"mean": float(np.mean(list(found.values())))}

        return measure

    def _scaled(self, features: np.ndarray) -> np.ndarray:
        shift, scale = self._scaling
        return np.asarray((features - shift) * scale)

    def _portable_settings(self) -> dict[str, Any]:
        """The settings that make the result, in JSON's types; not where or how fast it was made."""
        settings: dict[str, Any] = self.get_params()
        for local in ("threads", "checkpoint", "checkpoint_every"):
            del settings[local]
        settings["hidden"] = list(self.hidden)
        if not isinstance(self.loss, str):
            settings["loss"] = (
                f"own: {getattr(self.loss, '__qualname__', type(self.loss).__name__)}"
            )
        return settings

    def _identity(self, data: "TrainingData", vali_features: np.ndarray | None) -> str:
        """Names the data and settings that a checkpoint belongs to."""
        digest = hashlib.sha256(json.dumps(self._portable_settings(), sort_keys=True).encode())
        for array in (data.features, data.labels, data.group, vali_features):
            digest.update(b"none" if array is None else np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def _fitted_scaling(features: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """What to subtract from features, and what to multiply the difference by."""
    columns = features.shape[1]
    if kind == "none":
        return np.zeros(columns, np.float32), np.ones(columns, np.float32)
    if kind == "standard":
        mean, deviation = features.mean(axis=0), features.std(axis=0)
        constant = deviation == 0
        return mean, (~constant / np.where(constant, 1.0, deviation)).astype(np.float32)
    raise ValueError(f"feature_scaling must be none or standard, not {kind!r}")
