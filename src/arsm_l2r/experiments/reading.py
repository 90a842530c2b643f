"""Read back what jobs wrote, or say what is wrong: no page shows what was damaged or edited."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic import BaseModel

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.results import CURVE, FoldResult, RunRecord, Summary
from arsm_l2r.files import read_json, read_parquet
from arsm_l2r.letor.describe import Description
from arsm_l2r.metrics import CONVENTIONS, PAPER_MEASURES
from arsm_l2r.settings import examined

_Model = TypeVar("_Model", bound=BaseModel)

_SHARES = {*CURVE, *PAPER_MEASURES}
"""Columns whose values lie between 0 and 1."""


def read_fold_result(path: Path) -> dict[str, Any]:
    """The result of a fold, `FoldResult`."""
    return read_written(path, FoldResult)


def read_record(path: Path) -> dict[str, Any]:
    """What a training recorded, `RunRecord`."""
    return read_written(path, RunRecord)


def read_summary(path: Path) -> dict[str, Any]:
    """The means of a run's measures, `Summary`."""
    return read_written(path, Summary)


def read_description(path: Path) -> dict[str, Any]:
    """The description of a data set, `Description`."""
    return read_written(path, Description)


def read_written(path: Path, model: type[_Model]) -> dict[str, Any]:
    """JSON that a job wrote.

    Args:
        path: the file.
        model: what it must be.

    Raises:
        UserError: naming the file and everything in it that cannot be.
    """
    content: dict[str, Any] = read_json(path)
    found, problems = examined(model, content, read_text=False)
    if found is None:
        raise _refusal(path, problems)
    return content


def read_measures(path: Path) -> pl.DataFrame:
    """The measures of queries: `split`, `convention`, `qid` and a column per measure."""
    table = read_numbers(path, ["qid", *PAPER_MEASURES])
    known = {"split": ["vali", "test"], "convention": list(CONVENTIONS)}
    problems = [
        f"{name}: must be one of {', '.join(allowed)}"
        for name, allowed in known.items()
        if name not in table.columns or not set(table[name].unique().to_list()) <= set(allowed)
    ]
    if problems:
        raise _refusal(path, problems)
    return table


def read_numbers(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    """A table with certain columns of numbers.

    Raises:
        UserError: naming the file, if one of these is missing or has something else than finite
            numbers, or a measure does not lie between 0 and 1.
    """
    table = read_parquet(path)
    problems = [f"no column {name!r}" for name in columns if name not in table.columns]
    for name in table.columns:
        if name in columns or name in _SHARES:
            problems += _wrong_numbers(table[name], share=name in _SHARES)
    if table.is_empty():
        problems.append("no rows")
    if problems:
        raise _refusal(path, problems)
    return table


def _wrong_numbers(values: pl.Series, *, share: bool) -> list[str]:
    if not values.dtype.is_numeric():
        return [f"{values.name}: {values.dtype}, not numbers"]
    numbers = values.cast(pl.Float64).fill_null(float("nan"))
    right = numbers.is_between(0, 1) if share else numbers.is_finite()
    if right.all():
        return []
    at = int((~right).arg_true()[0])
    return [f"{values.name}: {values[at]} in row {at + 1} cannot be"]


def _refusal(path: Path, problems: Sequence[str]) -> UserError:
    shown = [*problems[:10], *([f"and {len(problems) - 10} more"] if len(problems) > 10 else [])]
    head = f"{path}: damaged, or edited by hand; delete it and run snakemake again"
    return UserError("\n  - ".join([head, *shown]))
