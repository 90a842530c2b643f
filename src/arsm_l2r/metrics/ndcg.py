"""Normalised discounted cumulative gain (Järvelin and Kekäläinen 2000), gains 2^label - 1."""

from collections.abc import Sequence

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking, checked_cutoffs


@measure("ndcg@K", title="NDCG@K", several_cutoffs=True, understood={"dcg": "exp-log2"})
def ndcg(ranking: Ranking, cutoffs: Sequence[int], convention: Convention) -> np.ndarray:
    """NDCG@k of each query, for each cut-off k.

    The sum over ranks r up to k of (2^label - 1) · discount(r), divided by its highest
    possible value. Ties are in expectation if the ranking has any.

    Returns:
        (queries, cut-offs) values in [0, 1].
    """
    judgements = ranking.judgements
    places = checked_cutoffs(cutoffs)
    complete = judgements.complete
    depth = min(int(places.max()), int(complete.group.max()))
    discounts = convention.discount(np.arange(1, depth + 1))
    gains = judgements.by_rank(ranking.tie_means(judgements.gains), depth)
    ideal = complete.by_rank(complete.ideal_gains, depth)
    columns = np.minimum(places, depth) - 1
    dcg = np.cumsum(gains * discounts, axis=1)[:, columns]
    ideal_dcg = np.cumsum(ideal * discounts, axis=1)[:, columns]
    relevant = ideal_dcg > 0
    values = dcg / np.where(relevant, ideal_dcg, 1.0)
    if convention.short_ndcg == "zero":
        values[judgements.group[:, None] < places] = 0.0
    return np.where(relevant, values, convention.no_relevant)


@measure("mean-ndcg", title="MeanNDCG")
def mean_ndcg(ranking: Ranking, convention: Convention) -> np.ndarray:
    """The mean of a query's NDCG@1, NDCG@2, … up to its length: LETOR 4.0's MeanNDCG.

    Returns:
        (queries,) values in [0, 1].
    """
    group = ranking.judgements.group
    values = ndcg(ranking, range(1, int(group.max()) + 1), convention)
    inside = np.arange(values.shape[1]) < group[:, None]
    means: np.ndarray = np.where(inside, values, 0.0).sum(axis=1) / group
    return means
