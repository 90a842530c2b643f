"""All measures of a run at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arsm_l2r.metrics.average_precision import average_precision
from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.ndcg import ndcg
from arsm_l2r.metrics.ranking import rank

CUTOFFS = (1, 3, 5, 10)
"""The cut-offs of the paper's tables."""


def evaluate(
    scores: ArrayLike,
    judgements: Judgements,
    convention: Convention,
    cutoffs: Sequence[int] = CUTOFFS,
) -> dict[str, np.ndarray]:
    """NDCG at the cut-offs and average precision of every query.

    Returns:
        (queries,) values by the measure's name: `ndcg@1` …, `map`.
    """
    ranking = rank(scores, judgements, convention.ties)
    by_cutoff = ndcg(ranking, cutoffs, convention).T
    values = {f"ndcg@{k}": column for k, column in zip(cutoffs, by_cutoff, strict=True)}
    values["map"] = average_precision(ranking, convention)
    return values


def means(measures: dict[str, np.ndarray]) -> dict[str, float]:
    """The mean of each measure over queries."""
    return {name: float(values.mean()) for name, values in measures.items()}
