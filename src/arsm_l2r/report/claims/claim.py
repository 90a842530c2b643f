"""A sentence of the paper, what was measured about it, and whether it holds."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES
from arsm_l2r.analysis.verdicts import Answer
from arsm_l2r.analysis.words import LEVEL, corrected, signed
from arsm_l2r.metrics import bootstrap_interval, holm, randomisation_test
from arsm_l2r.report.figures.style import Drawing

MEASURES = {**MEASURE_TITLES, "mean": "mean of the five"}
"""What claims are judged by, as it is printed."""


@dataclass(frozen=True)
class Claim:
    """A claim and its verdict.

    Attributes:
        name: of its files.
        title: a few words.
        says: what the paper says, or what we do.
        answer: whether it holds.
        because: what was measured, in words and numbers, a paragraph each.
        drawing: the figure that shows it.
        data: the numbers behind it.
    """

    name: str
    title: str
    says: str
    answer: Answer
    because: Sequence[str]
    drawing: Drawing
    data: pl.DataFrame


@dataclass(frozen=True)
class Difference:
    """How far one thing is ahead of another on a data set's test queries.

    Attributes:
        dataset: its name.
        name: of the one.
        measure: that was compared.
        value: mean over queries of the one's value minus the other's.
        low: lower end of its 95 % bootstrap interval.
        high: upper end.
        p: of the paired randomisation test.
        consistent: whether the difference has the same sign with every seed: the test knows how
            much queries differ, but not how much two trainings do.
        corrected: p after Holm's correction for all tests of the claim.
    """

    dataset: str
    name: str
    measure: str
    value: float
    low: float
    high: float
    p: float
    consistent: bool = True
    corrected: float = field(default=float("nan"))

    @property
    def significant(self) -> bool:
        """Whether it is unlikely to be chance, of queries or of training."""
        return self.corrected < LEVEL and self.consistent

    def turned(self) -> "Difference":
        """How far the other is ahead of the one."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __str__(self) -> str:
        seeds = "" if self.consistent else "; the sign differs between seeds"
        return f"{signed(self.value)} ({corrected(self.corrected)}{seeds})"


def with_mean(per_query: pl.DataFrame) -> pl.DataFrame:
    """Each query's measures in order, with their `mean` as one more measure.

    Args:
        per_query: one row per `name`, `dataset`, `fold`, `seed` and `qid`, a column per measure.
    """
    keys = ["name", "dataset", "fold", "seed", "qid"]
    return per_query.select(
        *keys, *MEASURE_TITLES, pl.mean_horizontal(*MEASURE_TITLES).alias("mean")
    ).sort(keys)


def query_means(queries: pl.DataFrame) -> pl.DataFrame:
    """What `with_mean` gives, averaged over seeds."""
    keys = ["name", "dataset", "fold", "qid"]
    return queries.group_by(keys).agg(pl.col(*MEASURES).mean()).sort(keys)


def differences(
    queries: pl.DataFrame,
    base: str,
    names: Sequence[str],
    measures: Sequence[str],
    *,
    rounds: int = 10_000,
) -> list[Difference]:
    """Compare each of several things with one, on every data set, query by query.

    Args:
        queries: as `with_mean` gives them.
        base: what the others are compared with.
        names: of the others.
        measures: to compare.
        rounds: resamples of intervals and tests.
    """
    found = []
    for dataset in queries["dataset"].unique(maintain_order=True):
        own = queries.filter(dataset=dataset)
        means = query_means(own)
        for name in names:
            pairs = _paired(means, name, base, ["fold", "qid"])
            by_seed = _paired(own, name, base, ["seed", "fold", "qid"])
            for measure in measures:
                one = pairs[measure].to_numpy()
                other = pairs[f"{measure}{_BASE}"].to_numpy()
                interval = bootstrap_interval(one - other, rounds=rounds)
                p = randomisation_test(one, other, rounds=rounds)
                ahead = pl.col(measure) - pl.col(f"{measure}{_BASE}")
                seeds = by_seed.group_by("seed").agg(ahead.mean().alias("ahead"))["ahead"]
                found.append(
                    Difference(
                        dataset,
                        name,
                        measure,
                        *(interval.mean, interval.low, interval.high),
                        p,
                        consistent=bool((seeds * interval.mean >= 0).all()),
                    )
                )
    raised = holm([each.p for each in found])
    return [replace(each, corrected=p) for each, p in zip(found, raised, strict=True)]


_BASE = " of the base"


def _paired(table: pl.DataFrame, name: str, base: str, on: list[str]) -> pl.DataFrame:
    return table.filter(name=name).join(table.filter(name=base), on=on, suffix=_BASE)


def improvement(found: Sequence[Difference]) -> Answer:
    """Whether something is an improvement, from its differences on all data sets.

    It holds if it is significant everywhere, and in part if it is somewhere. The opposite holds
    if it is nowhere significantly better and somewhere significantly worse. Otherwise nothing is
    seen.
    """
    better = [each for each in found if each.significant and each.value > 0]
    worse = [each for each in found if each.significant and each.value < 0]
    if not found:
        return Answer.UNKNOWN
    if len(better) == len(found):
        return Answer.HOLDS
    if better:
        return Answer.IN_PART
    return Answer.OPPOSITE if worse else Answer.NOT_SEEN


def means_by_name(queries: pl.DataFrame) -> pl.DataFrame:
    """Means over the queries of all folds, per `dataset` and `name`.

    Args:
        queries: as `with_mean` gives them.
    """
    return (
        query_means(queries)
        .group_by("dataset", "name", maintain_order=True)
        .agg(pl.col(*MEASURES).mean(), queries=pl.len())
    )


def interval_of(queries: pl.DataFrame, dataset: str, name: str, measure: str) -> np.ndarray:
    """(3,) mean, lower and upper end of its 95 % bootstrap interval over queries.

    Args:
        queries: as `with_mean` gives them.
        dataset: its name.
        name: of what was measured.
        measure: that was measured.
    """
    values = query_means(queries.filter(dataset=dataset, name=name))[measure].to_numpy()
    interval = bootstrap_interval(values)
    return np.array([interval.mean, interval.low, interval.high])
