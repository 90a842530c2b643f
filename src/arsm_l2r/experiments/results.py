"""The results of a run and of a fold, as they are written to files."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import numpy as np
import polars as pl
import yaml

from arsm_l2r.experiments.provenance import fingerprint_of
from arsm_l2r.letor.store import RankingData
from arsm_l2r.metrics import CONVENTIONS, CUTOFFS, Judgements, evaluate
from arsm_l2r.settings import check_settings

_ALL_CUTOFFS = range(1, 11)
"""Cut-offs kept per query; summaries have those of the paper's tables."""


def per_query_measures(scores: np.ndarray, data: RankingData, split: str) -> pl.DataFrame:
    """Every measure of every query, in every convention.

    Returns:
        One row per query and convention: `split`, `convention`, `qid`, `ndcg@1` … `ndcg@10`,
        `map`.
    """
    judgements = Judgements(data.labels, data.group)
    return pl.concat(
        pl.DataFrame(
            {
                "split": [split] * judgements.queries,
                "convention": [name] * judgements.queries,
                "qid": data.qids,
                **evaluate(scores, judgements, convention, _ALL_CUTOFFS),
            }
        )
        for name, convention in CONVENTIONS.items()
    )


def summary(measures: pl.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Means over queries, by split and convention, of the measures in the paper's tables."""
    wanted = [*(f"ndcg@{cutoff}" for cutoff in CUTOFFS), "map"]
    return {
        split: {
            convention: measures.filter(split=split, convention=convention)
            .select(pl.col(wanted).mean())
            .row(0, named=True)
            for convention in CONVENTIONS
        }
        for split in measures["split"].unique(maintain_order=True)
    }


def fold_result(dataset: str, fold: int, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Collect the runs of a fold into one result.

    Args:
        dataset: name of the data set.
        fold: number of the fold.
        runs: for each, what training recorded, with `test` and `vali` summaries and its own
            `provenance`.

    Returns:
        What `results/{dataset}/fold{k}.json` holds. A fact of the provenance that differs
        between runs is given as `mixed`, and then each run keeps its own.
    """
    entries = [dict(run) for run in runs]
    origins = [entry.pop("provenance") for entry in entries]
    common = {}
    for key in origins[0]:
        values = [origin[key] for origin in origins]
        if key == "config":
            common[key] = fingerprint_of(values)
        elif all(value == values[0] for value in values):
            common[key] = values[0]
        else:
            common[key] = "mixed"
            for entry, value in zip(entries, values, strict=True):
                entry.setdefault("provenance", {})[key] = value
    return {"dataset": dataset, "fold": fold, "runs": entries, "provenance": common}


def check_fold(fold: Mapping[str, Any], source: str) -> None:
    """Check the result of a fold against `fold.schema.yaml`.

    Args:
        fold: what the file holds.
        source: its name, for messages.

    Raises:
        ConfigError: naming everything that does not fit.
    """
    schema = resources.files(__package__).joinpath("fold.schema.yaml").read_text("utf-8")
    check_settings(dict(fold), yaml.safe_load(schema), source=source)
