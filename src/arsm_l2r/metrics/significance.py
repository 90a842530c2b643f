"""Whether a difference between two methods is more than chance, and how sure a mean is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from numpy.typing import ArrayLike

_RESAMPLES = 500
"""Computed at once, which bounds the memory to this many copies of the data."""

_EXCHANGES, _QUERIES = 4096, 1024
"""Drawn at once, so many exchanges of so many queries: 32 MiB."""


@dataclass(frozen=True)
class Interval:
    """A mean over queries and its bootstrap confidence interval."""

    mean: float
    low: float
    high: float


def randomisation_test(
    first: ArrayLike, second: ArrayLike, *, rounds: int = 100_000, seed: int = 0
) -> float:
    """Two-sided paired randomisation test over queries.

    The hypothesis is that both methods are the same, so that exchanging their values on any
    query is as likely as not. Queries on which they are equal don't matter. All exchanges of the
    others are enumerated if there are no more than `rounds`.

    Args:
        first: (queries,) a measure of one method.
        second: (queries,) the same of the other, on the same queries in the same order.
        rounds: random exchanges to draw.
        seed: of those draws.

    Returns:
        The p-value: the share of exchanges with an absolute mean difference at least as large
        as the one seen, which counts as one of the drawn. `monte_carlo_error` says how exact it
        is if exchanges were drawn.
    """
    (p,) = randomisation_tests([(first, second)], rounds=rounds, seed=seed)
    return p


def randomisation_tests(
    pairs: Iterable[tuple[ArrayLike, ArrayLike]], *, rounds: int = 100_000, seed: int = 0
) -> list[float]:
    """`randomisation_test` of each pair of methods, much faster than one after another.

    All tests share the drawn exchanges. Each p-value is the one that its test has alone.
    """
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, not {rounds}")
    tests = [_Test.of(*_paired(first, second)) for first, second in pairs]
    drawn = [each for each in tests if 2 ** len(each.sizes) > rounds]
    found = iter(_drawn_p_values(drawn, rounds, seed) if drawn else [])
    return [next(found) if 2 ** len(each.sizes) > rounds else each.exact for each in tests]


def monte_carlo_error(p: float, rounds: int, tests: int = 1) -> float:
    """The standard error of a p-value that comes from so many drawn exchanges.

    Args:
        p: the p-value, corrected if there is more than one test.
        rounds: exchanges drawn.
        tests: the most that correction may have multiplied it by.
    """
    return sqrt(p * (tests - p) / rounds)


@dataclass(frozen=True)
class _Test:
    """What a randomisation test needs of two methods.

    Attributes:
        sizes: (queries,) the absolute differences of queries on which they differ, largest first.
        bound: what the absolute sum of an exchange's differences must reach to count.
    """

    sizes: np.ndarray
    bound: float

    @classmethod
    def of(cls, one: np.ndarray, two: np.ndarray) -> "_Test":
        """Of two methods' values.

        An exchange may equal the one seen in exact arithmetic and be a little smaller in ours.
        Values have an error of their own size, not of their difference's; sums add theirs.
        """
        differences = one - two
        error = np.finfo(np.float64).eps * fsum(abs(one) + abs(two)) * len(one)
        sizes = np.sort(abs(differences[differences != 0]))[::-1]
        return cls(sizes, abs(fsum(differences)) - 4 * error)

    @property
    def exact(self) -> float:
        """The p-value over all exchanges."""
        sums = np.zeros(1)
        for size in self.sizes:
            sums = np.concatenate([sums + size, sums - size])
        return float((abs(sums) >= self.bound).mean())


def _drawn_p_values(tests: Sequence[_Test], rounds: int, seed: int) -> list[float]:
    """The p-values over exchanges drawn for all tests together.

    The k-th largest difference of every test changes its sign with the k-th row of signs. The
    first rows are the same however many there are.
    """
    longest = max(len(each.sizes) for each in tests)
    sizes = np.array([np.pad(each.sizes, (0, longest - len(each.sizes))) for each in tests])
    totals = sizes.sum(axis=1, keepdims=True)
    bounds = np.array([[each.bound] for each in tests])
    hits = np.zeros(len(tests), dtype=np.int64)
    for start in range(0, rounds, _EXCHANGES):
        generator = np.random.default_rng([seed, start])
        positive = np.zeros((len(tests), _EXCHANGES))
        for block in range(0, longest, _QUERIES):
            own = sizes[:, block : block + _QUERIES]
            positive += own @ _coins(generator, own.shape[1])
        sums = 2 * positive[:, : rounds - start] - totals
        hits += (abs(sums) >= bounds).sum(axis=1)
    return [float(p) for p in (1 + hits) / (1 + rounds)]


def _coins(generator: np.random.Generator, rows: int) -> np.ndarray:
    """(rows, `_EXCHANGES`) zeros and ones: the bits of random bytes."""
    drawn = generator.integers(256, size=((rows + 7) // 8, 1, _EXCHANGES), dtype=np.uint8)
    bits = (drawn >> np.arange(8, dtype=np.uint8)[:, None]) & 1
    return bits.reshape(-1, _EXCHANGES)[:rows].astype(np.float64)


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
    from scipy import stats  # takes half a second, and few who measure test

    result = stats.bootstrap(
        (array,),
        np.mean,
        confidence_level=confidence,
        n_resamples=rounds,
        batch=_RESAMPLES,
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
