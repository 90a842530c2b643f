"""What was measured, by run and by query, as tables; the one place that averages over folds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.paired import KEYS
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.reading import read_fold_result, read_measures
from arsm_l2r.files import written_whole
from arsm_l2r.metrics import PAPER_MEASURES

RUNS = {
    "dataset": pl.String,
    "fold": pl.Int64,
    "method": pl.String,
    "seed": pl.Int64,
    "split": pl.String,
    "convention": pl.String,
    "measure": pl.String,
    "value": pl.Float64,
}
"""The columns of a table of runs."""

_KEYS = {name: kind for name, kind in RUNS.items() if name not in ("measure", "value")}
_KEYS["qid"] = pl.Int64

_FIGURE = ["dataset", "method", "convention", "measure"]


def load_folds(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Read the results of folds, in the order given."""
    return [read_fold_result(path) for path in paths]


def measures_of(runs: pl.DataFrame) -> list[str]:
    """The measures of test queries: the paper's, whether or not they are there, then others."""
    found = runs.filter(split="test")["measure"].unique(maintain_order=True)
    return list(dict.fromkeys([*PAPER_MEASURES, *found]))


def runs_table(folds: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Every value measured.

    Returns:
        One row per `dataset`, `fold`, `method`, `seed`, `split`, `convention` and `measure`, with
        its `value`: NaN where the file has none.
    """
    rows = [
        (
            *(fold["dataset"], fold["fold"], run["method"], run["seed"]),
            *(split, convention, measure),
            float("nan") if value is None else float(value),
        )
        for fold in folds
        for run in fold["runs"]
        for split in ("vali", "test")
        for convention, values in run.get(split, {}).items()
        for measure, value in values.items()
    ]
    return pl.DataFrame(rows, schema=RUNS, orient="row")


def fold_means(runs: pl.DataFrame, split: str = "test") -> pl.DataFrame:
    """The `value` of every `dataset`, `method`, `convention`, `measure` and `fold`: over seeds."""
    return (
        runs.filter(split=split)
        .group_by(*_FIGURE, "fold", maintain_order=True)
        .agg(pl.col("value").mean())
    )


def figures(runs: pl.DataFrame, split: str = "test") -> pl.DataFrame:
    """The figure of each data set: the unweighted mean over folds of the mean over seeds.

    Returns:
        One row per `dataset`, `method`, `convention` and `measure`: the `value`, the `spread`
        (standard deviation over seeds of the mean over folds; null for one seed), the number of
        `folds` and of `seeds`. A value that is not a number makes the figure none either.
    """
    chosen = runs.filter(split=split)
    values = (
        fold_means(runs, split)
        .group_by(_FIGURE, maintain_order=True)
        .agg(pl.col("value").mean(), folds=pl.len())
    )
    # A seed that misses a fold would differ from the others for that reason alone.
    spreads = (
        chosen.group_by(*_FIGURE, "seed", maintain_order=True)
        .agg(pl.col("value").mean(), present=pl.len())
        .join(values.select(*_FIGURE, "folds"), on=_FIGURE)
        .filter(pl.col("present") == pl.col("folds"))
        .group_by(_FIGURE, maintain_order=True)
        .agg(spread=pl.col("value").std(ddof=1))
    )
    seeds = chosen.group_by(_FIGURE, maintain_order=True).agg(seeds=pl.col("seed").n_unique())
    return (
        values.join(spreads, on=_FIGURE, how="left", maintain_order="left")
        .join(seeds, on=_FIGURE, how="left", maintain_order="left")
        .select(*_FIGURE, "value", "spread", "folds", "seeds")
    )


def per_query_table(folds: Sequence[Mapping[str, Any]], results: Layout) -> pl.DataFrame:
    """Every value of every query, of the runs whose file is there.

    Args:
        folds: results of folds.
        results: where each run left its measures, or where `gather` put them.

    Returns:
        One row per `dataset`, `fold`, `method`, `seed`, `split`, `convention` and `qid`, with a
        column per measure. Without any file, a table without rows and measures.
    """
    tables = []
    for fold in folds:
        gathered = results.gathered_queries(fold["dataset"], fold["fold"])
        if gathered.exists():
            tables.append(read_measures(gathered))
            continue
        for run in fold["runs"]:
            place = (fold["dataset"], fold["fold"], run["method"], run["seed"])
            path = results.run(*place).measures
            if not path.exists():
                continue
            keys = [
                pl.lit(value, dtype=_KEYS[name]).alias(name)
                for name, value in zip(("dataset", "fold", "method", "seed"), place, strict=True)
            ]
            tables.append(read_measures(path).select(*keys, pl.all()))
    if not tables:
        return pl.DataFrame(schema=_KEYS)
    return pl.concat(tables, how="diagonal_relaxed")


def tested_queries(per_query: pl.DataFrame, convention: str) -> pl.DataFrame:
    """The test queries in one convention, as `paired` takes them: a method's name is `name`."""
    chosen = per_query.filter(split="test", convention=convention).rename({"method": "name"})
    return chosen.select(*KEYS, pl.exclude(*KEYS, "split", "convention"))


def gather(
    fold: Mapping[str, Any], results: Layout, output: Layout, measures: Sequence[str]
) -> None:
    """Write the values that tables rest on, of the test queries of all runs of a fold.

    Args:
        fold: the result of a fold.
        results: where it lies.
        output: where to gather them.
        measures: to take.

    Raises:
        UserError: if the values of a run are not there.
    """
    absent = runs_without_queries([fold], results)
    if absent:
        raise UserError(f"{results.root}: no values of single queries for {absent[0]}")
    table = per_query_table([fold], results).filter(split="test").select(*_KEYS, *measures)
    with written_whole(output.gathered_queries(fold["dataset"], fold["fold"])) as temporary:
        table.write_parquet(temporary, compression="zstd", compression_level=19)


def runs_without_queries(folds: Sequence[Mapping[str, Any]], results: Layout) -> list[str]:
    """The runs whose queries' values are not there, in words."""
    return [
        f"{method_title(run['method'])}, fold {fold['fold']}, seed {run['seed']}"
        for fold in folds
        if not results.gathered_queries(fold["dataset"], fold["fold"]).exists()
        for run in fold["runs"]
        if not results.run(
            fold["dataset"], fold["fold"], run["method"], run["seed"]
        ).measures.exists()
    ]
