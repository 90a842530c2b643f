"""The same trained weights with other scores, and what is reached without any training."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arsm_l2r.letor.store import Fold, RankingData
from arsm_l2r.metrics import LETOR, Convention, Judgements, evaluate
from arsm_l2r.rankers.arsm import ARSMRanker
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.rankers.scoring import scores
from arsm_l2r.rankers.selection import selection_measures, selection_name
from arsm_l2r.training.network import Weights, initial_weights, outputs

CHANCE = "chance"
"""The name of documents in random order."""

UNTRAINED = "untrained"
"""The name of networks that were only initialised, the best on validation data of many."""


def every_scoring(
    fold: Fold, model: Path, settings: Mapping[str, Any], scorings: Sequence[str], *, seed: int
) -> pl.DataFrame:
    """Measures of every test query of a fold: by each scoring, by chance, and untrained.

    Args:
        fold: the data.
        model: file of the trained ranker.
        settings: of the untrained networks; there are as many to choose from as epochs.
        scorings: ways of scoring.
        seed: of the untrained networks.
    """
    unfitted = ARSMRanker(**settings)
    return pl.concat(
        [
            rescored(ARSMRanker.load(model), fold.test, scorings),
            chance(fold.test, CHANCE, unfitted.relevant_from),
            untrained(unfitted, fold, UNTRAINED, count=unfitted.epochs, seed=seed),
        ]
    )


def rescored(ranker: ARSMRanker, data: RankingData, scorings: Sequence[str]) -> pl.DataFrame:
    """Measures of every query, in LETOR's convention, by way of scoring.

    Returns:
        One row per `name` of a scoring and `qid`, with a column per measure.
    """
    logits = ranker.predict_logits(data.features)
    return pl.concat(
        _measured(scoring, scores(logits, scoring), data, LETOR, ranker.relevant_from)
        for scoring in scorings
    )


def chance(data: RankingData, name: str, relevant_from: int = 1) -> pl.DataFrame:
    """Measures of every query with its documents in random order, in expectation."""
    constant = np.zeros(len(data.labels))
    return _measured(name, constant, data, replace(LETOR, ties="expected"), relevant_from)


def untrained(ranker: ARSMRanker, fold: Fold, name: str, *, count: int, seed: int) -> pl.DataFrame:
    """Measures of every test query by the best of many networks that were only initialised.

    Args:
        ranker: with the settings of the networks, and what the best is selected on.
        fold: the validation data to select on, and the test data.
        name: to give to it.
        count: how many networks to choose from.
        seed: of their weights.
    """
    scaling = fitted_scaling(fold.train.features, ranker.feature_scaling)
    judgements = Judgements(fold.vali.labels, fold.vali.group, relevant_from=ranker.relevant_from)

    def scores_of(weights: Weights, data: RankingData) -> np.ndarray:
        (logits,) = outputs(scaling(data.features), weights)
        return scores(logits, ranker.scoring)

    best: tuple[float, Weights] | None = None
    columns = scaling(fold.vali.features[:1]).shape[1]
    for number in range(count):
        weights = initial_weights(columns, ranker.hidden, ranker.levels, seed, number)
        measured = selection_measures(
            scores_of(weights, fold.vali), judgements, ranker.select_by, ranker.select_on
        )
        found = measured[selection_name(ranker.select_on)]
        if best is None or found > best[0]:
            best = (found, weights)
    assert best is not None
    return _measured(name, scores_of(best[1], fold.test), fold.test, LETOR, ranker.relevant_from)


def _measured(
    name: str,
    values: np.ndarray,
    data: RankingData,
    convention: Convention,
    relevant_from: int,
) -> pl.DataFrame:
    judgements = Judgements(data.labels, data.group, relevant_from=relevant_from)
    found = evaluate(values, judgements, convention)
    return pl.DataFrame({"name": [name] * len(data.qids), "qid": data.qids, **found})
