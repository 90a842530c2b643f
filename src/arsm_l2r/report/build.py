"""From the files of the results to the files of the tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.comparison import compare
from arsm_l2r.analysis.measured import (
    MEASURE_TITLES,
    figures,
    in_order,
    method_title,
    missing,
    mixed_provenance,
    runs_table,
)
from arsm_l2r.analysis.paper import load_paper, outside_tolerance
from arsm_l2r.analysis.queries import per_query_table, runs_without_queries
from arsm_l2r.errors import UserError
from arsm_l2r.files import written_whole
from arsm_l2r.metrics import CONVENTIONS
from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.html import html
from arsm_l2r.report.latex import latex
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.table import Table, csv
from arsm_l2r.report.tables import performance_table


def tables_of(
    description: Mapping[str, Any],
    folds: Sequence[Mapping[str, Any]],
    results: Path,
    *,
    methods: Sequence[str] | None = None,
    seeds: Sequence[int] | None = None,
) -> list[Table]:
    """The tables of one data set: that of the paper, and a comparison in each convention.

    Args:
        description: what its `data.json` holds.
        folds: the results of its folds, as many as there are.
        results: the folder that holds them and the values of single queries.
        methods: that should be there; by default those that are, and the paper's.
        seeds: that should be there; by default those that are.
    """
    dataset, title = description["dataset"], description["title"]
    strangers = {fold["dataset"] for fold in folds} - {dataset}
    if strangers:
        raise UserError(f"a fold of {strangers.pop()} among those of {dataset}")
    paper = load_paper()
    runs = runs_table(folds)
    notes = [
        *missing(
            folds,
            [dataset],
            {dataset: len(description["parts"])},
            in_order([*paper.methods, *runs["method"]]) if methods is None else methods,
            sorted(runs["seed"].unique()) if seeds is None else seeds,
        ),
        *mixed_provenance(folds),
    ]
    table = performance_table(dataset, title, figures(runs), paper, notes=notes)
    per_query = per_query_table(folds, results)
    notes += _without_queries(folds, results)
    comparisons = [
        comparison_table(
            dataset,
            title,
            compare(dataset, runs, per_query, paper, convention=convention),
            paper,
            convention=convention,
            notes=[*_outside(figures(runs), convention), *notes],
        )
        for convention in CONVENTIONS
    ]
    return [table, *comparisons]


def write_table(table: Table, folder: Path) -> None:
    """Write a table in every format: `.tex`, `.html`, `.csv` and `.md`."""
    for name, text in table_files(table).items():
        with written_whole(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


def table_files(table: Table) -> dict[str, str]:
    """What the files of a table hold, by their names."""
    formats = {"tex": latex, "html": html, "csv": csv, "md": markdown}
    return {f"{table.name}.{ending}": make(table) for ending, make in formats.items()}


def _outside(ours: pl.DataFrame, convention: str) -> list[str]:
    """Which of our figures are further from the paper's than they should be."""
    deviations = [
        f"{method_title(each.method)} {MEASURE_TITLES[each.measure]}"
        for each in outside_tolerance(ours, convention=convention)
        if each.ours is not None
    ]
    if not deviations:
        return []
    return [f"More than {load_paper().tolerance:.3f} from the paper's: {', '.join(deviations)}."]


def _without_queries(folds: Sequence[Mapping[str, Any]], results: Path) -> list[str]:
    absent = runs_without_queries(folds, results)
    if not absent:
        return []
    return [
        f"The values of single queries are missing for {len(absent)} "
        f"run{'s' if len(absent) > 1 else ''}, such as {absent[0]}; intervals and p-values rest on "
        "the others."
    ]
