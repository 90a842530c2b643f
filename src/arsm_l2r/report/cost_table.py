"""What the runs cost, as a table: time and memory of each method, and of everything together."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import polars as pl

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.report.table import Cell, Group, Table, number

_HOUR = 3600
_SHOWN = {
    "training": ("Training (s)", ".1f"),
    "job": ("Whole job (s)", ".1f"),
    "processor": ("Processor time (s)", ".1f"),
    "memory": ("Peak memory (MiB)", ".0f"),
}


def cost_table(analyses: Sequence[Analysis], jobs: Mapping[str, pl.DataFrame]) -> Table:
    """Per data set and method: training time, the whole job's, processor time, memory.

    Args:
        analyses: of the data sets.
        jobs: by data set, as `benchmarks.read_benchmarks` gives them.
    """
    found = {each.title: _costs(each, jobs[each.dataset]) for each in analyses}
    return Table(
        name="cost",
        label="tab:cost",
        caption="Time and memory of a training job.",
        columns=["Method", "Jobs", *(title for title, _ in _SHOWN.values())],
        alignment="lrrrrr",
        groups=[Group([_cells(own) for own in rows], title) for title, rows in found.items()],
        notes=[
            "Means over folds and seeds; of memory, the highest. The whole job includes starting "
            "Python and, for networks, TensorFlow.",
            *_altogether(list(jobs.values())),
        ],
        data=pl.DataFrame([own for rows in found.values() for own in rows]),
    )


def _cells(own: Mapping[str, Any]) -> list[Cell]:
    numbers = [Cell(number(own[key], form)) for key, (_, form) in _SHOWN.items()]
    return [Cell(method_title(own["method"])), Cell(str(own["jobs"])), *numbers]


def _costs(analysis: Analysis, jobs: pl.DataFrame) -> list[dict[str, Any]]:
    """Means over the training jobs of each method: seconds; of memory, the most, in MiB."""
    found = []
    for method in analysis.methods:
        runs = [run for run in analysis.runs if run.method == method]
        whole = jobs.filter(rule="train", method=method)
        if whole.height:  # the same runs in every column
            runs = [run for run in runs if run.seed in whole["seed"]]
        seconds = [run.seconds for run in runs if run.seconds is not None]
        training = fmean(seconds) if seconds else None
        means = whole.select(
            job=pl.col("seconds").mean(),
            processor=pl.col("processor").mean(),
            memory=pl.col("mebibytes").max(),
        )
        head = {"dataset": analysis.dataset, "method": method, "jobs": len(runs)}
        found.append({**head, "training": training, **means.row(0, named=True)})
    return found


def _altogether(jobs: Sequence[pl.DataFrame]) -> list[str]:
    """What all jobs took together, and what those of one seed did, in a sentence."""
    total = sum(own["processor"].fill_null(0.0).sum() for own in jobs)
    if not total:
        return []
    seeds = len({seed for own in jobs for seed in own["seed"].drop_nulls()})
    return [
        f"All jobs together took {total / _HOUR:.1f} hours of processor time"
        + (f", {total / seeds / _HOUR:.1f} hours per seed" if seeds > 1 else "")
        + ". Jobs that were interrupted count from their last start."
    ]
