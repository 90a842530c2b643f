"""Our baselines beside the figures that Microsoft published for them with LETOR 4.0."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import polars as pl

from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.names import MEASURE_TITLES, in_order, method_title
from arsm_l2r.report.table import Cell, Group, Table, number

DATASET = "mq2007"
"""The data set that they are published for."""


@cache
def published() -> pl.DataFrame:
    """Test measures by `method` and `fold`, evaluated with the LETOR 4.0 tool; null: not printed.

    `ranksvm` is RankSVM-Struct. Means over folds of what is printed follow from these.
    """
    content = resources.files(__package__).joinpath("letor4_baselines.csv").read_bytes()
    return pl.read_csv(content)


def letor_baselines_table(folds: Sequence[Mapping[str, Any]], title: str) -> Table:
    """Fold by fold, ours and the published ones.

    Args:
        folds: results of the data set's folds.
        title: of the data set, as it is printed.
    """
    ours = (
        runs_table(folds)
        .filter(split="test", convention="letor")
        .group_by("method", "fold", "measure", maintain_order=True)
        .agg(pl.col("value").mean())
    )
    theirs = published().unpivot(
        index=["method", "fold"], variable_name="measure", value_name="published"
    )
    both = ours.join(theirs, on=["method", "fold", "measure"], maintain_order="left")
    numbers = sorted(both["fold"].unique())
    groups = []
    for method in in_order(both["method"]):
        rows = []
        for measure, words in MEASURE_TITLES.items():
            own = both.filter(method=method, measure=measure).sort("fold")
            if own["published"].null_count():
                continue
            values, printed = own["value"].to_list(), own["published"].to_list()
            apart = sum(values) / len(values) - sum(printed) / len(printed)
            rows += [
                [Cell(f"{words}, here"), *(Cell(number(v)) for v in [*values, _mean(values)])],
                [Cell("published"), *(Cell(number(v)) for v in [*printed, _mean(printed)])],
                [
                    Cell("difference"),
                    *(Cell(number(v - p, "+.4f")) for v, p in zip(values, printed, strict=True)),
                    Cell(number(apart, "+.4f")),
                ],
            ]
        if rows:
            groups.append(Group(rows, title=method_title(method)))
    return Table(
        name=f"{DATASET}_published",
        label=f"tab:{DATASET}-published",
        caption=f"Baselines trained here beside those that Microsoft published for {title}.",
        columns=["Test measure", *(f"Fold {number}" for number in numbers), "Mean"],
        alignment="l" + "r" * (len(numbers) + 1),
        groups=groups,
        notes=[
            "Published: the baseline results of LETOR 4.0, as far as they are printed by fold; its "
            "RankSVM is RankSVM-Struct. Here: means over seeds, in LETOR's convention."
        ],
        data=both.with_columns(
            pl.col("method").replace_strict({name: method_title(name) for name in both["method"]})
        ),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
