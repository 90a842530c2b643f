"""The values of single queries: those that are there, as one table."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.measured import RUNS
from arsm_l2r.analysis.paired import KEYS
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.files import read_parquet, written_whole

_KEYS = {name: kind for name, kind in RUNS.items() if name not in ("measure", "value")}
_KEYS["qid"] = pl.Int64


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
            tables.append(read_parquet(gathered))
            continue
        for run in fold["runs"]:
            place = (fold["dataset"], fold["fold"], run["method"], run["seed"])
            path = results.run(*place).measures
            if not path.exists():
                continue
            keys = {
                name: pl.lit(value, dtype=_KEYS[name])
                for name, value in zip(("dataset", "fold", "method", "seed"), place, strict=True)
            }
            measures = read_parquet(path)
            tables.append(measures.select(**keys, **{c: pl.col(c) for c in measures.columns}))
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
