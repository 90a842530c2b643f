"""Describe a data set in numbers: all of it, and each part."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self

import polars as pl
from pydantic import Field, model_validator

from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.part import Fingerprint, Part
from arsm_l2r.settings import Positive, Settings

_Count = Annotated[int, Field(ge=0)]


class QueryLengths(Settings):
    """How many documents queries have."""

    min: Positive
    median: Annotated[float, Field(ge=1)]
    mean: Annotated[float, Field(ge=1)]
    max: Positive


class Counts(Settings):
    """What `statistics` counts."""

    queries: Positive
    documents: Positive
    features: Positive
    constant_features: _Count
    labels: dict[str, _Count]
    queries_without_relevant: _Count
    documents_per_query: QueryLengths

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if sum(self.labels.values()) != self.documents:
            raise ValueError(f"the labels don't sum to {self.documents} documents")
        return self


class PartCounts(Counts):
    """The counts of one part."""

    part: str
    fingerprint: Fingerprint


class Description(Settings):
    """What `results/{dataset}/data.json` holds."""

    dataset: str
    title: str
    collection: str
    source: str
    relevant_from: Positive = 1
    judged: Counts
    parts: list[PartCounts]
    checked_against_known_facts: bool


def describe(dataset: Dataset, parts: Sequence[Part], source: str) -> dict[str, Any]:
    """Count a data set.

    Args:
        dataset: as the catalogue has it.
        parts: what was read.
        source: where from. Of a file, its name is kept and not where it lay on this machine:
            descriptions are published.

    Returns:
        A `Description`. `judged` counts what was really read here.
    """
    table = pl.concat([part.table for part in parts])
    return {
        "dataset": dataset.name,
        "title": dataset.title,
        "collection": dataset.collection,
        "source": source if "://" in source else Path(source).name,
        "relevant_from": dataset.relevant_from,
        "judged": statistics(table, dataset.labels, dataset.relevant_from),
        "parts": [
            {
                "part": f"S{number}",
                "fingerprint": part.fingerprint,
                **statistics(part.table, dataset.labels, dataset.relevant_from),
            }
            for number, part in enumerate(parts, start=1)
        ],
        "checked_against_known_facts": bool(dataset.parts),
    }


def statistics(table: pl.DataFrame, levels: int, relevant_from: int = 1) -> dict[str, Any]:
    """Count a table whose labels run from 0 to `levels` - 1, relevant from some label on."""
    queries = table.group_by("qid").agg(documents=pl.len(), best=pl.col("label").max())
    sizes = queries["documents"]
    by_label: dict[int, int] = dict(table.group_by("label").len().iter_rows())
    features = table.drop("label", "qid", "docid")
    constant = features.select(pl.all().n_unique() == 1).row(0) if features.width else ()
    return {
        "queries": queries.height,
        "documents": table.height,
        "features": features.width,
        "constant_features": sum(constant),
        "labels": {str(label): by_label.get(label, 0) for label in range(levels)},
        "queries_without_relevant": queries.filter(pl.col("best") < relevant_from).height,
        "documents_per_query": {
            "min": sizes.min(),
            "median": sizes.median(),
            "mean": round(table.height / queries.height, 4),
            "max": sizes.max(),
        },
    }
