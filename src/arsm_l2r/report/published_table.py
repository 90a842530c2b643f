"""Our baselines beside figures that others published for them, such as LETOR 4.0's."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import polars as pl

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.report.table import Cell, Group, Table, row_of

_DATA = ["method", "fold", "measure", "value", "published"]


def published_table(analysis: Analysis, published: Path | None) -> Table:
    """Fold by fold, ours and the published ones, of methods and measures that both have.

    Args:
        analysis: of the data set.
        published: CSV of test measures by `method` and `fold`, in LETOR's convention; empty where
            none is printed. Means over folds of what is printed follow from these. Without a file,
            the table has no rows.
    """
    table = pl.read_csv(published) if published else pl.DataFrame()
    theirs = {(row["method"], row["fold"]): row for row in table.iter_rows(named=True)}
    groups, data = [], []
    for method in analysis.methods:
        own, title = analysis.fold_means.get(method, {}), method_title(method)
        folds = [fold for fold in own if (method, fold) in theirs]
        rows = []
        for measure in (name for name in analysis.measures if folds and name in table.columns):
            ours = [own[fold].get(measure) for fold in folds]
            printed = [theirs[method, fold][measure] for fold in folds]
            rows += _rows(analysis.measures[measure], ours, printed)
            pairs = zip(folds, ours, printed, strict=True)
            data += [(title, fold, measure, one, other) for fold, one, other in pairs]
        if rows:
            groups.append(Group(rows, title))
    numbers = sorted({fold for _, fold, *_ in data})
    return Table(
        name=f"{analysis.dataset}_published",
        label=f"tab:{analysis.dataset}-published",
        caption="Baselines trained here beside those that Microsoft published for "
        f"{analysis.title}.",
        columns=["Test measure", *(f"Fold {fold}" for fold in numbers), "Mean"],
        alignment="l" + "r" * (len(numbers) + 1),
        groups=groups,
        notes=[
            "Published: the baseline results of LETOR 4.0, as far as they are printed by fold; its "
            "RankSVM is RankSVM-Struct. Here: means over seeds, in LETOR's convention. "
            + analysis.relevance
        ],
        data=pl.DataFrame(sorted(data, key=lambda row: row[1]), schema=_DATA, orient="row"),
    )


def _rows(
    title: str, ours: Sequence[float | None], published: Sequence[float | None]
) -> list[list[Cell]]:
    """Three rows; none of what is not printed, or was not measured, in every fold."""
    here = [value for value in ours if value is not None]
    printed = [value for value in published if value is not None]
    if len(here) < len(ours) or len(printed) < len(published):
        return []
    apart = [one - other for one, other in zip(here, printed, strict=True)]
    return [
        row_of(f"{title}, here", [*here, fmean(here)]),
        row_of("published", [*printed, fmean(printed)]),
        row_of("difference", [*apart, fmean(here) - fmean(printed)], "+.4f"),
    ]
