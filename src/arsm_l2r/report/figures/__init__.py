"""Every figure of a data set, each in a file of its own here, drawn and written with its words."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.benchmarks import read_benchmarks
from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.files import write_json
from arsm_l2r.report.figures import cutoffs, differences, jobs, spread, training_curves
from arsm_l2r.report.figures.style import Drawing, figure_style, save

FIGURES = ("cutoffs", "differences", "spread", "training", "jobs")
"""Names of the figures, in the order of the report."""

__all__ = ["FIGURES", "Drawing", "write_figures"]


def write_figures(
    dataset: str,
    title: str,
    folds: Sequence[Mapping[str, Any]],
    *,
    results: Path,
    benchmarks: Path,
    folder: Path,
) -> None:
    """Draw every figure of a data set.

    Args:
        dataset: its name.
        title: its name as it is printed.
        folds: results of folds; those of other data sets are passed over.
        results: folder with what each run left, `{dataset}/fold{k}/{method}/seed{s}/`.
        benchmarks: folder with what Snakemake measured, `{rule}/{dataset}/`.
        folder: to write `{name}.svg` and `{name}.png` to, and `captions.json` with the words.
    """
    own = [fold for fold in folds if fold["dataset"] == dataset]
    with figure_style(salt=dataset):
        runs, queries = runs_table(own), per_query_table(own, results)
        trained = (set(runs["method"]), set(runs["seed"]))
        drawings = [
            cutoffs.draw(title, runs, queries),
            differences.draw(title, runs, queries),
            spread.draw(title, runs),
            training_curves.draw(title, own, results),
            jobs.draw(title, read_benchmarks(benchmarks, dataset, *trained)),
        ]
        for drawing in drawings:
            save(drawing, folder)
    words = [
        {
            "name": drawing.name,
            "title": drawing.title,
            "caption": drawing.caption,
            "alternative": drawing.alternative,
        }
        for drawing in drawings
    ]
    write_json(folder / "captions.json", {"dataset": dataset, "figures": words})
