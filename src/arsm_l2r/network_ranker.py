"""What rankers share whose scores come from a neural network: training, saving, predicting."""

import hashlib
import json
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from arsm_l2r import __version__
from arsm_l2r.errors import UserError
from arsm_l2r.model_file import read_model, write_model
from arsm_l2r.queries import checked_features, checked_queries
from arsm_l2r.selection import check_selection, selection_measures
from arsm_l2r.training.network import Weights, outputs

if TYPE_CHECKING:
    from arsm_l2r.training.loop import Objective

EvalSet = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Features, labels and documents per query of validation data."""


class NetworkRanker(BaseEstimator):  # type: ignore[misc]
    """A ranker that trains a multi-layer perceptron; a subclass says on what.

    Attributes:
        history_: one row per epoch: objective, gradient norm, validation measures.
        selected_epoch_: the epoch whose weights were kept.
        epochs_done_: the epochs that training took.
        device_: what it was trained on.
        seconds_: time spent in training.
    """

    hidden: tuple[int, ...]
    learning_rate: float
    epochs: int
    queries_per_batch: int
    select_on: str
    feature_scaling: str
    patience: int | None
    seed: int
    threads: int | None
    checkpoint: str | Path | None
    checkpoint_every: int

    history_: pl.DataFrame
    selected_epoch_: int
    epochs_done_: int
    device_: str
    seconds_: float
    n_features_in_: int
    _weights: Weights
    _scaling: tuple[np.ndarray, np.ndarray]

    @property
    @abstractmethod
    def _outputs(self) -> int:
        """How many outputs the network has."""

    @abstractmethod
    def _objective(self) -> "Objective":
        """What training minimises."""

    @abstractmethod
    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        """Scores of documents from the network's outputs for them."""

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
        from arsm_l2r.training.device import prepare_device
        from arsm_l2r.training.loop import TrainingData, TrainingSettings, Validation, train

        self._check_settings()
        features, judgements = checked_queries(X, y, group, qid=qid)
        if not (judgements.labels > 0).any():
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        # Kept once training has ended: a failed fit leaves an earlier one as it was.
        scaling = _fitted_scaling(features, self.feature_scaling)
        data = TrainingData(_scaled(features, scaling), judgements.labels, judgements.group)
        arrays = [data.features, data.labels, data.group]
        validation = None
        if eval_set is not None:
            vali_features, vali = checked_queries(*eval_set, columns=features.shape[1])
            validation = Validation(
                _scaled(vali_features, scaling),
                lambda outputs: selection_measures(self._scores(outputs), vali),
                self.select_on,
            )
            arrays += [validation.features, vali.labels, vali.group]
        self.device_ = prepare_device(self.threads)
        state = train(
            self._objective(),
            data,
            TrainingSettings(
                hidden=tuple(self.hidden),
                outputs=self._outputs,
                learning_rate=self.learning_rate,
                epochs=self.epochs,
                queries_per_batch=self.queries_per_batch,
                seed=self.seed,
                patience=self.patience,
                checkpoint_every=self.checkpoint_every,
            ),
            validation=validation,
            checkpoint=Path(self.checkpoint) if self.checkpoint else None,
            identity=self._identity(arrays),
        )
        self._scaling = scaling
        self._weights = state.best_weights
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
        return self._scores(self._network_outputs(X))

    def _network_outputs(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        self._require_fitted()
        features = checked_features(X, self.n_features_in_)
        return outputs(_scaled(features, self._scaling), self._weights)

    def _require_fitted(self) -> None:
        if not hasattr(self, "_weights"):
            name = type(self).__name__
            raise NotFittedError(f"this {name} has not been trained; call fit first, or load")

    def save(self, path: str | Path) -> None:
        """Save the trained ranker as one file of arrays and JSON."""
        self._require_fitted()
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
        write_model(Path(path), type(self).__name__, note, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a saved ranker. It can predict; `history_` stays with the one that trained.

        Only arrays and JSON are read: a file from a stranger cannot run code.
        """
        note, arrays = read_model(Path(path), cls.__name__)
        try:
            settings = note["settings"]
            ranker = cls(**{**settings, "hidden": tuple(settings["hidden"])})
            ranker._check_settings()
            layers = len(ranker.hidden) + 1
            ranker._weights = [arrays[f"weight{number}"] for number in range(2 * layers)]
            ranker._scaling = (arrays["shift"], arrays["scale"])
            ranker.n_features_in_ = ranker._weights[0].shape[0]
            ranker.selected_epoch_ = note["selected_epoch"]
            ranker.epochs_done_ = note["epochs"]
            ranker.device_, ranker.seconds_ = note["device"], note["seconds"]
        except (KeyError, TypeError, ValueError, IndexError) as error:
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
        for name in ("epochs", "queries_per_batch", "checkpoint_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.learning_rate > 0:
            raise ValueError(f"learning_rate must be positive, not {self.learning_rate}")
        if any(units < 1 for units in self.hidden):
            raise ValueError(f"hidden must be layer sizes from 1, not {self.hidden}")
        if self.patience is not None and self.patience < 1:
            raise ValueError(f"patience must be at least 1 or None, not {self.patience}")
        check_selection(self.select_on)

    def _portable_settings(self) -> dict[str, Any]:
        """The settings that make the result, in JSON's types; not where or how fast it was made."""
        settings: dict[str, Any] = self.get_params()
        for local in ("threads", "checkpoint", "checkpoint_every"):
            del settings[local]
        settings["hidden"] = list(self.hidden)
        return settings

    def _identity(self, arrays: list[np.ndarray]) -> str:
        """Names the data and settings that a checkpoint belongs to."""
        settings = {"version": __version__, **self._portable_settings()}
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        for array in arrays:
            digest.update(str(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def _fitted_scaling(features: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """What to subtract from features, and what to multiply the difference by."""
    columns = features.shape[1]
    if kind == "none":
        return np.zeros(columns, np.float32), np.ones(columns, np.float32)
    if kind == "standard":
        # Sums of many single-precision numbers lose digits, and make constants look variable.
        mean = features.mean(axis=0, dtype=np.float64)
        deviation = features.std(axis=0, dtype=np.float64)
        constant = features.min(axis=0) == features.max(axis=0)
        scale = ~constant / np.where(constant, 1.0, deviation)
        return mean.astype(np.float32), scale.astype(np.float32)
    raise ValueError(f"feature_scaling must be none or standard, not {kind!r}")


def _scaled(features: np.ndarray, scaling: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    shift, scale = scaling
    return np.asarray((features - shift) * scale)
