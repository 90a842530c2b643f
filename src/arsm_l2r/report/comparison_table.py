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
    "Half of it",
    "Paper is",
    "ARSM-L2R ahead",
    "p",
    "Corrected p",
]
_ALIGNMENT = "lrrrrcrlrrr"


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
    printed = analysis.printed
    what = "The paper's figures beside ours" if printed else "The figures and how sure they are"
    # Columns that would have nothing but dashes are left out.
    empty = set() if printed else {"Paper", "Difference", "Paper is"}
    if not any(row.ahead for row in compared):
        empty |= {"ARSM-L2R ahead", "p", "Corrected p"}
    shown = [at for at, title in enumerate(_COLUMNS) if title not in empty]

    def line(row: Compared) -> list[Cell]:
        cells = _cells(row, measures[row.measure])
        return [cells[at] for at in shown]

    return Table(
        name=name,
        label=f"tab:{name.replace('_', '-')}",
        caption=f"{what} on {analysis.title} dataset ({words}).",
        columns=[_COLUMNS[at] for at in shown],
        alignment="".join(_ALIGNMENT[at] for at in shown),
        groups=[
            Group(
                [line(row) for row in compared if row.method == method],
                title=load_paper().marked(method),
            )
            for method in methods
        ],
        notes=[
            *dagger_note(methods),
            *_explanation(compared, analysis),
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
        Cell(DASH if (half := _half(row)) is None else f"±{number(half)}"),
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
    return Cell("inside") if inside else Cell("outside", tone="outside")


def _half(row: Compared) -> float | None:
    """Half the width of the interval."""
    return None if row.low is None or row.high is None else (row.high - row.low) / 2


def _width(compared: Sequence[Compared]) -> list[str]:
    """What the intervals can say of the paper's figures, and what they cannot."""
    inside = [row for row in compared if row.paper_inside]
    halves = [half for row in compared if (half := _half(row)) is not None]
    if not inside or not halves:
        return []
    tolerance = load_paper().tolerance
    far = [abs(row.difference) for row in inside if row.difference is not None]
    apart = sum(round(each, 4) > tolerance + 1e-9 for each in far)
    return [
        f"With {max(row.queries for row in compared):,} queries half of an interval is "
        f"{number(min(halves))} to {number(max(halves))}. A paper's figure inside of it is one "
        f"that so many queries cannot tell from ours, not one that agrees: of {len(inside)} that "
        f"are inside, {apart} {'is' if apart == 1 else 'are'} more than {tolerance:.3f} from ours"
        + (f", at most {number(max(far))}." if far else ".")
    ]


def _explanation(compared: Sequence[Compared], analysis: Analysis) -> list[str]:
    tests = sum(row.ahead is not None for row in compared)
    difference = "Difference: ours minus the paper's. " if analysis.printed else ""
    explained = [
        f"Ours: mean over folds of the mean over seeds. {difference}"
        "Seeds' s.d.: standard deviation over seeds, blank for one. "
        "95% interval: bootstrap over the test queries of all folds, averaged over seeds, and half "
        "of its width. It says how far the figure would move on other queries, with the same "
        "trained models. RankSVM and AdaRank draw no random numbers, so that their seeds don't "
        "differ.",
        *_width(compared),
    ]
    if tests:
        explained.append(
            "ARSM-L2R ahead: its mean over queries minus this method's; p: two-sided paired "
            f"randomisation test; corrected p: Holm, for the {tests} tests of this table; "
            f"* below {LEVEL}. {exactness(analysis.exchanges, tests)}"
        )
    return explained
