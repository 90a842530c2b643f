"""LambdaMART, through LightGBM: boosted regression trees on the LambdaRank gradient."""

from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import Field

from arsm_l2r.declared import ByRun, settings
from arsm_l2r.optional import optional
from arsm_l2r.rankers.learned_ranker import Learned, LearnedRanker, Queries
from arsm_l2r.rankers.method import GREY, SKY, Method
from arsm_l2r.rankers.selection import SelectBy, SelectOn, selection_measures, selection_name
from arsm_l2r.settings import LARGEST


@settings
class LambdaMART(LearnedRanker):
    """Gradient-boosted trees for NDCG, stopped early on validation data."""

    trees: Annotated[int, Field(ge=1, le=100_000, description="Most trees.")] = 1000
    learning_rate: Annotated[float, Field(gt=0, description="How much of each tree is added.")] = (
        0.05
    )
    leaves: Annotated[int, Field(ge=2, le=100_000, description="Leaves of a tree.")] = 15
    least_in_leaf: Annotated[
        int, Field(ge=1, le=LARGEST, description="Fewest documents in a leaf.")
    ] = 50
    feature_share: Annotated[
        float, Field(gt=0, le=1, description="Share of the features that each tree sees.")
    ] = 0.5
    row_share: Annotated[
        float, Field(gt=0, le=1, description="Share of the documents that each tree sees.")
    ] = 0.8
    l2: Annotated[float, Field(ge=0, description="Penalty on the leaves' values.")] = 1.0
    patience: Annotated[
        int,
        Field(
            ge=1,
            le=LARGEST,
            description="Trees without a better validation measure after which to stop.",
        ),
    ] = 100
    select_on: SelectOn = "ndcg@10"
    select_by: SelectBy = "letor"
    seed: Annotated[
        int, Field(ge=0, le=LARGEST, description="Seed of the shares drawn."), ByRun(local=False)
    ] = 0
    threads: Annotated[
        int, Field(ge=1, le=1024, description="Threads to compute with."), ByRun()
    ] = 1

    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        lightgbm = _lightgbm()
        features, judgements = train
        vali_features, vali_judgements = vali or train
        data = lightgbm.Dataset(features, judgements.labels, group=judgements.group)
        rows: list[dict[str, float]] = []

        def measure(scores: np.ndarray, _: Any) -> tuple[str, float, bool]:
            found = selection_measures(scores, vali_judgements, self.select_by, self.select_on)
            rows.append({"tree": len(rows) + 1, **found})
            return self.select_on, found[selection_name(self.select_on)], True

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
        best = int(np.argmax([row[selection_name(self.select_on)] for row in rows]))
        self._text = booster.model_to_string(num_iteration=best + 1)
        return Learned(pl.DataFrame(rows), best + 1, {"selected": {"trees": best + 1}})

    def _score(self, features: np.ndarray) -> np.ndarray:
        lightgbm = _lightgbm()
        booster = lightgbm.Booster(model_str=self._text)
        return np.asarray(booster.predict(features, num_threads=self.threads))

    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"trees": self._text}, {}

    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._text = note["trees"]


def _lightgbm() -> Any:
    return optional("lightgbm", "baselines", "LambdaMART")


METHOD = Method(
    name="lambdamart",
    title="LambdaMART",
    description="boosted trees with NDCG-weighted pairs (LightGBM); not in the paper",
    ranker=LambdaMART,
    colour=SKY,
    marker="P",
    line=(0, (8, 2)),
    order=5,
)
TUNED = Method(
    name="lambdamart-tuned",
    title="LambdaMART (tuned)",
    description="the same trees with settings tuned on validation data; not in the paper",
    ranker=LambdaMART,
    colour=GREY,
    marker="p",
    line=(0, (2, 1)),
    order=5,
)
