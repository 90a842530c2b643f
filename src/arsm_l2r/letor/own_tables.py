"""Read users' Parquet tables: `label`, `qid`, perhaps `docid`, and a column per feature."""

import re
import warnings
from io import BytesIO
from pathlib import Path

import polars as pl

from arsm_l2r.errors import Advice, ParseError
from arsm_l2r.files import BROKEN_TABLE
from arsm_l2r.letor.parse import MAX_FEATURES, MAX_LABEL
from arsm_l2r.quiet import muted

_MAGIC = b"PAR1"
_KNOWN = ("label", "qid", "docid")
_INDEX = re.compile(r"__index_level_\d+__")  # a frame's index, which pandas writes as a column


def is_table(path: Path, content: bytes) -> bool:
    """Whether a file is a Parquet table, or is to be one by its name."""
    return content.startswith(_MAGIC) or path.suffix == ".parquet"


def read_table(
    path: Path, content: bytes, features: int | None = None
) -> tuple[pl.DataFrame, list[str]]:
    """Read a Parquet table.

    Args:
        path: what the file is called in messages.
        content: of the file.
        features: how many feature columns there must be, if that is known.

    Returns:
        `label` (Int64, null if there is no such column), `qid` (Int64 or String), `docid` (String),
        and every other column of numbers (Float32), in their order; and the names of the latter.

    Raises:
        ParseError: naming the file, and the column and row of what cannot be read.
    """
    try:
        with muted():  # polars tells of damage on standard error, too, at length
            table = pl.read_parquet(BytesIO(content))
    except BROKEN_TABLE as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ParseError(f"{path}: not a Parquet file, or a damaged one: {reason}") from error
    if table.is_empty():
        raise ParseError(f"{path}: holds no documents")
    names = _feature_names(path, table, features)
    head = [_labels(path, table), _qids(path, table), _docids(path, table)]
    return pl.DataFrame([*head, *(_values(path, table[name]) for name in names)]), names


def _feature_names(path: Path, table: pl.DataFrame, features: int | None) -> list[str]:
    others = [column for column in table.iter_columns() if column.name not in _KNOWN]
    numeric = [
        column.name
        for column in others
        if (column.dtype.is_numeric() or column.dtype == pl.Boolean)
        and not _INDEX.fullmatch(column.name)
    ]
    unused = [column.name for column in others if column.name not in numeric]
    if unused:
        warnings.warn(
            f"{path}: not used, because they hold no numbers, or pandas' index: columns "
            f"{', '.join(unused)}",
            Advice,
            stacklevel=4,
        )
    if not 0 < len(numeric) <= MAX_FEATURES:
        raise ParseError(
            f"{path}: {len(numeric):,} columns of features; 1 to {MAX_FEATURES:,} can be"
        )
    if features is not None and len(numeric) != features:
        raise ParseError(
            f"{path}: {len(numeric)} columns of features, but there must be {features}"
        )
    return numeric


def _labels(path: Path, table: pl.DataFrame) -> pl.Series:
    if "label" not in table.columns:
        return pl.Series("label", [None] * table.height, dtype=pl.Int64)
    labels = table["label"]
    if not labels.dtype.is_numeric():
        raise ParseError(f"{path}: column label holds {labels.dtype}, not numbers")
    numbers = labels.cast(pl.Float64)
    _refuse_first(path, labels, labels.is_null(), "no value; labels are whole numbers from 0")
    _refuse_first(path, labels, numbers < 0, "labels start at 0")
    _refuse_first(path, labels, numbers != numbers.floor(), "label is not a whole number")
    # What is not a number is above any.
    _refuse_first(path, labels, ~(numbers <= MAX_LABEL), f"label is above {MAX_LABEL}")
    return numbers.cast(pl.Int64)


def _qids(path: Path, table: pl.DataFrame) -> pl.Series:
    if "qid" not in table.columns:
        raise ParseError(f"{path}: no column qid, which says what query a document belongs to")
    qids = table["qid"]
    if qids.dtype.is_integer():
        kept = qids.cast(pl.Int64, strict=False)
    elif qids.dtype in (pl.String, pl.Categorical, pl.Enum):
        kept = qids.cast(pl.String)
    else:
        raise ParseError(f"{path}: column qid holds {qids.dtype}, neither whole numbers nor names")
    _refuse_first(path, qids, qids.is_null(), "no value")
    _refuse_first(path, qids, kept.is_null(), "query number too large")
    return kept


def _docids(path: Path, table: pl.DataFrame) -> pl.Series:
    if "docid" not in table.columns:
        return pl.Series("docid", [None] * table.height, dtype=pl.String)
    docids = table["docid"]
    try:
        return docids.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise ParseError(f"{path}: column docid holds {docids.dtype}, not names") from error


def _values(path: Path, column: pl.Series) -> pl.Series:
    numbers = column.cast(pl.Float64)
    values = numbers.cast(pl.Float32)
    _refuse_first(path, column, column.is_null(), "no value; a feature must be a finite number")
    _refuse_first(path, column, ~numbers.is_finite(), "feature value is not a finite number")
    _refuse_first(path, column, ~values.is_finite(), "value too large for a 32-bit float")
    return values


def _refuse_first(path: Path, column: pl.Series, wrong: pl.Series, problem: str) -> None:
    rows = wrong.fill_null(False).arg_true()
    if len(rows):
        row = int(rows[0])
        value = "" if column[row] is None else f": {column[row]}"
        raise ParseError(f"{path}: row {row + 1:,}, column {column.name}: {problem}{value}")
