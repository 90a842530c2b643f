"""How far one thing is ahead of another, query by query, and when that counts.

This is the one place that says so: the page, the tables' claims and the ablations' ask here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
import polars as pl

from arsm_l2r.analysis.words import corrected, signed
from arsm_l2r.metrics import (
    Interval,
    bootstrap_interval,
    holm,
    monte_carlo_error,
    randomisation_tests,
)

LEVEL = 0.05
"""Of significance."""

ROUNDS = 10_000
"""Resamples of intervals."""

EXCHANGES = 1_000_000
"""Of tests, which are all made if there are fewer. `exactness` says what so many are good for."""

KEYS = ["name", "dataset", "fold", "seed", "qid"]
"""What tells the values of queries apart; all other columns are measures."""

_QUERY = [key for key in KEYS if key != "seed"]
_BASE = " of the base"


@dataclass(frozen=True)
class Difference:
    """How far one thing is ahead of another on a data set's test queries.

    Attributes:
        dataset: its name.
        name: of what is compared with the base.
        measure: that was compared.
        value: mean over queries of the one's value minus the other's.
        low: lower end of its 95 % bootstrap interval.
        high: upper end.
        p: of the paired randomisation test.
        consistent: whether the difference has the same sign with every seed: the test knows how
            much queries differ, but not how much two trainings do.
        corrected: p after Holm's correction for all tests that it was made with.
    """

    dataset: str
    name: str
    measure: str
    value: float
    low: float
    high: float
    p: float
    consistent: bool
    corrected: float

    @property
    def significant(self) -> bool:
        """Whether it counts: unlikely to be chance, of queries or of training."""
        return self.corrected < LEVEL and self.consistent

    @property
    def better(self) -> bool:
        """Whether the one is significantly ahead."""
        return self.significant and self.value > 0

    @property
    def worse(self) -> bool:
        """Whether the other is significantly ahead."""
        return self.significant and self.value < 0

    def turned(self) -> "Difference":
        """How far the other is ahead of the one."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __str__(self) -> str:
        return f"{signed(self.value)} ({self.certainty})"

    @property
    def certainty(self) -> str:
        """How sure it is, in words."""
        seeds = "" if self.consistent else "; the sign differs between seeds"
        return f"{corrected(self.corrected)}{seeds}"


def for_these(found: Sequence[Difference]) -> list[Difference]:
    """Differences whose p is corrected for these tests only, whatever they were made with."""
    raised = holm([each.p for each in found])
    return [replace(each, corrected=p) for each, p in zip(found, raised, strict=True)]


def exactness(exchanges: int, tests: int) -> str:
    """How exact p-values are that are corrected for so many tests, in a sentence."""
    errors = (monte_carlo_error(LEVEL, exchanges, most) for most in (1, max(tests, 1)))
    single, raised = (ceil(1e4 * error) / 1e4 for error in errors)
    return (
        f"{exchanges:,} exchanges were drawn, or all made if there are no more: near {LEVEL} the "
        f"standard error is at most {single:.4f} for p and {raised:.4f} for corrected p."
    )


def query_means(queries: pl.DataFrame) -> pl.DataFrame:
    """The values of queries, a row per `KEYS` and a column per measure, averaged over seeds."""
    return queries.group_by(_QUERY).agg(pl.exclude(KEYS).mean().cast(pl.Float64)).sort(_QUERY)


def interval(means: pl.DataFrame, name: str, measure: str, rounds: int = ROUNDS) -> Interval | None:
    """The mean over the queries of one data set, with its 95 % bootstrap interval.

    Args:
        means: as `query_means` gives them.
        name: of what was measured.
        measure: that was measured.
        rounds: resamples.

    Returns:
        Nothing, if a value is not there or not a number.
    """
    values = _numbers(means.filter(name=name), measure)
    return None if values is None else bootstrap_interval(values, rounds=rounds)


def differences(
    queries: pl.DataFrame,
    base: str,
    names: Sequence[str],
    measures: Sequence[str],
    *,
    rounds: int = ROUNDS,
    exchanges: int = EXCHANGES,
) -> list[Difference]:
    """Compare each of several things with one, on every data set, query by query.

    Args:
        queries: a row per `KEYS`, a column per measure.
        base: what the others are compared with.
        names: of the others.
        measures: to compare.
        rounds: resamples of intervals.
        exchanges: of tests.

    Returns:
        A difference, other minus base, for each data set, name and measure of which every value is
        a number; corrected for all of them.
    """
    found: list[Difference] = []
    for dataset in queries["dataset"].unique(maintain_order=True):
        own = queries.filter(dataset=dataset)
        means = query_means(own)
        tests, compared = [], []
        for name in names:
            pairs = _paired(means, name, base, ["fold", "qid"])
            by_seed = _paired(own, name, base, ["seed", "fold", "qid"])
            for measure in measures:
                one, other = _numbers(pairs, measure), _numbers(pairs, f"{measure}{_BASE}")
                if one is None or other is None:
                    continue
                middle = bootstrap_interval(one - other, rounds=rounds)
                ahead = (pl.col(measure) - pl.col(f"{measure}{_BASE}")).mean()
                seeds = by_seed.group_by("seed").agg(ahead.alias("ahead"))["ahead"]
                consistent = bool((seeds * middle.mean >= 0).all())
                tests.append((one, other))
                compared.append((name, measure, middle, consistent))
        p_values = randomisation_tests(tests, rounds=exchanges)
        found += [
            Difference(dataset, name, measure, m.mean, m.low, m.high, p, consistent, p)
            for (name, measure, m, consistent), p in zip(compared, p_values, strict=True)
        ]
    return for_these(found)


def _paired(table: pl.DataFrame, name: str, base: str, on: list[str]) -> pl.DataFrame:
    others = table.filter(name=base)
    return table.filter(name=name).join(others, on=on, suffix=_BASE, maintain_order="left")


def _numbers(table: pl.DataFrame, column: str) -> np.ndarray | None:
    if column not in table.columns:
        return None
    values = table[column].fill_null(float("nan")).to_numpy()
    return values if len(values) and np.isfinite(values).all() else None
