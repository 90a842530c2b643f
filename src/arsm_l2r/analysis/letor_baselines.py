"""Our baselines beside figures that others published for them, such as LETOR 4.0's."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from arsm_l2r.analysis.stored import Analysis


@dataclass(frozen=True)
class Beside:
    """A baseline in one measure by fold: ours, and what was published; nothing if it was not."""

    method: str
    measure: str
    ours: dict[int, float | None]
    published: dict[int, float | None]


def beside_published(analysis: Analysis, published: Path) -> list[Beside]:
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
            found.append(Beside(method, measure, ours, printed))
    return found
