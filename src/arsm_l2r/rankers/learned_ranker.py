"""What every ranker here is: something that learns from queries and scores documents."""

import time
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from pydantic import Field
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from threadpoolctl import threadpool_limits

from arsm_l2r import __version__
from arsm_l2r.declared import ByRun, by_run, check_declared, declared, settings
from arsm_l2r.errors import UserError
from arsm_l2r.metrics import Judgements
from arsm_l2r.rankers.inputs import MAX_LABEL, checked_features, checked_queries
from arsm_l2r.rankers.model_file import read_model, write_model

EvalSet = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Features, labels and documents per query of validation data."""


class Queries(NamedTuple):
    """Documents that have been checked: (documents, P) features, and their judgements."""

    features: np.ndarray
    judgements: Judgements


@dataclass(frozen=True)
class Learned:
    """How something was learnt.

    Attributes:
        history: one row per candidate that was measured on validation data.
        selected: which of them was selected, from 1.
        choices: what else was chosen, and from what.
        seconds: the time it took, where that is not the time of this call alone.
        device: what it was learnt on.
    """

    history: pl.DataFrame
    selected: int
    choices: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    device: str = "cpu"


def one_thread() -> AbstractContextManager[Any]:
    """Compute products with one thread: with more, sums come in another order, and differ."""
    limit: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limit


@settings
class _Judged:
    """What every ranker is told about the labels it learns from."""

    relevant_from: Annotated[
        int,
        Field(
            ge=1,
            le=MAX_LABEL,
            description="Lowest label that counts as relevant where labels are taken as relevant "
            "or not: in MAP, which may be selected on, and in losses such as `average-precision`.",
        ),
        ByRun(local=False),
    ] = 1


class LearnedRanker(_Judged, BaseEstimator):  # type: ignore[misc]
    """A ranker. A subclass has its settings, `_learn`, `_score`, `_content` and `_restore`.

    Settings are annotated attributes of a subclass with the decorator `settings`.

    Attributes:
        trains_network: whether it trains a network, with TensorFlow.
        training_only: settings that nothing but training needs: a model can be loaded where, say,
            its loss is not known.
        added: settings that came when there were results already, besides those of the classes
            that it derives from. At their defaults, which are what was done before, they are no
            part of what identifies a run.
        history_: one row per epoch, round, tree or other candidate, with validation measures.
        selected_epoch_: the one that was selected, from 1.
        epochs_done_: how many there were.
        choices_: what else was chosen, and from what.
        seconds_: time spent in learning.
        device_: what it was learnt on.
    """

    trains_network: ClassVar[bool] = False
    training_only: ClassVar[tuple[str, ...]] = ()
    added: ClassVar[tuple[str, ...]] = ("relevant_from", "select_by")
    select_on: str
    history_: pl.DataFrame
    selected_epoch_: int
    epochs_done_: int
    choices_: dict[str, Any]
    seconds_: float
    device_: str
    n_features_in_: int

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
        eval_set: EvalSet | None = None,
    ) -> Self:
        """Learn to rank.

        Args:
            X: (documents, P) features, documents of one query together.
            y: (documents,) labels, whole numbers from 0.
            group: (queries,) how many documents each query has.
            qid: (documents,) each document's query, instead of `group`.
            eval_set: X, y and group of validation data, to select on.
        """
        self._check_settings()
        told = {"relevant_from": self.relevant_from}
        train = Queries(*checked_queries(X, y, group, qid=qid, **told))
        highest = int(train.judgements.labels.max())
        if not highest:
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        if highest < self.relevant_from:
            raise ValueError(
                f"relevant_from is {self.relevant_from}, but the highest label is {highest}: no "
                "document would be relevant"
            )
        columns = train.features.shape[1]
        vali = Queries(*checked_queries(*eval_set, columns=columns, **told)) if eval_set else None
        started = time.perf_counter()
        learned = self._learn(train, vali)
        elapsed = time.perf_counter() - started
        self.history_ = learned.history
        self.selected_epoch_, self.epochs_done_ = learned.selected, learned.history.height
        self.choices_, self.device_ = learned.choices, learned.device
        self.seconds_ = elapsed if learned.seconds is None else learned.seconds
        self.n_features_in_ = columns
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """Score documents; higher is better.

        Args:
            X: (documents, P) features.

        Returns:
            (documents,) float64 scores, the same for any number of threads.

        Raises:
            ValueError: if a score is not a finite number.
        """
        features = self._checked(X)
        with one_thread():
            scores = self._score(features)
        wrong = ~np.isfinite(scores)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"the score of document {at} is {scores[at]}: its features are too large for the "
                "model"
            )
        return scores

    def save(self, path: str | Path) -> None:
        """Save the trained ranker as one file of arrays and JSON."""
        self._require_fitted()
        note, arrays = self._content()
        note |= {
            "version": __version__,
            "settings": self._portable_settings(),
            "features": self.n_features_in_,
            "report": self.report(),
        }
        write_model(Path(path), type(self).__name__, note, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a saved ranker. It can predict; `history_` stays with the one that learned.

        Only arrays and JSON are read: a file from a stranger cannot run code.

        Raises:
            UserError: naming the file, if it is not such a model or has been changed.
        """
        note, arrays = read_model(Path(path), cls.__name__)
        try:
            given = note["settings"].items()
            own: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given}
            ranker = cls(**own)
            check_declared(ranker, without=cls.training_only)
            ranker.n_features_in_ = note["features"]
            ranker._restore(note, arrays)
            report = dict(note["report"])
            ranker.selected_epoch_ = int(report.pop("selected_epoch"))
            ranker.epochs_done_ = int(report.pop("epochs"))
            ranker.seconds_, ranker.device_ = float(report.pop("seconds")), report.pop("device")
            ranker.choices_ = report
            if ranker.predict(np.zeros((1, ranker.n_features_in_))).shape != (1,):
                raise ValueError("its numbers do not fit together")
        except Exception as error:  # whatever a file that was made up can cause
            raise UserError(f"{path}: not a model that this version can read: {error}") from error
        return ranker

    def report(self) -> dict[str, Any]:
        """What a run records about its training."""
        return {
            "selected_epoch": self.selected_epoch_,
            "epochs": self.epochs_done_,
            "seconds": round(self.seconds_, 2),
            "device": self.device_,
            **self.choices_,
        }

    @classmethod
    def identifying(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Settings without those that were `added` and have their defaults."""
        known = declared(cls)
        added = {name for each in cls.__mro__ for name in getattr(each, "added", ())}
        return {
            name: value
            for name, value in settings.items()
            if name not in added or value != known[name].default
        }

    @classmethod
    def definitions(cls, settings: Mapping[str, Any]) -> list[Any]:
        """The classes and functions whose code makes a result with such settings."""
        return [cls]

    @classmethod
    def check_together(cls, settings: Mapping[str, Any]) -> None:
        """Refuse settings that cannot be trained together, each of which is right by itself.

        Raises:
            ValueError: saying which, and why.
        """

    @abstractmethod
    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        """Learn from checked data, and keep what `_score` needs."""

    @abstractmethod
    def _score(self, features: np.ndarray) -> np.ndarray:
        """Score checked features."""

    @abstractmethod
    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """What `_score` needs, as JSON and arrays."""

    @abstractmethod
    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Take back what `_content` gave."""

    def _check_settings(self) -> None:
        """Refuse settings that cannot be trained with, naming each."""
        check_declared(self)
        self.check_together(self.get_params())

    def _portable_settings(self) -> dict[str, Any]:
        """The settings that make the result, in JSON's types; not where or how fast it was made."""
        settings = {
            name: getattr(self, name)
            for name, field in declared(type(self)).items()
            if not ((given := by_run(field)) and given.local)
        }
        return {k: list(v) if isinstance(v, tuple) else v for k, v in settings.items()}

    def _require_fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            name = type(self).__name__
            raise NotFittedError(f"this {name} has not been trained; call fit first, or load")

    def _checked(self, features: ArrayLike) -> np.ndarray:
        self._require_fitted()
        return checked_features(features, self.n_features_in_)
