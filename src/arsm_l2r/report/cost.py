"""What the runs cost: time and memory of each method, and of everything together."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import in_order, method_title
from arsm_l2r.report.table import Cell, Group, Table, number

_HOUR = 3600


def cost_table(
    folds: Sequence[Mapping[str, Any]],
    jobs: Mapping[str, pl.DataFrame],
    titles: Mapping[str, str],
) -> Table:
    """Per data set and method: training time, the whole job's, processor time, memory.

    Args:
        folds: results of folds.
        jobs: by data set, as `benchmarks.read_benchmarks` gives them.
        titles: of the data sets, as they are printed.
    """
    training = pl.DataFrame(
        [
            (fold["dataset"], run["method"], run["seed"], float(run["seconds"]))
            for fold in folds
            for run in fold["runs"]
        ],
        schema={
            "dataset": pl.String,
            "method": pl.String,
            "seed": pl.Int64,
            "seconds": pl.Float64,
        },
        orient="row",
    )
    groups, data = [], []
    for dataset, title in titles.items():
        own = jobs[dataset].filter(rule="train")
        rows = []
        for method in in_order(training.filter(dataset=dataset)["method"]):
            trained = training.filter(dataset=dataset, method=method)
            whole = own.filter(method=method)
            if whole.height:  # the same runs in every column
                trained = trained.filter(pl.col("seed").is_in(whole["seed"].unique().implode()))
            facts = {
                "jobs": trained.height,
                "training": trained["seconds"].mean(),
                "job": whole["seconds"].mean(),
                "processor": whole["processor"].mean(),
                "memory": whole["mebibytes"].max(),
            }
            rows.append(
                [
                    Cell(method_title(method)),
                    Cell(str(facts["jobs"])),
                    *(
                        Cell(number(facts[key], ".1f"))  # type: ignore[arg-type]
                        for key in ("training", "job", "processor")
                    ),
                    Cell(number(facts["memory"], ".0f")),  # type: ignore[arg-type]
                ]
            )
            data.append({"dataset": dataset, "method": method, **facts})
        groups.append(Group(rows, title=title))
    return Table(
        name="cost",
        label="tab:cost",
        caption="Time and memory of a training job.",
        columns=[
            "Method",
            "Jobs",
            "Training (s)",
            "Whole job (s)",
            "Processor time (s)",
            "Peak memory (MiB)",
        ],
        alignment="lrrrrr",
        groups=groups,
        notes=[
            "Means over folds and seeds; of memory, the highest. The whole job includes starting "
            "Python and, for networks, TensorFlow.",
            *_altogether(jobs),
        ],
        data=pl.DataFrame(data),
    )


def _altogether(jobs: Mapping[str, pl.DataFrame]) -> list[str]:
    """What all jobs took together, and what those of one seed did."""
    total = sum(own["processor"].fill_null(0.0).sum() for own in jobs.values())
    if not total:
        return []
    seeds = len({seed for own in jobs.values() for seed in own["seed"].drop_nulls()})
    return [
        f"All jobs together took {total / _HOUR:.1f} hours of processor time"
        + (f", {total / seeds / _HOUR:.1f} hours per seed" if seeds > 1 else "")
        + ". Jobs that were interrupted count from their last start."
    ]
