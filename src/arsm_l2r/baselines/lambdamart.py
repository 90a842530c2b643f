"""LambdaMART, through LightGBM: boosted regression trees on the LambdaRank gradient."""

import time
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from arsm_l2r.model_file import read_model, write_model
from arsm_l2r.queries import checked_features, checked_queries
from arsm_l2r.selection import check_selection, selection_measures

_KIND = "LambdaMART"


class LambdaMART(BaseEstimator):  # type: ignore[misc]
    """Gradient-boosted trees for NDCG, stopped early on validation data.

    Args:
        trees: most trees.
        learning_rate: how much of each tree is added.
        leaves: leaves of a tree.
        least_in_leaf: fewest documents in a leaf.
        feature_share: share of the features that each tree sees.
        row_share: share of the documents that each tree sees.
        l2: penalty on the leaves' values.
        patience: trees without a better validation measure after which to stop.
        select_on: that measure.
        seed: of the shares drawn.
        threads: threads to compute with.
    """

    def __init__(
        self,
        *,
        trees: int = 1000,
        learning_rate: float = 0.05,
        leaves: int = 15,
        least_in_leaf: int = 50,
        feature_share: float = 0.5,
        row_share: float = 0.8,
        l2: float = 1.0,
        patience: int = 100,
        select_on: str = "ndcg@10",
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.trees = trees
        self.learning_rate = learning_rate
        self.leaves = leaves
        self.least_in_leaf = least_in_leaf
        self.feature_share = feature_share
        self.row_share = row_share
        self.l2 = l2
        self.patience = patience
        self.select_on = select_on
        self.seed = seed
        self.threads = threads

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        qid: ArrayLike | None = None,
        eval_set: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    ) -> Self:
        """Grow trees; see `LinearRanker.fit` for the arguments."""
        import lightgbm

        check_selection(self.select_on)
        features, judgements = checked_queries(X, y, group, qid=qid)
        if not (judgements.labels > 0).any():
            raise ValueError("no document is relevant (all labels are 0): nothing can be learnt")
        vali_features, vali = features, judgements
        if eval_set is not None:
            vali_features, vali = checked_queries(*eval_set, columns=features.shape[1])
        started = time.perf_counter()
        data = lightgbm.Dataset(features, judgements.labels, group=judgements.group)
        rows: list[dict[str, float]] = []

        def measure(scores: np.ndarray, _: Any) -> tuple[str, float, bool]:
            found = selection_measures(scores, vali)
            rows.append({"tree": len(rows) + 1, **found})
            return self.select_on, found[self.select_on], True

        parameters = {
            "objective": "lambdarank",
            "metric": "None",
            "learning_rate": self.learning_rate,
            "num_leaves": self.leaves,
            "min_data_in_leaf": self.least_in_leaf,
            "feature_fraction": self.feature_share,
            "bagging_fraction": self.row_share,
            "bagging_freq": 1,
            "lambda_l2": self.l2,
            "seed": self.seed,
            "num_threads": self.threads,
            "deterministic": True,
            "force_row_wise": True,
            "verbosity": -1,
        }
        booster = lightgbm.train(
            parameters,
            data,
            num_boost_round=self.trees,
            valid_sets=[
                lightgbm.Dataset(vali_features, vali.labels, group=vali.group, reference=data)
            ],
            feval=measure,
            callbacks=[lightgbm.early_stopping(self.patience, verbose=False)],
        )
        best = int(np.argmax([row[self.select_on] for row in rows]))
        self.selected_epoch_, self.epochs_done_ = best + 1, len(rows)
        self._text = booster.model_to_string(num_iteration=best + 1)
        self.history_ = pl.DataFrame(rows)
        self.seconds_ = time.perf_counter() - started
        self.n_features_in_ = features.shape[1]
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """Score documents; higher is better."""
        import lightgbm

        if not hasattr(self, "_text"):
            raise NotFittedError("this LambdaMART has not been trained")
        features = checked_features(X, self.n_features_in_)
        booster = lightgbm.Booster(model_str=self._text)
        return np.asarray(booster.predict(features, num_threads=self.threads))

    def save(self, path: str | Path) -> None:
        """Save the trained ranker as one file of arrays and JSON."""
        if not hasattr(self, "_text"):
            raise NotFittedError("this LambdaMART has not been trained")
        note = {"report": self.report(), "features": self.n_features_in_, "trees": self._text}
        write_model(Path(path), _KIND, note, {})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a saved ranker, which can predict."""
        note, _ = read_model(Path(path), _KIND)
        ranker = cls()
        ranker._text, ranker.n_features_in_ = note["trees"], note["features"]
        return ranker

    def report(self) -> dict[str, Any]:
        """What a run records about its training."""
        return {
            "selected_epoch": self.selected_epoch_,
            "epochs": self.epochs_done_,
            "seconds": round(self.seconds_, 2),
            "device": "cpu",
            "selected": {"trees": self.selected_epoch_},
        }
