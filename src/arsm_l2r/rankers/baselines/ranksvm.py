"""RankSVM: linear, pairwise squared hinge loss, in the primal (Lee and Lin 2014).

Minimises w·w / 2 + C Σ max(0, 1 - w·(x_i - x_j))² over all pairs of documents i, j of a query
where i has the higher label. The sum over pairs is never written out: for the pairs of one label
against all lower ones, sorted scores and running sums give each document its share.
"""

import warnings
from typing import Annotated

import numpy as np
import polars as pl
from pydantic import Field
from scipy.optimize import minimize

from arsm_l2r.declared import settings
from arsm_l2r.errors import Advice
from arsm_l2r.metrics import Judgements
from arsm_l2r.rankers.baselines.linear import LinearRanker
from arsm_l2r.rankers.feature_scaling import deviations
from arsm_l2r.rankers.learned_ranker import Learned, Queries
from arsm_l2r.rankers.method import BLUE, Method
from arsm_l2r.rankers.selection import SelectBy, SelectOn, selection_measures, selection_name

_SMALL = 1e-2
"""The end of training leaves less of the gradient than this; on LETOR's data, 0.0003 at most."""


@settings
class RankSVM(LinearRanker):
    """Linear RankSVM, C chosen on validation data."""

    costs: Annotated[
        tuple[Annotated[float, Field(gt=0)], ...],
        Field(
            strict=False,
            min_length=1,
            max_length=1000,
            description="Values of C to choose from on validation data.",
        ),
    ] = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
    iterations: Annotated[
        int, Field(ge=1, le=1_000_000, description="Most iterations of the optimiser for each C.")
    ] = 1000
    select_on: SelectOn = "ndcg@10"
    select_by: SelectBy = "letor"

    def _learn_weights(self, train: Queries, vali: Queries) -> tuple[np.ndarray, Learned]:
        weights = np.zeros(train.features.shape[1])
        rows, candidates, unfinished = [], [], []
        for cost in sorted(self.costs):
            found = minimize(
                objective,
                weights,  # the solution for the last C is a good start for the next
                args=(*train, cost),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": self.iterations, "ftol": 1e-9, "gtol": 1e-5},
            )
            weights = found.x
            candidates.append(weights)
            left = gradient_left(found.jac, train, cost)
            if not left < _SMALL:
                unfinished.append(f"C = {cost:g} ({found.nit} iterations, {left:.1g})")
            measures = selection_measures(
                vali.features @ weights, vali.judgements, self.select_by, self.select_on
            )
            rows.append({"cost": cost, "iterations": int(found.nit), **measures})
        if unfinished:
            warnings.warn(
                "RankSVM stopped before its objective was lowest, with this share of the gradient "
                f"left: {', '.join(unfinished)}; set feature_scaling to standard or quantile, or "
                f"iterations to more than {self.iterations}, or leave out these costs",
                Advice,
                stacklevel=2,
            )
        best = int(np.argmax([row[selection_name(self.select_on)] for row in rows]))
        choices = {"selected": {"cost": rows[best]["cost"]}, "grid": {"cost": sorted(self.costs)}}
        return candidates[best], Learned(pl.DataFrame(rows), best + 1, choices)


def objective(
    weights: np.ndarray, features: np.ndarray, judgements: Judgements, cost: float
) -> tuple[float, np.ndarray]:
    """RankSVM's objective and its gradient with respect to the weights."""
    loss, slopes = pairwise_squared_hinge(features @ weights, judgements)
    value = 0.5 * weights @ weights + cost * loss
    return float(value), weights + cost * (features.T @ slopes)


def gradient_left(gradient: np.ndarray, train: Queries, cost: float) -> float:
    """How large a gradient is, relative to that at zero weights.

    Each feature counts in units of its standard deviation. As it stands, a feature of large values
    would hide that nothing was learnt of the others: the optimiser, which does not see this, takes
    such a point for its end.
    """
    deviation = deviations(train.features)
    varies = deviation > 0
    _, start = objective(np.zeros(len(deviation)), *train, cost)
    norm, at_start = (
        float(np.linalg.norm(each[varies] / deviation[varies])) for each in (gradient, start)
    )
    return norm / at_start if at_start > 0 else 0.0


def pairwise_squared_hinge(scores: np.ndarray, judgements: Judgements) -> tuple[float, np.ndarray]:
    """Σ max(0, 1 - (s_i - s_j))² over pairs with label i above label j, and its gradient.

    One sort, and then O(n) for each label level.

    Returns:
        The sum, and its (documents,) derivatives with respect to the scores.
    """
    # Queries are kept apart by shifting their scores further than any margin reaches, so that one
    # order serves all: that of the queries, and of the scores inside each.
    spread = float(scores.max() - scores.min()) + 3.0
    shifted = scores - scores.min() + judgements.query * spread
    order = np.argsort(shifted)
    keys, starts = shifted[order], judgements.query * spread
    own, labels = keys - starts, judgements.labels[order]
    # Of each document: where its query begins and ends, and where the scores within its margin do.
    ends = np.cumsum(judgements.group)
    begin, end = (ends - judgements.group)[judgements.query], ends[judgements.query]
    above_low = np.searchsorted(keys, keys - 1.0, side="right")
    below_high = np.searchsorted(keys, keys + 1.0, side="left")
    loss, slopes, losses = 0.0, np.zeros_like(scores), np.zeros_like(scores)
    for label in range(1, int(labels.max()) + 1):
        higher, lower = np.flatnonzero(labels == label), np.flatnonzero(labels < label)
        if not len(higher) or not len(lower):
            continue
        # For a higher document with score s: the lower ones with a score above s - 1.
        below = _Running(own, lower)
        count, total, squares = below.between(above_low[higher], end[higher])
        gap = 1.0 - own[higher]  # so that the hinge is gap + score of the lower one
        losses[order[higher]] = count * gap**2 + 2.0 * gap * total + squares
        loss += float(losses[judgements.labels == label].sum())
        slopes[order[higher]] -= 2.0 * (count * gap + total)
        # For a lower document with score s: the higher ones with a score below s + 1.
        above = _Running(own, higher)
        count, total, _ = above.between(begin[lower], below_high[lower])
        slopes[order[lower]] += 2.0 * (count * (1.0 + keys[lower] - starts[lower]) - total)
    return loss, slopes


class _Running:
    """Running numbers and sums of some of the scores that stand in a row.

    Args:
        own: all scores.
        members: the places of those that count.
    """

    def __init__(self, own: np.ndarray, members: np.ndarray) -> None:
        values = own[members]
        counts = np.zeros(len(own) + 1, np.int64)
        counts[members + 1] = 1
        self._before = np.cumsum(counts)
        self._sums = np.concatenate([[0.0], np.cumsum(values)])
        self._squares = np.concatenate([[0.0], np.cumsum(values**2)])

    def between(
        self, first: np.ndarray, last: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number, sum and sum of squares of those from the place `first` to before `last`."""
        low, high = self._before[first], self._before[last]
        return (
            (high - low).astype(np.float64),
            self._sums[high] - self._sums[low],
            self._squares[high] - self._squares[low],
        )


METHOD = Method(
    name="ranksvm",
    title="RankSVM",
    description="pairwise: a linear model with the squared hinge loss of document pairs",
    ranker=RankSVM,
    colour=BLUE,
    marker="s",
    line="--",
    in_paper=True,
    order=1,
)
