"""Reciprocal rank: one over the rank of the first relevant document."""

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.first_relevant import first_relevant
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("rr", title="RR", also=["mrr"], binary=True)
def reciprocal_rank(ranking: Ranking, convention: Convention) -> np.ndarray:
    """Reciprocal rank of each query: one over the rank of its first relevant document.

    Ties are in expectation if the ranking has any.

    Returns:
        (queries,) values in [0, 1].
    """
    return _expected(ranking, convention, len(ranking.order))


@measure("rr@K", title="RR@K", also=["mrr@K"], binary=True)
def reciprocal_rank_at(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    """Reciprocal rank that is 0 if the first relevant document stands below rank K.

    Returns:
        (queries,) values in [0, 1].
    """
    return _expected(ranking, convention, cutoff)


def _expected(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    judgements = ranking.judgements
    first = first_relevant(ranking)
    weights = np.where(first.ranks <= cutoff, first.shares / first.ranks, 0.0)
    values = np.bincount(first.queries, weights=weights, minlength=judgements.queries)
    return np.where(judgements.relevant_counts > 0, values, convention.no_relevant)
