"""The paper's tables, made from our runs: Table 1 (data sets), Tables 2 and 3 (methods)."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES, OURS, TUNED, in_order, method_title
from arsm_l2r.analysis.paper import Paper
from arsm_l2r.report.table import Cell, Group, Table, best, number

NOT_IN_PAPER = "†"
"""Marks a method that the paper does not have."""


def performance_table(
    dataset: str,
    title: str,
    ours: pl.DataFrame,
    paper: Paper,
    *,
    convention: str = "letor",
    notes: Sequence[str] = (),
) -> Table:
    """The paper's Table 2 or 3 with our figures.

    Args:
        dataset: name of the data set.
        title: as it is printed.
        ours: figures, as `measured.figures` gives them.
        paper: what the paper prints.
        convention: of evaluation.
        notes: what readers must know, such as missing folds.
    """
    chosen = ours.filter(dataset=dataset, convention=convention)
    found = {(row["method"], row["measure"]): row["value"] for row in chosen.iter_rows(named=True)}
    methods = in_order(chosen["method"])
    values = {
        measure: [found.get((method, measure)) for method in methods] for measure in MEASURE_TITLES
    }
    bold = {measure: best(column) for measure, column in values.items()}
    rows = {
        method: [
            Cell(marked(method, paper)),
            *(Cell(number(values[measure][line]), bold[measure][line]) for measure in values),
        ]
        for line, method in enumerate(methods)
    }
    own = paper.performance.get(dataset)
    return Table(
        name=dataset,
        label=own.label if own else f"tab:{dataset}",
        caption=f"Performance of different learning-to-rank methods on {title} dataset.",
        columns=["Method", *MEASURE_TITLES.values()],
        alignment="|".join("c" * (len(MEASURE_TITLES) + 1)),
        groups=_with_rule_above_ours(rows),
        notes=[*dagger_note(methods, paper), *notes],
        data=pl.DataFrame(
            {
                "Method": [method_title(method) for method in methods],
                **{MEASURE_TITLES[measure]: column for measure, column in values.items()},
            },
            schema_overrides=dict.fromkeys(MEASURE_TITLES.values(), pl.Float64),
        ),
    )


def marked(method: str, paper: Paper) -> str:
    """A method's title, marked if it is not one of the paper's."""
    return method_title(method) + ("" if method in paper.methods else NOT_IN_PAPER)


def dagger_note(methods: Sequence[str], paper: Paper) -> list[str]:
    """What the mark means, if it is there."""
    return (
        [f"{NOT_IN_PAPER} Not in the paper; added here."]
        if set(methods) - set(paper.methods)
        else []
    )


def _with_rule_above_ours(rows: Mapping[str, Sequence[Cell]]) -> list[Group]:
    baselines = Group([row for method, row in rows.items() if method not in (OURS, TUNED)])
    own = Group([row for method, row in rows.items() if method in (OURS, TUNED)])
    return [group for group in (baselines, own) if group.rows]


def datasets_table(descriptions: Sequence[Mapping[str, Any]], paper: Paper) -> Table:
    """The paper's Table 1, and below it what was really read here.

    Args:
        descriptions: what `results/{dataset}/data.json` hold.
        paper: what the paper prints.
    """
    keys = ("queries", "documents", "features")
    printed = [
        (each["title"], *(getattr(paper.datasets[each["dataset"]], key) for key in keys))
        for each in descriptions
        if each["dataset"] in paper.datasets
    ]
    judged = [(each["title"], *(each["judged"][key] for key in keys)) for each in descriptions]
    columns = ["dataset", "#queries", "#documents", "#features"]
    notes = [
        "Judged pairs: the queries and the documents judged for them, as counted in the files read "
        "here, on which everything is trained and measured."
    ]
    if printed:
        notes.insert(
            0,
            "Above: as the paper prints them; its documents are those of the whole collections "
            "that the judged ones were drawn from.",
        )
    return Table(
        name="datasets",
        label=paper.datasets_label,
        caption=paper.datasets_caption,
        columns=columns,
        alignment="llll",
        groups=[
            Group([[Cell(text) for text in row] for row in rows])
            for rows in (
                printed,
                [(f"{name}, judged pairs", *(f"{n:,}" for n in ns)) for name, *ns in judged],
            )
            if rows
        ],
        notes=notes,
        data=pl.DataFrame(
            [
                *((name, "as printed in the paper", *facts) for name, *facts in printed),
                *((name, "judged pairs here", *map(str, counts)) for name, *counts in judged),
            ],
            schema=[columns[0], "counted", *columns[1:]],
            orient="row",
        ),
    )
