"""How the estimators' gradients scatter on real queries as training goes on."""

from typing import Any

import numpy as np
import polars as pl

from arsm_l2r.experiments.scatter import Scatter, scatter
from arsm_l2r.experiments.studies import STANDARD
from arsm_l2r.letor.store import RankingData
from arsm_l2r.rankers.arsm import ARSMRanker
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.training.network import initial_weights, outputs


def gradients_in_training(
    data: RankingData,
    settings: dict[str, Any],
    *,
    queries: int,
    draws: int,
    seed: int,
    threads: int | None,
) -> pl.DataFrame:
    """Measure the estimators at the initial weights, in the middle and at the end of training.

    Args:
        data: training data; gradients are drawn on its first queries.
        settings: of `ARSMRanker`; its last weights are taken, without selection.
        queries: how many queries to draw gradients on.
        draws: gradients to draw of each estimator.
        seed: of training and draws.
        threads: to compute with; None leaves that to TensorFlow.

    Returns:
        One row per `stage` and `estimator`: the `variance` of a gradient entry, the `seconds` of a
        gradient, and `agreement`: the squared difference of the mean gradient from that of
        `STANDARD`, relative to what chance makes of it; 1 is expected of unbiased estimators.
        `agreement_of_zero` is what would be expected of an estimator that scatters as much and
        whose mean is 0: how well a bias could be seen.
    """
    group = data.group[:queries]
    documents = int(group.sum())
    features, labels = data.features[:documents], data.labels[:documents]
    rows = []
    for stage, epochs in (
        ("start", 0),
        ("middle", max(settings["epochs"] // 2, 1)),
        ("end", settings["epochs"]),
    ):
        logits = _logits(data, features, settings, epochs, seed, threads)
        found = scatter(
            logits,
            labels,
            group,
            loss=settings.get("loss", "ndcg@10"),
            relevant_from=settings.get("relevant_from", 1),
            draws=draws,
            seed=seed,
        )
        rows += [
            {
                "stage": stage,
                "estimator": name,
                "variance": each.variance,
                "seconds": each.seconds,
                "agreement": agreement(each, found[STANDARD]),
                "agreement_of_zero": agreement_of_zero(each, found[STANDARD]),
            }
            for name, each in found.items()
        ]
    return pl.DataFrame(rows)


def agreement(one: Scatter, other: Scatter) -> float:
    """Squared difference of two mean gradients, relative to what chance makes of it.

    Both are sums over all entries: single entries may never have been drawn, and then say nothing.
    """
    by_chance = float((one.error**2 + other.error**2).sum())
    if one is other or not by_chance:
        return 0.0
    return float(((one.mean - other.mean) ** 2).sum() / by_chance)


def agreement_of_zero(one: Scatter, other: Scatter) -> float:
    """The agreement to expect with `other` if the mean of `one` were 0."""
    by_chance = float((one.error**2 + other.error**2).sum())
    if not by_chance:
        return float("inf")
    # The squared mean of draws is larger than that of the estimator by its own error.
    squared = float((other.mean**2 - other.error**2).sum())
    return 1 + max(squared, 0.0) / by_chance


def _logits(
    data: RankingData,
    features: np.ndarray,
    settings: dict[str, Any],
    epochs: int,
    seed: int,
    threads: int | None,
) -> np.ndarray:
    ranker = ARSMRanker(**{**settings, "epochs": max(epochs, 1)}, seed=seed, threads=threads)
    if epochs:
        ranker.fit(data.features, data.labels, data.group)
        return ranker.predict_logits(features)
    scaled = fitted_scaling(data.features, ranker.feature_scaling)(features)
    weights = initial_weights(scaled.shape[1], ranker.hidden, ranker.levels, seed)
    return np.asarray(outputs(scaled, weights)[0])
