"""The same trained weights with other ways of turning level probabilities into scores."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from arsm_l2r.letor.store import RankingData
from arsm_l2r.metrics import LETOR, Convention, Judgements, evaluate
from arsm_l2r.ranker import ARSMRanker
from arsm_l2r.scoring import scores


def rescored(ranker: ARSMRanker, data: RankingData, scorings: Sequence[str]) -> pl.DataFrame:
    """Measures of every query, in LETOR's convention, by way of scoring.

    Returns:
        One row per `name` of a scoring and `qid`, with a column per measure.
    """
    logits = ranker.predict_logits(data.features)
    return pl.concat(
        _measured(scoring, scores(logits, scoring), data, LETOR) for scoring in scorings
    )


def chance(data: RankingData, name: str) -> pl.DataFrame:
    """Measures of every query with its documents in random order, in expectation."""
    constant = np.zeros(len(data.labels))
    return _measured(name, constant, data, replace(LETOR, ties="expected"))


def _measured(
    name: str, values: np.ndarray, data: RankingData, convention: Convention
) -> pl.DataFrame:
    found = evaluate(values, Judgements(data.labels, data.group), convention)
    return pl.DataFrame({"name": [name] * len(data.qids), "qid": data.qids, **found})
