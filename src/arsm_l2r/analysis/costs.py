"""What the runs cost: time and memory of each method, and of everything together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import polars as pl

from arsm_l2r.analysis.stored import Analysis

_HOUR = 3600


@dataclass(frozen=True)
class Cost:
    """Means over the training jobs of a method: seconds; of memory, the most, in MiB."""

    dataset: str
    method: str
    jobs: int
    training: float | None
    job: float | None
    processor: float | None
    memory: float | None


def costs(analysis: Analysis, jobs: pl.DataFrame) -> list[Cost]:
    """What training each method on a data set cost.

    Args:
        analysis: of the data set.
        jobs: as `benchmarks.read_benchmarks` gives them.
    """
    found = []
    for method in analysis.methods:
        runs = [run for run in analysis.runs if run.method == method]
        whole = jobs.filter(rule="train", method=method)
        if whole.height:  # the same runs in every column
            runs = [run for run in runs if run.seed in whole["seed"]]
        seconds = [run.seconds for run in runs if run.seconds is not None]
        means = whole.select(pl.col("seconds", "processor").mean(), pl.col("mebibytes").max())
        training = fmean(seconds) if seconds else None
        found.append(Cost(analysis.dataset, method, len(runs), training, *means.row(0)))
    return found


def altogether(jobs: Mapping[str, pl.DataFrame]) -> list[str]:
    """What all jobs took together, and what those of one seed did, in a sentence."""
    every: Sequence[pl.DataFrame] = list(jobs.values())
    total = sum(own["processor"].fill_null(0.0).sum() for own in every)
    if not total:
        return []
    seeds = len({seed for own in every for seed in own["seed"].drop_nulls()})
    return [
        f"All jobs together took {total / _HOUR:.1f} hours of processor time"
        + (f", {total / seeds / _HOUR:.1f} hours per seed" if seeds > 1 else "")
        + ". Jobs that were interrupted count from their last start."
    ]
