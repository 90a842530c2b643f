"""A part of a data set, of which folds are made."""

from dataclasses import dataclass
from typing import Annotated

import polars as pl
from pydantic import Field

from arsm_l2r.settings import Positive, Settings

Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""A sha256 in hexadecimal digits."""

LabelCounts = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(strict=False)]
"""Documents of each label, from 0."""


class PartFacts(Settings):
    """What one part must hold, as far as that is known."""

    rows: Positive = Field(description="Number of documents.")
    queries: Positive | None = Field(None, description="Number of queries.")
    labels: LabelCounts | None = Field(
        None, description="Number of documents with label 0, 1, 2, …"
    )
    fingerprint: Fingerprint | None = Field(
        None, description="sha256 over the text before `#` of every line."
    )


@dataclass(frozen=True)
class Part:
    """One validated part of a data set: its table, and the fingerprint of its text."""

    table: pl.DataFrame
    fingerprint: str
