"""Expected reciprocal rank (Chapelle, Metzler, Zhang and Grinspan 2009)."""

import numpy as np

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import measure
from arsm_l2r.metrics.ranking import Ranking

HIGHEST_GRADE = 4
"""The label of a perfect document, which satisfies with probability 15/16.

That of gdeval, and so of ir_measures, and of Yahoo's and Microsoft's data with five grades. It does
not follow the data: a query's value would then depend on other queries' labels.
"""


@measure("err@K", title="ERR@K")
def expected_reciprocal_rank(ranking: Ranking, convention: Convention, cutoff: int) -> np.ndarray:
    """One over the rank at which a reader is satisfied, in expectation; 0 below rank K.

    A document of label y satisfies with probability (2^y - 1) / 2^4, and the reader goes down the
    list until one does.

    With ties in expectation: that a reader passes j documents drawn from a tie has the
    probability m_j, the mean over all choices of j of them of the product of 1 - probability.
    m_(j-1) - m_j is that of being satisfied by the j-th.

    Returns:
        (queries,) values in [0, 1].

    Raises:
        ConfigError: if a label is above 4.
    """
    judgements = ranking.judgements
    highest = judgements.complete.labels.max()
    if highest > HIGHEST_GRADE:
        raise ConfigError(
            f"ERR knows labels from 0 to {HIGHEST_GRADE}, and there is a label {highest}; leave "
            "it out or map the labels to these"
        )
    passed = 1.0 - judgements.gains[ranking.order] / 2.0**HIGHEST_GRADE
    depth = min(cutoff, int(judgements.group.max()))
    # Before rank r the reader has passed all documents above it, in whatever order.
    passed_before = np.ones((judgements.queries, depth))
    table = judgements.by_rank(passed, depth)
    passed_before[:, 1:] = np.cumprod(table[:, :-1], axis=1)

    starts, sizes = ranking.tie_starts, ranking.tie_sizes
    tie_ranks = np.minimum(ranking.ranks[starts], depth)
    before = np.repeat(passed_before[judgements.query[starts], tie_ranks - 1], sizes)
    satisfied = before * _satisfied_in_tie(passed, starts, sizes, depth)
    values = judgements.query_sums(np.where(ranking.ranks <= cutoff, satisfied / ranking.ranks, 0))
    any_relevant = judgements.complete.query_sums(judgements.complete.gains) > 0
    return np.where(any_relevant, values, convention.no_relevant)


def _satisfied_in_tie(
    passed: np.ndarray, starts: np.ndarray, sizes: np.ndarray, depth: int
) -> np.ndarray:
    """(documents,) how probable it is to be satisfied at each place, counted from its tie's first.

    The means m_j of n documents become, with one more that is passed with probability q,
    m_j (n + 1 - j)/(n + 1) + q m_(j-1) j/(n + 1): sums of what is not negative, so exact.
    Only the first `depth` places of a tie are needed.
    """
    satisfied = 1.0 - passed
    for size in np.unique(sizes[sizes > 1]):
        first = starts[sizes == size]
        width = min(int(size), depth)
        drawn = np.arange(1, width + 1)
        means = np.zeros((len(first), width + 1))
        means[:, 0] = 1.0
        for there in range(size):
            with_this = passed[first + there, None] * means[:, :-1] * drawn
            without = means[:, 1:] * np.maximum(there + 1 - drawn, 0)
            means[:, 1:] = (without + with_this) / (there + 1)
        at = first[:, None] + np.arange(width)
        satisfied[at] = np.maximum(-np.diff(means, axis=1), 0.0)
    return satisfied
