"""Success at k: whether there is a relevant document among the first k."""

import numpy as np

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.first_relevant import first_relevant
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking


@measure("success@K", title="Success@K", binary=True)
def success(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    """Whether a relevant document is among the first K: 1 or 0; with ties, how probable it is.

    Returns:
        (queries,) values in [0, 1].
    """
    judgements = ranking.judgements
    first = first_relevant(ranking)
    weights = np.where(first.ranks <= cutoff, first.shares, 0.0)
    values = np.bincount(first.queries, weights=weights, minlength=judgements.queries)
    # Probabilities whose logarithms were summed can add up to a last digit more than 1.
    return np.where(judgements.relevant_counts > 0, np.minimum(values, 1.0), convention.no_relevant)
