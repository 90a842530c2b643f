"""What the runs of a study left, as tables to judge claims by."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.claims.claim import Descriptions, with_mean
from arsm_l2r.analysis.completeness import differing
from arsm_l2r.analysis.paired import KEYS
from arsm_l2r.experiments.plan import Evidence, Run
from arsm_l2r.experiments.reading import read_measures, read_numbers, read_record
from arsm_l2r.metrics import PAPER_MEASURES


def changed(evidence: Evidence, setting: str) -> dict[str, Any]:
    """What the variants of the study have as a setting, by their names."""
    assert evidence.study is not None
    return {variant.name: variant.settings[setting] for variant in evidence.study.variants}


def titles(descriptions: Descriptions) -> dict[str, str]:
    """The data sets as they are printed."""
    return {name: each["title"] for name, each in descriptions.items()}


def mixed_code(runs: Sequence[Run]) -> list[str]:
    """The versions of the code of variants whose runs come from more than one."""
    return differing(
        (run.name, read_record(run.files.record)["provenance"]["code"]) for run in runs
    )


def rescored_queries(files: Mapping[str, Path]) -> pl.DataFrame:
    """The test measures by query of other scores, and of random order."""
    return with_mean(pl.concat(read_numbers(path, PAPER_MEASURES) for path in files.values()))


def studied_queries(runs: Sequence[Run]) -> pl.DataFrame:
    """The test measures of queries in the LETOR convention, as `claim.with_mean` gives them."""
    return with_mean(
        pl.concat(
            read_measures(run.files.measures)
            .filter(split="test", convention="letor")
            .with_columns(name=pl.lit(run.name), dataset=pl.lit(run.dataset))
            .with_columns(fold=pl.lit(run.fold), seed=pl.lit(run.seed))
            .select(*KEYS, *PAPER_MEASURES)
            for run in runs
        )
    )


def _history(run: Run, columns: Sequence[str]) -> pl.DataFrame:
    return read_numbers(run.files.history, ["epoch", *columns])


def seconds_per_epoch(runs: Sequence[Run]) -> pl.DataFrame:
    """The `seconds` of an epoch per `name` and `dataset`: the median of the fastest run.

    The median, because programs are compiled in the first epoch and in some others; the fastest,
    because others may have shared their core with something else.
    """
    rows = [
        (run.name, run.dataset, _history(run, ["seconds"])["seconds"].diff().median())
        for run in runs
    ]
    schema = {"name": pl.String, "dataset": pl.String, "seconds": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.group_by("name", "dataset", maintain_order=True).min()


def mean_histories(runs: Sequence[Run], columns: Sequence[str]) -> pl.DataFrame:
    """Columns of the histories, means over folds and seeds, per `name`, `dataset` and `epoch`.

    Only epochs that every run of a variant has: means over different runs cannot be compared.
    """
    keys = ["name", "dataset", "epoch"]
    tables = [
        _history(run, columns)
        .select(pl.col("epoch").cast(pl.Int64), *columns)
        .with_columns(name=pl.lit(run.name), dataset=pl.lit(run.dataset))
        for run in runs
    ]
    found = pl.concat(tables).group_by(keys, maintain_order=True)
    means = found.agg(pl.col(*columns).mean(), runs=pl.len())
    whole = pl.col("runs") == pl.col("runs").max().over("name", "dataset")
    return means.filter(whole).drop("runs").sort(keys)


def learning_curves(
    runs: Sequence[Run], estimators: Mapping[str, str], rates: Mapping[str, float]
) -> pl.DataFrame:
    """Validation NDCG@10 by epoch, means over folds and seeds, with the time that it takes.

    Args:
        runs: whose curves are drawn.
        estimators: of the variants by name.
        rates: their learning rates.

    Returns:
        One row per `dataset`, `estimator`, `learning_rate` and `epoch`, with `seconds` since the
        start: so many epochs of the duration that `seconds_per_epoch` gives.
    """
    durations = {(name, dataset): each for name, dataset, each in seconds_per_epoch(runs).rows()}
    keys = ["dataset", "estimator", "learning_rate", "epoch"]
    tables = [
        _history(run, ["ndcg@10"])
        .with_columns(dataset=pl.lit(run.dataset), estimator=pl.lit(estimators[run.name]))
        .with_columns(learning_rate=pl.lit(rates[run.name], dtype=pl.Float64))
        .with_columns(
            pl.col("epoch").cast(pl.Int64),
            seconds=pl.col("epoch") * durations[run.name, run.dataset],
        )
        .select(*keys, "ndcg@10", "seconds")
        for run in runs
    ]
    return pl.concat(tables).group_by(keys, maintain_order=True).mean()
