"""The figures of a data set, drawn and written with their words."""

import polars as pl

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.reading import read_written
from arsm_l2r.files import write_json
from arsm_l2r.report.captions import Captions
from arsm_l2r.report.figures import cutoffs, differences, jobs, spread, training_curves
from arsm_l2r.report.figures.style import figure_style, save

_OF_ANALYSIS = {"differences": differences.draw, "spread": spread.draw}
"""Figures that an analysis is enough for; NDCG by cut-off takes cut-offs that are not published."""


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
            jobs.draw(analysis, measured),
        ]
        for drawing in drawings:
            save(drawing, captions.parent)
    words = [drawing.words for drawing in drawings]
    write_json(captions, {"dataset": analysis.dataset, "figures": words})


def draw_again(analysis: Analysis, results: Layout) -> None:
    """Draw anew what is there of the figures that the analysis is enough for; others stay.

    Args:
        analysis: of the data set.
        results: where the figures and their words are.
    """
    path = results.captions(analysis.dataset)
    figures = read_written(path, Captions)["figures"]
    for at, words in enumerate(figures):
        if (draw := _OF_ANALYSIS.get(words["name"])) is not None:
            with figure_style(salt=analysis.dataset):
                drawing = draw(analysis)
                save(drawing, path.parent)
            figures[at] = drawing.words
    write_json(path, {"dataset": analysis.dataset, "figures": figures})
