"""Average precision: the mean, over a query's relevant documents, of precision at their ranks."""

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("map", title="MAP", also=["ap"], binary=True)
def average_precision(ranking: Ranking, convention: Convention) -> np.ndarray:
    """Average precision of each query, with labels taken as relevant or not.

    With ties in expectation: a group of n tied documents, r of them relevant, follows t
    documents of which R are relevant. At its rank j stands a relevant document with
    probability r / n, and then R + 1 + (j - t - 1)(r - 1)/(n - 1) relevant ones stand at or
    above it in expectation. Without ties (n = 1) this is the usual definition.

    Returns:
        (queries,) values in [0, 1]; the mean over queries is MAP.
    """
    return _mean_over_relevant(ranking, convention, _precisions(ranking))


@measure("map@K", title="AP@K", also=["ap@K"], binary=True)
def average_precision_at(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    """Average precision in which relevant documents below rank K count 0.

    Divided by the number of all relevant documents, as trec_eval's map_cut: a query with more
    than K of them cannot reach 1.

    Returns:
        (queries,) values in [0, 1].
    """
    above = np.where(ranking.ranks <= cutoff, _precisions(ranking), 0.0)
    return _mean_over_relevant(ranking, convention, above)


def _precisions(ranking: Ranking) -> np.ndarray:
    """(documents,) precision at each place if a relevant document stands there, otherwise 0."""
    judgements = ranking.judgements
    relevant = judgements.relevant.astype(np.float64)
    starts, sizes = ranking.tie_starts, ranking.tie_sizes
    relevant_in_tie = np.add.reduceat(relevant[ranking.order], starts)
    # Relevant documents in earlier ties of the same query.
    query_of_tie = judgements.query[starts]
    running = np.cumsum(relevant_in_tie) - relevant_in_tie
    first_tie = np.searchsorted(query_of_tie, np.arange(judgements.queries))
    before_tie = running - running[first_tie][query_of_tie]

    size, inside, before = (
        np.repeat(values, sizes) for values in (sizes, relevant_in_tie, before_tie)
    )
    place_in_tie = np.arange(len(size)) - np.repeat(starts, sizes)
    others_above = place_in_tie * (inside - 1.0) / np.maximum(size - 1, 1)
    return np.asarray(inside / size * (before + 1.0 + others_above) / ranking.ranks)


def _mean_over_relevant(
    ranking: Ranking, convention: Convention, precisions: np.ndarray
) -> np.ndarray:
    judgements = ranking.judgements
    sums, totals = judgements.query_sums(precisions), judgements.relevant_counts
    return np.where(totals > 0, sums / np.maximum(totals, 1.0), convention.no_relevant)
