"""Our baselines beside figures that others published for them, such as LETOR 4.0's."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import fmean

import polars as pl

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.report.table import Cell, Group, Table, number


@dataclass(frozen=True)
class _Beside:
    """A baseline in one measure by fold: ours, and what was published; nothing if it was not."""

    method: str
    measure: str
    ours: dict[int, float | None]
    published: dict[int, float | None]


def published_table(analysis: Analysis, published: Path | None) -> Table:
    """Fold by fold, ours and the published ones.

    Args:
        analysis: of the data set.
        published: the file of what was published; without one, the table has no rows.
    """
    found = _beside(analysis, published) if published else []
    folds = sorted({fold for each in found for fold in each.ours})
    groups = [
        Group([row for each in own for row in _rows(each, analysis)], title=method_title(method))
        for method, own in groupby(found, key=lambda each: each.method)
    ]
    data = [
        (method_title(each.method), fold, each.measure, each.ours[fold], each.published[fold])
        for fold in folds
        for each in found
        if fold in each.ours
    ]
    return Table(
        name=f"{analysis.dataset}_published",
        label=f"tab:{analysis.dataset}-published",
        caption="Baselines trained here beside those that Microsoft published for "
        f"{analysis.title}.",
        columns=["Test measure", *(f"Fold {fold}" for fold in folds), "Mean"],
        alignment="l" + "r" * (len(folds) + 1),
        groups=[group for group in groups if group.rows],
        notes=[
            "Published: the baseline results of LETOR 4.0, as far as they are printed by fold; its "
            "RankSVM is RankSVM-Struct. Here: means over seeds, in LETOR's convention."
        ],
        data=pl.DataFrame(
            data, schema=["method", "fold", "measure", "value", "published"], orient="row"
        ),
    )


def _beside(analysis: Analysis, published: Path) -> list[_Beside]:
    """The methods and measures that were both measured here and published, in order.

    Args:
        analysis: of the data set that the figures are published for.
        published: CSV of test measures by `method` and `fold`, in LETOR's convention; empty where
            none is printed. Means over folds of what is printed follow from these.
    """
    table = pl.read_csv(published)
    theirs = {(row["method"], row["fold"]): row for row in table.iter_rows(named=True)}
    found = []
    for method in analysis.methods:
        own = analysis.fold_means.get(method, {})
        folds = [fold for fold in own if (method, fold) in theirs]
        for measure in (name for name in analysis.measures if folds and name in table.columns):
            ours = {fold: own[fold].get(measure) for fold in folds}
            printed = {fold: theirs[method, fold][measure] for fold in folds}
            found.append(_Beside(method, measure, ours, printed))
    return found


def _rows(each: _Beside, analysis: Analysis) -> list[list[Cell]]:
    """Three rows; none of what is not printed, or was not measured, in every fold."""
    ours = [value for value in each.ours.values() if value is not None]
    printed = [value for value in each.published.values() if value is not None]
    if len(ours) < len(each.ours) or len(printed) < len(each.published):
        return []
    apart = [one - other for one, other in zip(ours, printed, strict=True)]
    return [
        _row(f"{analysis.measures[each.measure]}, here", [*ours, fmean(ours)]),
        _row("published", [*printed, fmean(printed)]),
        _row("difference", [*apart, fmean(ours) - fmean(printed)], "+.4f"),
    ]


def _row(name: str, values: Sequence[float], form: str = ".4f") -> list[Cell]:
    return [Cell(name), *(Cell(number(value, form)) for value in values)]
