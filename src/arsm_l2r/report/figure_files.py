"""The figures of a data set, drawn and written with their words."""

import polars as pl

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.files import write_json
from arsm_l2r.report.figures import cutoffs, differences, jobs, spread, training_curves
from arsm_l2r.report.figures.style import figure_style, save


def write_figures(analysis: Analysis, measured: pl.DataFrame, results: Layout) -> None:
    """Draw every figure of a data set, and write their words.

    Args:
        analysis: of the data set.
        measured: what Snakemake measured, as `benchmarks.read_benchmarks` gives it.
        results: where the histories of training are, and the figures go.
    """
    captions = results.captions(analysis.dataset)
    with figure_style(salt=analysis.dataset):
        drawings = [
            cutoffs.draw(analysis),
            differences.draw(analysis),
            spread.draw(analysis),
            training_curves.draw(analysis, results),
            jobs.draw(analysis.title, measured),
        ]
        for drawing in drawings:
            save(drawing, captions.parent)
    words = [drawing.words for drawing in drawings]
    write_json(captions, {"dataset": analysis.dataset, "figures": words})
