"""Average precision: the mean, over a query's relevant documents, of precision at their ranks."""

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("map", title="MAP")
def average_precision(ranking: Ranking, convention: Convention) -> np.ndarray:
    """Average precision of each query, with labels taken as relevant or not.

    With ties in expectation: a group of n tied documents, r of them relevant, follows t
    documents of which R are relevant. At its rank j stands a relevant document with
    probability r / n, and then R + 1 + (j - t - 1)(r - 1)/(n - 1) relevant ones stand at or
    above it in expectation. Without ties (n = 1) this is the usual definition.

    Returns:
        (queries,) values in [0, 1]; the mean over queries is MAP.
    """
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
    terms = inside / size * (before + 1.0 + others_above) / ranking.ranks
    totals = np.add.reduceat(relevant, judgements.offsets[:-1])
    sums = np.add.reduceat(terms, judgements.offsets[:-1])
    return np.where(totals > 0, sums / np.maximum(totals, 1.0), convention.no_relevant)
