"""Ours beside the paper's, as a table."""

from collections.abc import Sequence

import polars as pl

from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.paired import LEVEL, exactness
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import DASH, p_value
from arsm_l2r.experiments.methods import OURS, in_order, method_title
from arsm_l2r.report.table import Cell, Group, Table, dagger_note, number

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


def comparison_table(analysis: Analysis, convention: str = "letor") -> Table:
    """Per method and measure: the paper's figure, ours, and how sure they are.

    Args:
        analysis: of the data set.
        convention: that ours were evaluated in.
    """
    compared, measures = analysis.compared[convention], analysis.measures
    methods = in_order({row.method for row in compared})
    name = f"{analysis.dataset}_comparison" + ("" if convention == "letor" else f"_{convention}")
    words = _CONVENTIONS.get(convention, convention)
    return Table(
        name=name,
        label=f"tab:{name.replace('_', '-')}",
        caption=f"The paper's figures beside ours on {analysis.title} dataset ({words}).",
        columns=_COLUMNS,
        alignment="lrrrrclrrr",
        groups=[
            Group(
                [_cells(row, measures[row.measure]) for row in compared if row.method == method],
                title=load_paper().marked(method),
            )
            for method in methods
        ],
        notes=[
            *dagger_note(methods),
            *_explanation(compared, analysis.exchanges),
            analysis.relevance,
            *analysis.outside[convention],
            *analysis.missing,
            *analysis.mixed,
            *analysis.unqueried,
        ],
        data=_numbers(compared, analysis),
    )


def _cells(row: Compared, measure: str) -> list[Cell]:
    value, p, raised = _tested(row)
    marked = raised is not None and raised < LEVEL
    own = row.method == OURS
    return [
        Cell(measure),
        Cell(number(row.paper)),
        Cell(number(row.ours)),
        Cell(number(row.difference, "+.4f")),
        Cell(number(row.spread, missing="")),
        Cell(DASH if row.low is None else f"{number(row.low)} to {number(row.high)}"),
        _verdict(row.paper_inside),
        Cell("" if own else number(value, "+.4f")),
        Cell("" if own else p_value(p)),
        Cell("" if own else p_value(raised) + ("*" if marked else ""), marked),
    ]


def _tested(row: Compared) -> tuple[float | None, float | None, float | None]:
    """How far ARSM-L2R is ahead, p and corrected p."""
    ahead = row.ahead
    return (ahead.value, ahead.p, ahead.corrected) if ahead else (None, None, None)


def _numbers(compared: Sequence[Compared], analysis: Analysis) -> pl.DataFrame:
    """The rows for CSV: as printed, but p with three digits, however small, as text."""
    floats = ("paper", "ours", "difference", "spread", "low", "high", "arsm_ahead")
    p_values = ("p", "p_corrected")
    rows = pl.DataFrame(
        [
            {
                "method": method_title(row.method),
                "measure": analysis.measures[row.measure],
                **{name: getattr(row, name) for name in (*floats[:-1], "paper_inside")},
                **dict(zip((floats[-1], *p_values), _tested(row), strict=True)),
                **{name: getattr(row, name) for name in ("folds", "seeds", "queries")},
            }
            for row in compared
        ],
        schema_overrides={
            **dict.fromkeys((*floats, *p_values), pl.Float64),
            "paper_inside": pl.Boolean,
        },
    )
    return rows.with_columns(
        pl.col(floats).round(4).replace(-0.0, 0.0),
        pl.col(p_values).map_elements("{:.3g}".format, pl.String),
    )


def _verdict(inside: bool | None) -> Cell:
    if inside is None:
        return Cell(DASH)
    return Cell("● inside", tone="inside") if inside else Cell("○ outside", tone="outside")


def _explanation(compared: Sequence[Compared], exchanges: int) -> list[str]:
    tests = sum(row.ahead is not None for row in compared)
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
            f"* below {LEVEL}. {exactness(exchanges, tests)}"
        )
    return explained
