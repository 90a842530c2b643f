"""A table to be printed, before it is LaTeX, HTML or CSV."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import polars as pl

from arsm_l2r.analysis.paper import NOT_IN_PAPER, load_paper
from arsm_l2r.analysis.words import DASH, printed
from arsm_l2r.report.csv_text import csv_text


@dataclass(frozen=True)
class Cell:
    """What is printed at one place; `tone` is for what lies outside its bounds."""

    text: str
    bold: bool = False
    underlined: bool = False
    tone: Literal["outside"] | None = None


@dataclass(frozen=True)
class Group:
    """Rows that belong together, with a rule above them."""

    rows: Sequence[Sequence[Cell]]
    title: str | None = None


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: of its files, and of its element in HTML.
        label: its label in LaTeX.
        caption: one sentence.
        columns: their titles; the first column names the rows.
        alignment: of the columns, as LaTeX's `tabular` takes it.
        groups: the rows.
        notes: sentences below it.
        data: the same in numbers, for CSV.
    """

    name: str
    label: str
    caption: str
    columns: Sequence[str]
    alignment: str
    groups: Sequence[Group]
    notes: Sequence[str]
    data: pl.DataFrame


def number(value: float | None, form: str = ".4f", missing: str = DASH) -> str:
    """A number as it is printed; `missing` for none and NaN."""
    return missing if value is None or not isfinite(value) else printed(value, form)


def row_of(name: str, values: Iterable[float | None], form: str = ".4f") -> list[Cell]:
    """A row of numbers."""
    return [Cell(name), *(Cell(number(value, form)) for value in values)]


def best(values: Sequence[float | None]) -> list[bool]:
    """Which values are the highest as printed with four decimals; none of no values."""
    rounded = [
        round(value, 4) if value is not None and isfinite(value) else None for value in values
    ]
    highest = max((value for value in rounded if value is not None), default=None)
    return [value is not None and value == highest for value in rounded]


def dagger_note(methods: Sequence[str]) -> list[str]:
    """What the mark of methods that the paper does not have means, if it is there."""
    strangers = set(methods) - set(load_paper().methods)
    return [f"{NOT_IN_PAPER} Not in the paper; added here."] if strangers else []


def csv(table: Table) -> str:
    """The table's numbers as CSV, with the four decimals of the paper; nothing for none."""
    return csv_text(table.data.fill_nan(None), decimals=4)
