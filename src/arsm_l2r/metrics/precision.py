"""Precision at k: the share of relevant documents among the first k."""

from collections.abc import Sequence

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking, checked_cutoffs


@measure("p@K", title="P@K", several_cutoffs=True, also=["precision@K"], binary=True)
def precision(ranking: Ranking, cutoffs: Sequence[int], convention: Convention) -> np.ndarray:
    """Precision at each cut-off k, for each query; ties in expectation if there are any.

    Returns:
        (queries, cut-offs) values in [0, 1].
    """
    judgements = ranking.judgements
    places = checked_cutoffs(cutoffs)
    relevant = judgements.relevant.astype(np.float64)
    depth = min(int(places.max()), int(judgements.group.max()))
    table = judgements.by_rank(ranking.tie_means(relevant), depth)
    values = np.cumsum(table, axis=1)[:, np.minimum(places, depth) - 1] / places
    if convention.short_precision == "zero":
        values[judgements.group[:, None] < places] = 0.0
    values[judgements.relevant_counts == 0] = convention.no_relevant
    return np.asarray(values)
