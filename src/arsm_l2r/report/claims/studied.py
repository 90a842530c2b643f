"""What the runs of a study left, as tables to judge claims by."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from arsm_l2r.report.claims.claim import query_means
from arsm_l2r.report.names import MEASURE_TITLES
from arsm_l2r.report.queries import measures_file
from arsm_l2r.studies import Variant


def runs_of(
    names: Sequence[str], folds: Mapping[str, int], seeds: Sequence[int], results: Path
) -> Iterator[tuple[str, str, int, int, Path]]:
    """Name, data set, fold, seed and folder of every run."""
    for name in names:
        for dataset, count in folds.items():
            for fold in range(1, count + 1):
                for seed in seeds:
                    folder = measures_file(results, dataset, fold, name, seed).parent
                    yield name, dataset, fold, seed, folder


def studied_queries(
    names: Sequence[str], folds: Mapping[str, int], seeds: Sequence[int], results: Path
) -> pl.DataFrame:
    """The test measures of every query in the LETOR convention, as `claim.query_means` gives them.

    Args:
        names: of the runs.
        folds: how many folds each data set has.
        seeds: that they were trained with.
        results: folder with `{dataset}/fold{k}/{name}/seed{s}/measures.parquet`.
    """
    return query_means(
        pl.concat(
            pl.read_parquet(folder / "measures.parquet")
            .filter(split="test", convention="letor")
            .select(
                pl.lit(name).alias("name"),
                pl.lit(dataset).alias("dataset"),
                pl.lit(fold).alias("fold"),
                pl.lit(seed).alias("seed"),
                "qid",
                *MEASURE_TITLES,
            )
            for name, dataset, fold, seed, folder in runs_of(names, folds, seeds, results)
        )
    )


def seconds_per_epoch(
    names: Sequence[str], folds: Mapping[str, int], seeds: Sequence[int], results: Path
) -> pl.DataFrame:
    """Mean over runs of the median `seconds` of an epoch, per `name` and `dataset`.

    The first epoch is left out: in it, programs are compiled.
    """
    rows = []
    for name, dataset, _, _, folder in runs_of(names, folds, seeds, results):
        elapsed = pl.read_parquet(folder / "history.parquet")["seconds"]
        epoch = elapsed.diff().drop_nulls().median()
        rows.append({"name": name, "dataset": dataset, "seconds": epoch})
    table = pl.DataFrame(rows, schema_overrides={"seconds": pl.Float64})
    return table.group_by("name", "dataset", maintain_order=True).mean()


def learning_curves(
    variants: Sequence[Variant], folds: Mapping[str, int], seeds: Sequence[int], results: Path
) -> pl.DataFrame:
    """Validation NDCG@10 by epoch, means over folds and seeds, with the time that it took.

    Returns:
        One row per `dataset`, `estimator`, `learning_rate` and `epoch`. Time runs from the end of
        the first epoch, in which programs are compiled.
    """
    settings = {variant.name: variant.settings for variant in variants}
    tables = []
    for name, dataset, _, _, folder in runs_of(list(settings), folds, seeds, results):
        own = settings[name]
        tables.append(
            pl.read_parquet(folder / "history.parquet").select(
                pl.lit(dataset).alias("dataset"),
                pl.lit(own["estimator"]).alias("estimator"),
                pl.lit(own["learning_rate"], dtype=pl.Float64).alias("learning_rate"),
                pl.col("epoch").cast(pl.Int64),
                "ndcg@10",
                pl.col("seconds") - pl.col("seconds").first(),
            )
        )
    keys = ["dataset", "estimator", "learning_rate", "epoch"]
    return pl.concat(tables).group_by(keys, maintain_order=True).mean()
