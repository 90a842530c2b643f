"""Reciprocal rank: one over the rank of the first relevant document."""

import numpy as np
from scipy.special import gammaln

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("rr", title="RR")
def reciprocal_rank(ranking: Ranking, convention: Convention) -> np.ndarray:
    """Reciprocal rank of each query: one over the rank of its first relevant document.

    With ties in expectation: the first relevant document is in the first tie that has one. Of
    its n documents r are relevant, and the first of those stands at place i with probability
    C(n - i, r - 1) / C(n, r).

    Returns:
        (queries,) values in [0, 1].
    """
    judgements = ranking.judgements
    relevant = judgements.relevant
    starts, sizes = ranking.tie_starts, ranking.tie_sizes
    inside = np.add.reduceat(relevant[ranking.order].astype(np.int64), starts)
    found = np.flatnonzero(inside)
    queries, first = np.unique(judgements.query[starts[found]], return_index=True)
    ties = found[first]

    size, hits = sizes[ties], inside[ties]
    owner = np.repeat(np.arange(len(ties)), size)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size) + 1
    n, r = size[owner], hits[owner]
    possible = place <= n - r + 1
    i = np.where(possible, place, 1)
    share = np.exp(_log_choose(n - i, r - 1) - _log_choose(n, r)) * possible
    ranks = ranking.ranks[starts[ties]][owner] + place - 1
    values = np.full(judgements.queries, convention.no_relevant)
    values[queries] = np.bincount(owner, weights=share / ranks, minlength=len(ties))
    return values


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
