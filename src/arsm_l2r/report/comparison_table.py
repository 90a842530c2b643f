"""Ours beside the paper's, as a table."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.measured import MEASURE_TITLES, OURS, in_order, method_title
from arsm_l2r.analysis.paper import Paper
from arsm_l2r.analysis.words import DASH, LEVEL, p_value
from arsm_l2r.report.table import Cell, Group, Table, number
from arsm_l2r.report.tables import dagger_note, marked

_CONVENTIONS = {
    "letor": "LETOR's evaluation",
    "paper": "evaluation by the paper's equations",
}

_COLUMNS = [
    "Measure",
    "Paper",
    "Ours",
    "Difference",
    "Seeds' s.d.",
    "95% interval",
    "Paper is",
    "ARSM-L2R ahead",
    "p",
    "Corrected p",
]


def comparison_table(
    dataset: str,
    title: str,
    compared: pl.DataFrame,
    paper: Paper,
    *,
    convention: str = "letor",
    notes: Sequence[str] = (),
) -> Table:
    """Per method and measure: the paper's figure, ours, and how sure they are.

    Args:
        dataset: name of the data set.
        title: as it is printed.
        compared: as `comparison.compare` gives it.
        paper: what the paper prints.
        convention: that ours were evaluated in.
        notes: what readers must know, such as missing folds.
    """
    methods = in_order(compared["method"])
    name = f"{dataset}_comparison" + ("" if convention == "letor" else f"_{convention}")
    words = _CONVENTIONS.get(convention, convention)
    return Table(
        name=name,
        label=f"tab:{name.replace('_', '-')}",
        caption=f"The paper's figures beside ours on {title} dataset ({words}).",
        columns=_COLUMNS,
        alignment="lrrrrclrrr",
        groups=[
            Group(
                [_cells(row) for row in compared.filter(method=method).iter_rows(named=True)],
                title=marked(method, paper),
            )
            for method in methods
        ],
        notes=[*dagger_note(methods, paper), *_explanation(compared), *notes],
        data=compared.with_columns(
            pl.col("method").replace_strict({name: method_title(name) for name in methods}),
            pl.col("measure").replace_strict(MEASURE_TITLES),
        ),
    )


def _cells(row: dict[str, Any]) -> list[Cell]:
    own = row["method"] == OURS
    significant = row["p_corrected"] is not None and row["p_corrected"] < LEVEL
    return [
        Cell(MEASURE_TITLES[row["measure"]]),
        Cell(number(row["paper"])),
        Cell(number(row["ours"])),
        Cell(number(row["difference"], "+.4f")),
        Cell(number(row["spread"], missing="")),
        Cell(_interval(row["low"], row["high"])),
        _verdict(row["paper_inside"]),
        Cell("" if own else number(row["arsm_ahead"], "+.4f")),
        Cell("" if own else p_value(row["p"])),
        Cell(
            "" if own else p_value(row["p_corrected"]) + ("*" if significant else ""), significant
        ),
    ]


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return DASH
    return f"{low:.4f} to {high:.4f}"


def _verdict(inside: bool | None) -> Cell:
    if inside is None:
        return Cell(DASH)
    return Cell("● inside", tone="inside") if inside else Cell("○ outside", tone="outside")


def _explanation(compared: pl.DataFrame) -> list[str]:
    tests = compared["p"].drop_nulls().len()
    explained = [
        "Ours: mean over folds of the mean over seeds. Difference: ours minus the paper's. "
        "Seeds' s.d.: standard deviation over seeds, blank for one. "
        "95% interval: bootstrap over the test queries of all folds, averaged over seeds; "
        "● if the paper's figure lies inside it, ○ if outside. It says how far the figure would "
        "move on other queries, with the same trained models. RankSVM and AdaRank draw no random "
        "numbers, so that their seeds don't differ."
    ]
    if tests:
        explained.append(
            "ARSM-L2R ahead: its mean over queries minus this method's; p: two-sided paired "
            f"randomisation test; corrected p: Holm, for the {tests} tests of this table; "
            f"* below {LEVEL}."
        )
    return explained
