"""What every ranker here is: something that learns from queries and scores documents."""

import time
import warnings
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
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data
from threadpoolctl import threadpool_limits

from arsm_l2r import __version__
from arsm_l2r.declared import (
    ByRun,
    by_run,
    check_declared,
    declared,
    plain,
    settings,
    settings_model,
)
from arsm_l2r.errors import Advice, UserError
from arsm_l2r.metrics import PAPER, Judgements, evaluate, means
from arsm_l2r.progress import progress_shown
from arsm_l2r.rankers.eval_set import EvalSet, evaluation_set
from arsm_l2r.rankers.feature_names import check_same_names, feature_names, read_names
from arsm_l2r.rankers.inputs import (
    MAX_LABEL,
    Features,
    checked_features,
    checked_judgements,
    checked_queries,
    checked_weights,
)
from arsm_l2r.rankers.model_file import read_model, write_model
from arsm_l2r.rankers.selection import selection_name


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
        takes_weights: whether queries can be weighed.
        training_only: settings that nothing but training needs: a model can be loaded where, say,
            its loss is not known.
        added: settings that came when there were results already, besides those of the classes
            that it derives from, each with what was done before. At that value they are no part
            of what identifies a run, and where a run's settings do not have them, they have it.
        history_: one row per epoch, round, tree or other candidate, with validation measures.
        selected_epoch_: the one that was selected, from 1.
        epochs_done_: how many there were.
        choices_: what else was chosen, and from what.
        seconds_: time spent in learning.
        device_: what it was learnt on.
        n_features_in_: how many features it learnt from.
        feature_names_in_: their names, if it learnt from a frame that has some.
    """

    trains_network: ClassVar[bool] = False
    takes_weights: ClassVar[bool] = False
    training_only: ClassVar[tuple[str, ...]] = ()
    added: ClassVar[Mapping[str, Any]] = {"relevant_from": 1, "select_by": "letor"}
    select_on: str
    history_: pl.DataFrame
    selected_epoch_: int
    epochs_done_: int
    choices_: dict[str, Any]
    seconds_: float
    device_: str
    n_features_in_: int
    feature_names_in_: np.ndarray

    def fit(
        self,
        X: Features,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        eval_set: EvalSet | None = None,
        eval_group: Any = None,
        eval_qid: Any = None,
        verbose: bool = True,
    ) -> Self:
        """Learn to rank.

        Args:
            X: (documents, P) features, documents of one query together: a NumPy array, a SciPy
                sparse matrix, a pandas or polars frame.
            y: (documents,) labels, whole numbers from 0.
            group: (queries,) how many documents each query has.
            qid: (documents,) each document's query, instead of `group`.
            sample_weight: how much each query counts: one number per query, or one per document
                that is the same for all documents of a query.
            eval_set: validation data to select on: `[(X, y)]`, with their queries in `eval_group`
                or `eval_qid`, or `(X, y, group)`.
            eval_group: `[group]` of the validation data.
            eval_qid: `[qid]` of the validation data, instead of `eval_group`.
            verbose: whether to show progress.
        """
        self._check_settings()
        told = {"relevant_from": self.relevant_from}
        names = feature_names(X)
        train = Queries(*checked_queries(X, y, group, qid=qid, **told))
        highest = int(train.judgements.labels.max())
        if not highest:
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        if highest < self.relevant_from:
            raise ValueError(
                f"relevant_from is {self.relevant_from}, but the highest label is {highest}: no "
                "document would be relevant"
            )
        weighed = {}
        if sample_weight is not None:
            weighed["weights"] = self._weights_of_queries(sample_weight, train.judgements)
        columns = train.features.shape[1]
        vali = None
        if (held_out := evaluation_set(eval_set, eval_group, eval_qid)) is not None:
            features, labels, sizes, ids = held_out
            check_same_names(names, feature_names(features))
            vali = Queries(
                *checked_queries(features, labels, sizes, qid=ids, columns=columns, **told)
            )
        started = time.perf_counter()
        with progress_shown(verbose):
            learned = self._learn(train, vali, **weighed)
        elapsed = time.perf_counter() - started
        self._advise_on_selection(learned.history)
        self.history_ = learned.history
        self.selected_epoch_, self.epochs_done_ = learned.selected, learned.history.height
        self.choices_, self.device_ = learned.choices, learned.device
        self.seconds_ = elapsed if learned.seconds is None else learned.seconds
        self._know_features(columns, names)
        return self

    def predict(self, X: Features) -> np.ndarray:  # noqa: N803
        """Score documents; higher is better.

        Args:
            X: (documents, P) features. If the ranker learnt from a frame, a frame must have the
                same columns in the same order.

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

    def score(
        self,
        X: Features,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
    ) -> float:
        """The mean NDCG@10 of the queries, by the paper's equations.

        Gains are 2^label - 1 and discounts 1 / log2(1 + rank); tied scores are averaged over their
        orders; a query without a relevant document counts as 0.

        Args:
            X: (documents, P) features.
            y: (documents,) labels.
            group: (queries,) how many documents each query has.
            qid: (documents,) each document's query, instead of `group`.
        """
        scores = self.predict(X)
        judgements = checked_judgements(y, group, qid=qid, relevant_from=self.relevant_from)
        return means(evaluate(scores, judgements, PAPER, ["ndcg@10"]))["ndcg@10"]

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
        if hasattr(self, "feature_names_in_"):
            note["feature_names"] = self.feature_names_in_.tolist()
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
            ranker._know_features(note["features"], read_names(note.get("feature_names")))
            ranker._restore(note, arrays)
            report = dict(note["report"])
            ranker.selected_epoch_ = int(report.pop("selected_epoch"))
            ranker.epochs_done_ = int(report.pop("epochs"))
            ranker.seconds_, ranker.device_ = float(report.pop("seconds")), report.pop("device")
            ranker.choices_ = report
            if ranker._score(np.zeros((1, ranker.n_features_in_), np.float32)).shape != (1,):
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
        """Settings without those that were `added` and say what was done before."""
        before = cls._before()
        return {
            name: value
            for name, value in settings.items()
            if name not in before or value != before[name]
        }

    @classmethod
    def identified(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What `identifying` left out is put back, whatever the defaults have become since."""
        offered = settings_model(cls).model_fields
        before = {name: value for name, value in cls._before().items() if name in offered}
        return {**before, **settings}

    @classmethod
    def _before(cls) -> dict[str, Any]:
        """The settings that were `added`, by this class or one that it derives from."""
        return {
            name: value
            for each in cls.__mro__
            for name, value in getattr(each, "added", {}).items()
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
        """Learn from checked data, and keep what `_score` needs.

        A ranker that `takes_weights` is also called with `weights`, (queries,) numbers that are 1
        on average, if it is to weigh queries.
        """

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
            name: plain(getattr(self, name))
            for name, field in declared(type(self)).items()
            if not ((given := by_run(field)) and given.local)
        }
        return {k: list(v) if isinstance(v, tuple) else v for k, v in settings.items()}

    def _advise_on_selection(self, history: pl.DataFrame) -> None:
        """Tell if no candidate could be told from the others on validation data."""
        name = selection_name(self.select_on)
        if name in history.columns and history[name].max() == 0:
            warnings.warn(
                f"the validation {name} of every candidate is 0, so that nothing could be selected "
                "by it; as LETOR's tools measure, lists shorter than the cut-off count as 0: with "
                "such lists, set select_by to 'paper'",
                Advice,
                stacklevel=3,
            )

    def _require_fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            name = type(self).__name__
            raise NotFittedError(f"this {name} has not been trained; call fit first, or load")

    def _know_features(self, columns: int, names: np.ndarray | None) -> None:
        self.n_features_in_ = columns
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _weights_of_queries(self, sample_weight: ArrayLike, judgements: Judgements) -> np.ndarray:
        if not self.takes_weights:
            raise ValueError(f"{type(self).__name__} cannot weigh queries: leave out sample_weight")
        return checked_weights(sample_weight, judgements.group)

    def _checked(self, features: Features) -> np.ndarray:
        self._require_fitted()
        array = checked_features(features)
        # The number of columns, and their names where there are any.
        validate_data(self, features, reset=False, skip_check_array=True)
        return array

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn must know: labels from 0 are needed; sparse features are taken."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
