"""LambdaMART, through LightGBM: boosted regression trees on the LambdaRank gradient."""

from typing import Any

import numpy as np
import polars as pl

from arsm_l2r.rankers.learned_ranker import Learned, LearnedRanker, Queries
from arsm_l2r.rankers.selection import selection_measures


class LambdaMART(LearnedRanker):
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

    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        import lightgbm

        features, judgements = train
        vali_features, vali_judgements = vali or train
        data = lightgbm.Dataset(features, judgements.labels, group=judgements.group)
        rows: list[dict[str, float]] = []

        def measure(scores: np.ndarray, _: Any) -> tuple[str, float, bool]:
            found = selection_measures(scores, vali_judgements)
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
                lightgbm.Dataset(
                    vali_features,
                    vali_judgements.labels,
                    group=vali_judgements.group,
                    reference=data,
                )
            ],
            feval=measure,
            callbacks=[lightgbm.early_stopping(self.patience, verbose=False)],
        )
        best = int(np.argmax([row[self.select_on] for row in rows]))
        self._text = booster.model_to_string(num_iteration=best + 1)
        return Learned(pl.DataFrame(rows), best + 1, {"selected": {"trees": best + 1}})

    def _score(self, features: np.ndarray) -> np.ndarray:
        import lightgbm

        booster = lightgbm.Booster(model_str=self._text)
        return np.asarray(booster.predict(features, num_threads=self.threads))

    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"trees": self._text}, {}

    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._text = note["trees"]
