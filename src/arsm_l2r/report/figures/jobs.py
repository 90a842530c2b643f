"""What each job of the workflow took: time and memory."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from arsm_l2r.analysis.benchmarks import STEPS
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import in_order, method_title
from arsm_l2r.rankers.method import BLACK, GREY
from arsm_l2r.report.figures.style import (
    Drawing,
    method_style,
    new_figure,
    nothing_to_show,
    rows_of,
    ticks_at_1_2_5,
)


def draw(analysis: Analysis, jobs: pl.DataFrame) -> Drawing:
    """Draw every job as a point, a row per step and method.

    Args:
        analysis: of the data set.
        jobs: from `benchmarks.read_benchmarks`.
    """
    heading = f"{analysis.title}: time and memory per job"
    groups = _groups(jobs)
    runs = Counter(run.method for run in analysis.runs)
    gaps = {m: own.height for _, m, own in groups if m is not None and own.height < runs[m]}
    caption = (
        "Wall-clock time and peak resident memory of every job as Snakemake measured them, by step "
        "of the workflow and method (bar: median; logarithmic axes; in brackets: how many jobs"
        f"{_lacking(gaps, runs)}; memory is read now and then, and says little of a job that takes "
        "less than a second)."
    )
    figure = new_figure(heading, width=10, height=1.6 + 0.28 * max(len(groups), 4))
    if not groups:
        nothing_to_show(figure, "No benchmark file was found.")
        return Drawing("jobs", heading, caption, "Empty: no benchmark file was found.", figure)
    panels = figure.subplots(1, 2, sharey=True)
    for axes, column in zip(panels, ("seconds", "mebibytes"), strict=True):
        for row, (_, method, own) in enumerate(groups):
            style = method_style(method, [method]) if method else {"color": GREY, "marker": "o"}
            _points(axes, row, own[column], style)
        axes.set_xscale("log")
        ticks_at_1_2_5(axes.xaxis)
    panels[0].set_xlabel("wall-clock time (s)")
    panels[1].set_xlabel("peak memory (MiB)")
    counts = {m: f"{measured} of {runs[m]}" for m, measured in gaps.items()}
    rows_of(panels[0], [f"{name} ({counts.get(m or '', own.height)})" for name, m, own in groups])
    panels[1].grid(visible=False, axis="y")
    medians = [
        f"{name}: {_median(own['seconds'])} s, {_median(own['mebibytes'])} MiB"
        for name, _, own in groups
    ]
    words = f"Points, a row per step (number of jobs). Medians: {'; '.join(medians)}."
    return Drawing("jobs", heading, caption, words, figure)


def _lacking(gaps: Mapping[str, int], runs: Mapping[str, int]) -> str:
    """That some trainings were not measured, if they were not."""
    lacking = [f"{runs[m] - count} of {method_title(m)}" for m, count in gaps.items()]
    return f"; of trainings, {listed(lacking)} left no measurement" if lacking else ""


def _groups(jobs: pl.DataFrame) -> list[tuple[str, str | None, pl.DataFrame]]:
    """Jobs by row: training apart by method, the other steps each together."""
    groups: list[tuple[str, str | None, pl.DataFrame]] = []
    for rule in STEPS:
        own = jobs.filter(rule=rule)
        if rule == "train":
            for method in in_order(own["method"].drop_nulls().unique()):
                name = f"train {method_title(method)}"
                groups.append((name, method, own.filter(method=method)))
        elif own.height:
            groups.append((rule, None, own))
    return groups


def _points(axes: Axes, row: int, values: pl.Series, style: dict[str, Any]) -> None:
    known = values.drop_nulls().to_numpy()
    known = known[known > 0]
    if not known.size:
        return
    look = {**style, "linestyle": "", "markeredgewidth": 0}
    axes.plot(known, [row] * len(known), alpha=0.7, **look)
    middle = float(np.median(known))
    axes.plot([middle, middle], [row - 0.35, row + 0.35], color=BLACK, linewidth=1.5)


def _median(values: pl.Series) -> str:
    known = values.drop_nulls().to_numpy()
    if not known.size:
        return "unknown"
    middle = float(np.median(known))
    return f"{middle:.3g}" if middle < 100 else f"{middle:.0f}"
