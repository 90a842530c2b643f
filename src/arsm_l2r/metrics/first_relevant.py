"""Where the first relevant document of each query stands, with what probability."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from arsm_l2r.metrics.ranking import Ranking


@dataclass(frozen=True)
class FirstRelevant:
    """The ranks at which the first relevant document of each query can stand.

    Without ties there is one for each query that has a relevant document in its list.

    Attributes:
        queries: (places,) which query, from 0.
        ranks: (places,) the rank, from 1.
        shares: (places,) how probable it is; sums to 1 over the places of a query.
    """

    queries: np.ndarray
    ranks: np.ndarray
    shares: np.ndarray


def first_relevant(ranking: Ranking) -> FirstRelevant:
    """Find it.

    With ties in expectation: the first relevant document is in the first tie that has one. Of
    its n documents r are relevant, and the first of those stands at place i with probability
    C(n - i, r - 1) / C(n, r).
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
    return FirstRelevant(queries[owner], ranks, share)


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
