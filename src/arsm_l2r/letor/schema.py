"""What every table of a data set must satisfy by itself, as a pandera schema."""

from collections.abc import Callable

import pandera.polars as pa
import polars as pl
from pandera.api.polars.types import PolarsData
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaError, SchemaErrors

from arsm_l2r.letor.catalogue import Dataset


def table_schema(dataset: Dataset) -> pa.DataFrameSchema:
    """The schema of some rows of a data set: column names, order and types, and their values."""
    # NaN counts as missing for pandera, and columns may not have missing values.
    finite = pa.Check(_column(lambda column: ~column.is_infinite()), error="infinite value")
    in_unit = pa.Check(
        _column(lambda column: column.is_between(0, 1) | column.is_nan() | column.is_infinite()),
        error="value outside [0, 1], though features are query-normalised",
    )
    value_checks = [finite, in_unit] if dataset.query_normalised else [finite]
    levels = pa.Check(
        _column(lambda column: column < dataset.labels),
        error=f"label above {dataset.labels - 1}",
    )
    columns = {
        "label": pa.Column(pl.UInt8, levels),
        "qid": pa.Column(pl.Int64),
        "docid": pa.Column(pl.String, nullable=not dataset.docids),
        **{
            f"f{number}": pa.Column(pl.Float32, value_checks)
            for number in range(1, dataset.features + 1)
        },
    }
    return pa.DataFrameSchema(columns, strict=True, ordered=True)


def queries_schema() -> pa.DataFrameSchema:
    """The schema of the queries and documents of a whole file."""
    return pa.DataFrameSchema(
        checks=[
            pa.Check(_contiguous, error="query's documents do not stand together"),
            pa.Check(_unique_pairs, error="document occurs twice in its query"),
        ]
    )


class Violations:
    """Everything that is wrong with a file that is seen some rows at a time.

    Args:
        dataset: what its rows must be.
    """

    def __init__(self, dataset: Dataset) -> None:
        self._schema = table_schema(dataset)
        self._found: dict[tuple[str, str], tuple[str, int]] = {}
        self._narrow: list[pl.DataFrame] = []
        self._numbers: list[pl.Series] = []

    def see(self, table: pl.DataFrame, line_numbers: pl.Series) -> None:
        """Go on with rows, each from a line."""
        self._check(self._schema, table, line_numbers)
        if {"qid", "docid"} <= set(table.columns):
            self._narrow.append(table.select("qid", "docid"))
            self._numbers.append(line_numbers)

    def told(self) -> list[str]:
        """What is wrong, each with the first line that shows it."""
        if self._narrow:
            numbers = pl.concat(self._numbers)
            self._check(queries_schema(), pl.concat(self._narrow), numbers)
            self._narrow, self._numbers = [], []
        return [
            f"{text}{f', and {count - 1:,} more' if count > 1 else ''}"
            for text, count in self._found.values()
        ]

    def _check(self, schema: pa.DataFrameSchema, table: pl.DataFrame, numbers: pl.Series) -> None:
        try:
            # Checks of values, not only of types, whatever pandera's environment variables say.
            with config_context(validation_depth=ValidationDepth.SCHEMA_AND_DATA):
                schema.validate(table, lazy=True)
        except SchemaErrors as errors:
            for error in errors.schema_errors:
                kind, text, count = _describe(error, table, numbers)
                first, before = self._found.get(kind, (text, 0))
                self._found[kind] = first, before + count


def violations(table: pl.DataFrame, dataset: Dataset, line_numbers: pl.Series) -> list[str]:
    """Everything that is wrong with a table, each with the first line that shows it."""
    found = Violations(dataset)
    found.see(table, line_numbers)
    return found.told()


def _column(test: Callable[[pl.Expr], pl.Expr]) -> Callable[[PolarsData], pl.LazyFrame]:
    def check(data: PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(test(pl.col(data.key)))

    return check


def _contiguous(data: PolarsData) -> pl.LazyFrame:
    begins = (pl.col("qid") != pl.col("qid").shift(1)).fill_null(True).alias("begins")
    seen = ~pl.struct("qid", begins).is_first_distinct()
    return data.lazyframe.select(~(begins & seen))


def _unique_pairs(data: PolarsData) -> pl.LazyFrame:
    first = pl.struct("qid", "docid").is_first_distinct()
    return data.lazyframe.select(first | pl.col("docid").is_null())


def _describe(
    error: SchemaError, table: pl.DataFrame, line_numbers: pl.Series
) -> tuple[tuple[str, str], str, int]:
    """Where something is wrong and what, in words with the first line, and how often."""
    column = error.schema.name if isinstance(error.schema, pa.Column) else None
    where = f"{column}: " if column else ""
    check = error.check
    if error.check_output is None or not isinstance(check, pa.Check):
        if check == "not_nullable":
            values = table[str(column)]
            missing = values.is_null()
            rows = _rows(missing | values.is_nan() if values.dtype.is_float() else missing)
            text = f"{where}missing in line {line_numbers[rows[0]]:,}"
            return (where, "missing"), text, len(rows)
        text = f"{where}{str(error).splitlines()[0]}"
        return (where, text), text, 1
    rows = _rows(~error.check_output.to_series())
    shown = table[rows[0], column] if column else f"query {table[rows[0], 'qid']}"
    text = f"{where}{check.error}: {shown} in line {line_numbers[rows[0]]:,}"
    return (where, str(check.error)), text, len(rows)


def _rows(wrong: pl.Series) -> list[int]:
    rows: list[int] = wrong.arg_true().to_list()
    return rows
