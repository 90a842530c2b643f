"""AdaRank (Xu and Li 2007): boosting of single features, with weights on queries.

Each round takes the feature that ranks the queries best, weighted by how badly the ensemble has
ranked them so far, and adds it with the weight ½ ln(Σ P(q) (1 + E(q)) / Σ P(q) (1 - E(q))), where E
is the feature's performance on a query and P the query's weight. Then P(q) ∝ exp(-E_ensemble(q)).

Left to itself the algorithm soon takes one feature for ever: on MQ2007 always the first, so that
the ensemble is that feature. Here a feature that does not raise the ensemble's mean performance
on the training queries is not added but set aside, and the next best is tried; when one helps,
those set aside are considered again. Training ends when no feature helps.
"""

import math
from abc import abstractmethod
from typing import Annotated, Literal

import numpy as np
import polars as pl
from pydantic import Field

from arsm_l2r.declared import settings
from arsm_l2r.metrics import CONVENTIONS, Judgements, average_precision, ndcg, rank
from arsm_l2r.rankers.baselines.linear import LinearRanker
from arsm_l2r.rankers.learned_ranker import Learned, Queries
from arsm_l2r.rankers.method import ORANGE, PURPLE, Method
from arsm_l2r.rankers.selection import SelectBy, SelectOn, selection_measures, selection_name
from arsm_l2r.registry import HIGHEST_CUTOFF


@settings
class AdaRank(LinearRanker):
    """AdaRank on a measure that a subclass has, in the convention that it also selects by."""

    rounds: Annotated[int, Field(ge=1, le=100_000, description="Most features to add.")] = 200
    set_aside: Annotated[
        bool,
        Field(
            description="Set features aside that do not raise the training performance; false is "
            "the algorithm as published, which takes one feature for ever on MQ2007."
        ),
    ] = True
    select_by: SelectBy = "letor"

    def _learn_weights(self, train: Queries, vali: Queries) -> tuple[np.ndarray, Learned]:
        features, judgements = train
        weak = np.stack([self._performance(column, judgements) for column in features.T])
        query_weights = np.full(judgements.queries, 1.0 / judgements.queries)
        weights = np.zeros(features.shape[1])
        performance = -np.inf
        candidates: list[np.ndarray] = []
        rows: list[dict[str, float]] = []
        while len(rows) < self.rounds:
            order = np.argsort(-(weak @ query_weights), kind="stable")
            for feature in order if self.set_aside else order[:1]:
                share = feature_weight(weak[feature], query_weights)
                attempt = weights.copy()
                attempt[feature] += share
                by_query = self._performance(features @ attempt, judgements)
                if by_query.mean() > performance or not self.set_aside:
                    break
            else:
                break  # no feature helps
            weights, performance = attempt, by_query.mean()
            query_weights = np.exp(-by_query)
            query_weights /= query_weights.sum()
            candidates.append(weights)
            rows.append(
                {
                    "round": len(rows) + 1,
                    "feature": int(feature) + 1,
                    "weight": share,
                    "objective": float(performance),
                    **selection_measures(
                        vali.features @ weights, vali.judgements, self.select_by, self.select_on
                    ),
                }
            )
        best = int(np.argmax([row[selection_name(self.select_on)] for row in rows]))
        features_used = int((candidates[best] != 0).sum())
        choices = {"selected": {"rounds": best + 1, "features": features_used}}
        return candidates[best], Learned(pl.DataFrame(rows), best + 1, choices)

    @abstractmethod
    def _performance(self, scores: np.ndarray, judgements: Judgements) -> np.ndarray:
        """(queries,) how well scores rank each query."""


@settings
class AdaRankMAP(AdaRank):
    """AdaRank on average precision."""

    measure: Annotated[Literal["map"], Field(description="What is boosted.")] = "map"
    select_on: SelectOn = "map"

    def _performance(self, scores: np.ndarray, judgements: Judgements) -> np.ndarray:
        convention = CONVENTIONS[self.select_by]
        return average_precision(rank(scores, judgements, convention.ties), convention)


@settings
class AdaRankNDCG(AdaRank):
    """AdaRank on NDCG."""

    measure: Annotated[Literal["ndcg"], Field(description="What is boosted.")] = "ndcg"
    cutoff: Annotated[
        int, Field(ge=1, le=HIGHEST_CUTOFF, description="Cut-off of the NDCG that is boosted.")
    ] = 10
    select_on: SelectOn = "ndcg@10"

    def _performance(self, scores: np.ndarray, judgements: Judgements) -> np.ndarray:
        convention = CONVENTIONS[self.select_by]
        ranking = rank(scores, judgements, convention.ties)
        by_query: np.ndarray = ndcg(ranking, [self.cutoff], convention)[:, 0]
        return by_query


def feature_weight(performance: np.ndarray, query_weights: np.ndarray) -> float:
    """The weight of a feature that performs so on each query: α of the published algorithm."""
    gained = float(query_weights @ (1.0 + performance))
    # A feature that ranks every query perfectly would get an infinite weight.
    lost = max(float(query_weights @ (1.0 - performance)), 1e-12)
    return 0.5 * math.log(gained / lost)


MAP = Method(
    name="adarank-map",
    title="AdaRank-MAP",
    description="listwise boosting of single features that follows average precision",
    ranker=AdaRankMAP,
    colour=PURPLE,
    marker="D",
    line=":",
    in_paper=True,
    order=3,
)
NDCG = Method(
    name="adarank-ndcg",
    title="AdaRank-NDCG",
    description="listwise boosting of single features that follows NDCG",
    ranker=AdaRankNDCG,
    colour=ORANGE,
    marker="v",
    line=(0, (5, 1, 1, 1, 1, 1)),
    in_paper=True,
    order=4,
)
