"""The paper's tables, made from our runs: Table 1 (data sets), Tables 2 and 3 (methods)."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import in_order, method_of, method_title
from arsm_l2r.report.table import Cell, Group, Table, best, dagger_note, number


def performance_table(analysis: Analysis) -> Table:
    """The paper's Table 2 or 3 with our figures, in LETOR's convention."""
    paper, measures, rows = load_paper(), analysis.measures, analysis.rows()
    methods = in_order({method for method, _ in rows})
    values = {
        measure: [row.ours if (row := rows.get((m, measure))) else None for m in methods]
        for measure in measures
    }
    bold = {measure: best(column) for measure, column in values.items()}
    underlined = {measure: _best_of_papers(methods, column) for measure, column in values.items()}
    lines = {
        method: [
            Cell(paper.marked(method)),
            *(
                Cell(number(values[m][line]), bold[m][line], underlined=underlined[m][line])
                for m in values
            ),
        ]
        for line, method in enumerate(methods)
    }
    own = paper.performance.get(analysis.dataset)
    return Table(
        name=analysis.dataset,
        label=own.label if own else f"tab:{analysis.dataset}",
        caption=f"Performance of different learning-to-rank methods on {analysis.title} dataset.",
        columns=["Method", *measures.values()],
        alignment="|".join("c" * (len(measures) + 1)),
        groups=_with_rule_above_ours(lines),
        notes=[
            _legend(any(map(any, underlined.values()))),
            *dagger_note(methods),
            analysis.relevance,
            *analysis.missing,
            *analysis.mixed,
        ],
        data=pl.DataFrame(
            {
                "Method": [method_title(method) for method in methods],
                **{measures[measure]: column for measure, column in values.items()},
            },
            schema_overrides=dict.fromkeys(measures.values(), pl.Float64),
        ),
    )


def _best_of_papers(methods: Sequence[str], column: Sequence[float | None]) -> list[bool]:
    """Which values are the highest of the paper's methods; none, if there are no others."""
    papers = load_paper().methods
    if set(methods) <= set(papers):
        return [False] * len(methods)
    return best([value if m in papers else None for m, value in zip(methods, column, strict=True)])


def _legend(underlined: bool) -> str:
    of_papers = "; underlined: of the paper's methods" if underlined else ""
    return f"Bold: the highest of all methods{of_papers}."


def _with_rule_above_ours(lines: Mapping[str, Sequence[Cell]]) -> list[Group]:
    ours = {name for name in lines if (method := method_of(name)) and method.ours}
    baselines = Group([line for name, line in lines.items() if name not in ours])
    own = Group([line for name, line in lines.items() if name in ours])
    return [group for group in (baselines, own) if group.rows]


def datasets_table(descriptions: Sequence[Mapping[str, Any]]) -> Table:
    """The paper's Table 1, and below it what was really read here.

    Args:
        descriptions: what the data sets' `data.json` files hold.
    """
    table, keys = load_paper().datasets, ("queries", "documents", "features")
    printed = [
        (each["title"], *(getattr(table.rows[each["dataset"]], key) for key in keys))
        for each in descriptions
        if each["dataset"] in table.rows
    ]
    judged = [(each["title"], *(each["judged"][key] for key in keys)) for each in descriptions]
    columns = ["dataset", "#queries", "#documents", "#features"]
    above = (
        "Above: as the paper prints them; its documents are those of the whole collections that "
        "the judged ones were drawn from."
    )
    counted = [(f"{name}, judged pairs", *(f"{n:,}" for n in counts)) for name, *counts in judged]
    return Table(
        name="datasets",
        label=table.label,
        caption=table.caption,
        columns=columns,
        alignment="llll",
        groups=[
            Group([[Cell(text) for text in row] for row in rows])
            for rows in (printed, counted)
            if rows
        ],
        notes=[
            *([above] if printed else []),
            "Judged pairs: the queries and the documents judged for them, as counted in the files "
            "read here, on which everything is trained and measured.",
        ],
        data=pl.DataFrame(
            [
                *((name, "as printed in the paper", *facts) for name, *facts in printed),
                *((name, "judged pairs here", *map(str, counts)) for name, *counts in judged),
            ],
            schema=[columns[0], "counted", *columns[1:]],
            orient="row",
        ),
    )
