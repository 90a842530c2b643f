"""Recall at k, and precision at the rank where recall and precision are the same."""

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("recall@K", title="R@K", also=["r@K"], binary=True)
def recall(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    """The share of a query's relevant documents that stand among the first K.

    Returns:
        (queries,) values in [0, 1].
    """
    cutoffs = np.full(ranking.judgements.queries, cutoff)
    return _found_above(ranking, convention, cutoffs)


@measure("r-precision", title="Rprec", also=["rprec"], binary=True)
def r_precision(ranking: Ranking, convention: Convention) -> np.ndarray:
    """Precision at rank R of a query with R relevant documents; recall at R is the same.

    Returns:
        (queries,) values in [0, 1].
    """
    return _found_above(ranking, convention, ranking.judgements.relevant_counts)


def _found_above(ranking: Ranking, convention: Convention, cutoffs: np.ndarray) -> np.ndarray:
    """The share of each query's relevant documents at ranks up to its own cut-off."""
    judgements = ranking.judgements
    relevant = ranking.tie_means(judgements.relevant.astype(np.float64))
    above = ranking.ranks <= cutoffs[judgements.query]
    found = judgements.query_sums(np.where(above, relevant, 0.0))
    there_are = judgements.relevant_counts
    # Means over ties can add up to a last digit more than there are.
    share = np.minimum(found / np.maximum(there_are, 1.0), 1.0)
    return np.where(there_are > 0, share, convention.no_relevant)
