"""What the runs of a study left, as tables to judge claims by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES
from arsm_l2r.analysis.queries import measures_file
from arsm_l2r.files import read_json, read_parquet
from arsm_l2r.report.claims.claim import with_mean


@dataclass(frozen=True)
class Runs:
    """The runs of a study.

    Attributes:
        names: of its variants.
        folds: how many folds each data set has.
        seeds: that the variants were trained with.
        results: folder with `{dataset}/fold{k}/{name}/seed{s}/`.
    """

    names: Sequence[str]
    folds: Mapping[str, int]
    seeds: Sequence[int]
    results: Path

    def __iter__(self) -> Iterator[tuple[str, str, int, int, Path]]:
        """Name, data set, fold, seed and folder of every run."""
        for name in self.names:
            for dataset, count in self.folds.items():
                for fold in range(1, count + 1):
                    for seed in self.seeds:
                        folder = measures_file(self.results, dataset, fold, name, seed).parent
                        yield name, dataset, fold, seed, folder

    def code(self) -> set[str]:
        """Fingerprints of the code that the runs come from."""
        return {read_json(folder / "run.json")["provenance"]["code"] for *_, folder in self}


def studied_queries(runs: Runs) -> pl.DataFrame:
    """The test measures of queries in the LETOR convention, as `claim.with_mean` gives them."""
    return with_mean(
        pl.concat(
            read_parquet(folder / "measures.parquet")
            .filter(split="test", convention="letor")
            .select(
                pl.lit(name).alias("name"),
                pl.lit(dataset).alias("dataset"),
                pl.lit(fold).alias("fold"),
                pl.lit(seed).alias("seed"),
                "qid",
                *MEASURE_TITLES,
            )
            for name, dataset, fold, seed, folder in runs
        )
    )


def seconds_per_epoch(runs: Runs) -> pl.DataFrame:
    """The `seconds` of an epoch per `name` and `dataset`: the median of the fastest run.

    The median, because programs are compiled in the first epoch and in some others; the fastest,
    because others may have shared their core with something else.
    """
    rows = [
        {
            "name": name,
            "dataset": dataset,
            "seconds": read_parquet(folder / "history.parquet")["seconds"].diff().median(),
        }
        for name, dataset, _, _, folder in runs
    ]
    table = pl.DataFrame(rows, schema_overrides={"seconds": pl.Float64})
    return table.group_by("name", "dataset", maintain_order=True).min()


def learning_curves(runs: Runs, settings: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    """Validation NDCG@10 by epoch, means over folds and seeds, with the time that it takes.

    Args:
        runs: whose curves are drawn.
        settings: of the variants by name: `estimator` and `learning_rate` tell them apart.

    Returns:
        One row per `dataset`, `estimator`, `learning_rate` and `epoch`, with `seconds` since the
        start: so many epochs of the duration that `seconds_per_epoch` gives.
    """
    durations = {(name, dataset): each for name, dataset, each in seconds_per_epoch(runs).rows()}
    tables = []
    for name, dataset, _, _, folder in runs:
        own = settings[name]
        tables.append(
            read_parquet(folder / "history.parquet").select(
                pl.lit(dataset).alias("dataset"),
                pl.lit(own["estimator"]).alias("estimator"),
                pl.lit(own["learning_rate"], dtype=pl.Float64).alias("learning_rate"),
                pl.col("epoch").cast(pl.Int64),
                "ndcg@10",
                (pl.col("epoch") * durations[name, dataset]).alias("seconds"),
            )
        )
    keys = ["dataset", "estimator", "learning_rate", "epoch"]
    return pl.concat(tables).group_by(keys, maintain_order=True).mean()
