"""Whether a difference between two methods is more than chance, and how sure a mean is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

_BATCH = 500
"""Resamples computed at once, which bounds the memory to this many copies of the data."""


@dataclass(frozen=True)
class Interval:
    """A mean over queries and its bootstrap confidence interval."""

    mean: float
    low: float
    high: float


def randomisation_test(
    first: ArrayLike, second: ArrayLike, *, rounds: int = 10_000, seed: int = 0
) -> float:
    """Two-sided paired randomisation test over queries.

    The hypothesis is that both methods are the same, so that exchanging their values on any
    query is as likely as not. All exchanges are enumerated if there are no more than `rounds`.

    Args:
        first: (queries,) a measure of one method.
        second: (queries,) the same of the other, on the same queries in the same order.
        rounds: random exchanges to draw.
        seed: of those draws.

    Returns:
        The p-value: the share of exchanges with an absolute mean difference at least as large
        as the one seen (which counts as one of them).
    """
    one, two = _paired(first, second)
    if len(one) == 1 or np.array_equal(one, two):
        return 1.0
    from scipy import stats  # takes half a second, and few who measure test

    result = stats.permutation_test(
        (one, two),
        lambda x, y, axis: np.abs(np.mean(x - y, axis=axis)),
        permutation_type="samples",
        # SciPy's own two-sided test doubles the smaller tail, and with it the one exchange
        # that the difference seen counts as.
        alternative="greater",
        vectorized=True,
        n_resamples=rounds,
        batch=_BATCH,
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that keep the chance of any false alarm at the level tested.

    The k-th smallest of m is multiplied by m - k + 1, and none falls below a smaller one's.
    """
    p = np.asarray(p_values, dtype=np.float64)
    wrong = ~((p >= 0) & (p <= 1))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"p-values must lie in [0, 1], but number {at} (from 0) is {p[at]}")
    order = np.argsort(p, kind="stable")
    raised = p[order] * (len(p) - np.arange(len(p)))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return [float(value) for value in corrected]


def bootstrap_interval(
    values: ArrayLike, *, confidence: float = 0.95, rounds: int = 10_000, seed: int = 0
) -> Interval:
    """Mean of a measure over queries, with its percentile bootstrap interval.

    Args:
        values: (queries,) a measure.
        confidence: share of resamples inside the interval.
        rounds: resamples of the queries, with replacement.
        seed: of the resamples.
    """
    array = _finite("values", values)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not be {confidence}")
    mean = float(array.mean())
    if len(array) == 1 or (array == array[0]).all():
        return Interval(mean, mean, mean)
    from scipy import stats

    result = stats.bootstrap(
        (array,),
        np.mean,
        confidence_level=confidence,
        n_resamples=rounds,
        batch=_BATCH,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(mean, float(result.low), float(result.high))


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    one, two = _finite("first", first), _finite("second", second)
    if one.shape != two.shape:
        raise ValueError(f"a paired test needs the same queries: {len(one)} against {len(two)}")
    return one, two


def _finite(name: str, values: ArrayLike) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must be numbers, one per query, not of shape {array.shape}")
    if not np.isfinite(array).all():
        at = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, but that of query {at} (from 0) is {array[at]}")
    return array
