"""What was measured, as tables to compute with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.completeness import missing, mixed_provenance
from arsm_l2r.analysis.names import MEASURE_TITLES, METHOD_TITLES, OURS, in_order, method_title
from arsm_l2r.errors import UserError
from arsm_l2r.files import read_json

__all__ = [
    "MEASURE_TITLES",
    "METHOD_TITLES",
    "OURS",
    "figures",
    "in_order",
    "load_folds",
    "method_title",
    "missing",
    "mixed_provenance",
    "runs_table",
]

_RUNS = {
    "dataset": pl.String,
    "fold": pl.Int64,
    "method": pl.String,
    "seed": pl.Int64,
    "split": pl.String,
    "convention": pl.String,
    "measure": pl.String,
    "value": pl.Float64,
}


def load_folds(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Read the results of folds, `results/{dataset}/fold{k}.json`, in the order given."""
    folds = []
    for path in paths:
        fold = read_json(path)
        if not isinstance(fold, dict) or not {"dataset", "fold", "runs"} <= fold.keys():
            raise UserError(f"{path}: not the result of a fold: no dataset, fold and runs in it")
        folds.append(fold)
    return folds


def runs_table(folds: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Every value measured.

    Returns:
        One row per `dataset`, `fold`, `method`, `seed`, `split`, `convention` and `measure`, with
        its `value`: NaN where the file has none.
    """
    rows = [
        (
            fold["dataset"],
            fold["fold"],
            run["method"],
            run["seed"],
            split,
            convention,
            measure,
            float("nan") if value is None else float(value),
        )
        for fold in folds
        for run in fold["runs"]
        for split in ("vali", "test")
        for convention, values in run.get(split, {}).items()
        for measure, value in values.items()
    ]
    return pl.DataFrame(rows, schema=_RUNS, orient="row")


def figures(runs: pl.DataFrame, split: str = "test") -> pl.DataFrame:
    """The figure of each data set: the unweighted mean over folds of the mean over seeds.

    Returns:
        One row per `dataset`, `method`, `convention` and `measure`: the `value`, the `spread`
        (standard deviation over seeds of the mean over folds; null for one seed), the number of
        `folds` and of `seeds`. A value that is not a number makes the figure none either.
    """
    keys = ["dataset", "method", "convention", "measure"]
    chosen = runs.filter(split=split)
    values = (
        chosen.group_by(*keys, "fold", maintain_order=True)
        .agg(pl.col("value").mean())
        .group_by(keys, maintain_order=True)
        .agg(pl.col("value").mean(), folds=pl.len())
    )
    # A seed that misses a fold would differ from the others for that reason alone.
    spreads = (
        chosen.group_by(*keys, "seed", maintain_order=True)
        .agg(pl.col("value").mean(), present=pl.len())
        .join(values.select(*keys, "folds"), on=keys)
        .filter(pl.col("present") == pl.col("folds"))
        .group_by(keys, maintain_order=True)
        .agg(spread=pl.col("value").std(ddof=1))
    )
    seeds = chosen.group_by(keys, maintain_order=True).agg(seeds=pl.col("seed").n_unique())
    return (
        values.join(spreads, on=keys, how="left", maintain_order="left")
        .join(seeds, on=keys, how="left", maintain_order="left")
        .select(*keys, "value", "spread", "folds", "seeds")
    )
