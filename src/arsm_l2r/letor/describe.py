"""Describe a data set in numbers: all of it, and each part."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Self

import polars as pl
from pydantic import Field, model_validator

from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.part import Fingerprint
from arsm_l2r.letor.store import Stored
from arsm_l2r.settings import Positive, Settings

_Count = Annotated[int, Field(ge=0)]


class QueryLengths(Settings):
    """How many documents queries have."""

    min: Positive
    median: Annotated[float, Field(ge=1)]
    mean: Annotated[float, Field(ge=1)]
    max: Positive


class Counts(Settings):
    """What `Counting` counts."""

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


def describe(dataset: Dataset, stored: Stored) -> dict[str, Any]:
    """Count a data set.

    Args:
        dataset: as the catalogue has it.
        stored: its parts.

    Returns:
        A `Description`. `judged` counts what was really read here. Of a source that is a file, its
        name is kept and not where it lay on this machine: descriptions are published.
    """
    source, everything, parts = stored.index.source, Counting(), []
    for number, note in enumerate(stored.index.parts, start=1):
        own = Counting()
        for table in stored.pieces(number):
            own.add(table)
        everything.join(own)
        counts = own.counted(dataset.labels, dataset.relevant_from)
        parts.append({"part": f"S{number}", "fingerprint": note.fingerprint, **counts})
    return {
        "dataset": dataset.name,
        "title": dataset.title,
        "collection": dataset.collection,
        "source": source if "://" in source else Path(source).name,
        "relevant_from": dataset.relevant_from,
        "judged": everything.counted(dataset.labels, dataset.relevant_from),
        "parts": parts,
        "checked_against_known_facts": bool(dataset.parts) and not dataset.unverified,
    }


class Counting:
    """Counts documents that come some rows at a time."""

    def __init__(self) -> None:
        self._queries: list[pl.DataFrame] = []
        self._labels: Counter[int] = Counter()
        self._ranges: list[pl.DataFrame] = []

    def add(self, table: pl.DataFrame) -> None:
        """Count further rows."""
        self._queries.append(
            table.group_by("qid", maintain_order=True).agg(
                documents=pl.len(), best=pl.col("label").max()
            )
        )
        self._labels.update(dict(table.group_by("label").len().iter_rows()))
        features = table.drop("label", "qid", "docid")
        self._ranges += [features.min(), features.max()]

    def join(self, other: "Counting") -> None:
        """Count what another has counted."""
        self._queries += other._queries
        self._labels.update(other._labels)
        self._ranges += other._ranges

    def counted(self, levels: int, relevant_from: int = 1) -> dict[str, Any]:
        """The counts; labels run from 0 to `levels` - 1, and are relevant from some label on."""
        # A query may have come in two goes.
        queries = (
            pl.concat(self._queries)
            .group_by("qid")
            .agg(pl.col("documents").sum(), pl.col("best").max())
        )
        sizes, documents = queries["documents"], self._labels.total()
        ranges = pl.concat(self._ranges)
        constant = ranges.select(pl.all().min() == pl.all().max()).row(0) if ranges.width else ()
        return {
            "queries": queries.height,
            "documents": documents,
            "features": ranges.width,
            "constant_features": sum(constant),
            "labels": {str(label): self._labels[label] for label in range(levels)},
            "queries_without_relevant": queries.filter(pl.col("best") < relevant_from).height,
            "documents_per_query": {
                "min": sizes.min(),
                "median": sizes.median(),
                "mean": round(documents / queries.height, 4),
                "max": sizes.max(),
            },
        }
