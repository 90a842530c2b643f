"""The values of single queries: where they lie, and all of them as one table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES, method_title
from arsm_l2r.errors import UserError
from arsm_l2r.files import read_parquet, written_whole

_KEYS = {
    "dataset": pl.String,
    "fold": pl.Int64,
    "method": pl.String,
    "seed": pl.Int64,
    "split": pl.String,
    "convention": pl.String,
    "qid": pl.Int64,
}


def measures_file(results: Path, dataset: str, fold: int, method: str, seed: int) -> Path:
    """Where the values of a run's queries lie."""
    return results / dataset / f"fold{fold}" / method / f"seed{seed}" / "measures.parquet"


def gathered_file(results: Path, dataset: str, fold: int) -> Path:
    """Where the values of all runs of a fold lie, once they have been gathered."""
    return results / dataset / f"fold{fold}.parquet"


def per_query_table(folds: Sequence[Mapping[str, Any]], results: Path) -> pl.DataFrame:
    """Every value of every query, of the runs whose file is there.

    Args:
        folds: results of folds.
        results: the folder that they lie in, which has
            `{dataset}/fold{k}/{method}/seed{s}/measures.parquet`, or what `gather` made of them.

    Returns:
        One row per `dataset`, `fold`, `method`, `seed`, `split`, `convention` and `qid`, with a
        column per measure. Without any file, a table without rows and measures.
    """
    tables = []
    for fold in folds:
        gathered = gathered_file(results, fold["dataset"], fold["fold"])
        if gathered.exists():
            tables.append(read_parquet(gathered))
            continue
        for run in fold["runs"]:
            place = (fold["dataset"], fold["fold"], run["method"], run["seed"])
            path = measures_file(results, *place)
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


def gather(fold: Mapping[str, Any], results: Path, output: Path) -> None:
    """Write the values that tables rest on, of the test queries of all runs of a fold.

    Args:
        fold: the result of a fold.
        results: the folder that it lies in.
        output: the folder to write `{dataset}/fold{k}.parquet` to.

    Raises:
        UserError: if the values of a run are not there.
    """
    absent = runs_without_queries([fold], results)
    if absent:
        raise UserError(f"{results}: no values of single queries for {absent[0]}")
    table = per_query_table([fold], results).filter(split="test").select(*_KEYS, *MEASURE_TITLES)
    with written_whole(gathered_file(output, fold["dataset"], fold["fold"])) as temporary:
        table.write_parquet(temporary, compression="zstd", compression_level=19)


def runs_without_queries(folds: Sequence[Mapping[str, Any]], results: Path) -> list[str]:
    """The runs whose queries' values are not there, in words."""
    return [
        f"{method_title(run['method'])}, fold {fold['fold']}, seed {run['seed']}"
        for fold in folds
        if not gathered_file(results, fold["dataset"], fold["fold"]).exists()
        for run in fold["runs"]
        if not measures_file(
            results, fold["dataset"], fold["fold"], run["method"], run["seed"]
        ).exists()
    ]
