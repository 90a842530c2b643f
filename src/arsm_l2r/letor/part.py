"""A part of a data set, of which folds are made."""

from dataclasses import dataclass
from typing import Annotated

import polars as pl
from pydantic import Field

from arsm_l2r.settings import Positive, Settings

Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""A sha256 in hexadecimal digits."""


class PartFacts(Settings):
    """What one part must hold."""

    rows: Positive = Field(description="Number of documents.")
    queries: Positive = Field(description="Number of queries.")
    labels: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(strict=False)] = Field(
        description="Number of documents with label 0, 1, 2, …"
    )
    fingerprint: Fingerprint = Field(description="sha256 over the text before `#` of every line.")


@dataclass(frozen=True)
class Part:
    """One validated part of a data set: its table, and the fingerprint of its text."""

    table: pl.DataFrame
    fingerprint: str

    def facts(self, levels: int) -> PartFacts:
        """What the part holds, in the form in which the catalogue declares it."""
        counts = self.table.group_by("label").len().iter_rows()
        by_label: dict[int, int] = dict(counts)
        labels = tuple(by_label.get(label, 0) for label in range(levels))
        queries = self.table["qid"].n_unique()
        return PartFacts(
            rows=self.table.height,
            queries=queries,
            labels=labels,
            fingerprint=self.fingerprint,
        )
