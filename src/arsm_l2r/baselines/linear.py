"""What rankers share whose score is a weighted sum of the features."""

import time
from abc import abstractmethod
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from arsm_l2r.metrics import Judgements
from arsm_l2r.model_file import read_model, write_model
from arsm_l2r.queries import checked_features, checked_queries
from arsm_l2r.selection import check_selection

EvalSet = tuple[ArrayLike, ArrayLike, ArrayLike]


class LinearRanker(BaseEstimator):  # type: ignore[misc]
    """A ranker with one weight per feature, selected on validation data.

    Attributes:
        weights_: (P,) the weights.
        history_: one row per candidate model, with its validation measures.
        selected_: what distinguishes the selected model.
    """

    select_on: str

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
        eval_set: EvalSet | None = None,
    ) -> Self:
        """Learn the weights.

        Args:
            X: (documents, P) features, documents of one query together.
            y: (documents,) labels, whole numbers from 0.
            group: (queries,) how many documents each query has.
            qid: (documents,) each document's query, instead of `group`.
            eval_set: X, y and group of validation data, to select on; the training data if
                not given.
        """
        check_selection(self.select_on)
        features, judgements = checked_queries(X, y, group, qid=qid)
        if not (judgements.labels > 0).any():
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        vali = (features, judgements)
        if eval_set is not None:
            vali = checked_queries(*eval_set, columns=features.shape[1])
        started = time.perf_counter()
        self._learn(features.astype(np.float64), judgements, vali[0].astype(np.float64), vali[1])
        self.seconds_ = time.perf_counter() - started
        self.n_features_in_ = features.shape[1]
        return self

    @abstractmethod
    def _learn(
        self,
        features: np.ndarray,
        judgements: Judgements,
        vali_features: np.ndarray,
        vali: Judgements,
    ) -> None:
        """Set `weights_`, `history_`, `selected_`, `selected_epoch_` and `epochs_done_`."""

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """Score documents; higher is better."""
        if not hasattr(self, "weights_"):
            raise NotFittedError(f"this {type(self).__name__} has not been trained")
        features = checked_features(X, self.n_features_in_)
        return np.asarray(features.astype(np.float64) @ self.weights_)

    def save(self, path: str | Path) -> None:
        """Save the trained ranker as one file of arrays and JSON."""
        if not hasattr(self, "weights_"):
            raise NotFittedError(f"this {type(self).__name__} has not been trained")
        write_model(
            Path(path), type(self).__name__, {"report": self.report()}, {"weights": self.weights_}
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a saved ranker, which can predict."""
        _, arrays = read_model(Path(path), cls.__name__)
        ranker = cls()
        ranker.weights_ = arrays["weights"]
        ranker.n_features_in_ = len(ranker.weights_)
        return ranker

    def report(self) -> dict[str, Any]:
        """What a run records about its training."""
        return {
            "selected_epoch": self.selected_epoch_,
            "epochs": self.epochs_done_,
            "seconds": round(self.seconds_, 2),
            "device": "cpu",
            "selected": self.selected_,
        }

    weights_: np.ndarray
    history_: pl.DataFrame
    selected_: dict[str, Any]
    selected_epoch_: int
    epochs_done_: int
    seconds_: float
    n_features_in_: int
