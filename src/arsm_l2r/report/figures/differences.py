"""On which queries ARSM-L2R is better than the strongest baseline, and by how much."""

import numpy as np

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import signed
from arsm_l2r.experiments.methods import OURS, method_title
from arsm_l2r.rankers.method import BLACK, BLUE, VERMILLION
from arsm_l2r.report.figures.style import Drawing, legend_below, new_figure, nothing_to_show


def draw(analysis: Analysis) -> Drawing:
    """Draw the differences in order of size."""
    title, baseline = analysis.title, analysis.best_baseline
    ours = method_title(OURS)
    name = method_title(baseline) if baseline else "the strongest baseline"
    heading = f"{title}: {ours} against {name}, query by query"
    caption = (
        f"Test NDCG@10 of {ours} minus that of {name}, the baseline with the highest mean of it, "
        "for every query, largest first (means over seeds)."
    )
    figure = new_figure(heading, width=10, height=4.0)
    values = np.array(analysis.query_differences)
    if not values.size:
        reason = f"No test query was measured with both {ours} and a baseline."
        nothing_to_show(figure, reason)
        return Drawing("differences", heading, caption, f"Empty: {reason}", figure)
    axes = figure.subplots()
    # A query is a step of width 1 around its place.
    places = np.arange(values.size + 1) + 0.5
    better, worse = np.maximum(values, 0), np.minimum(values, 0)
    counts = [int((values > 0).sum()), int((values == 0).sum()), int((values < 0).sum())]
    mean = float(values.mean())
    areas = [
        (better, VERMILLION, None, f"{ours} better: {_queries(counts[0])}"),
        (worse, BLUE, "////", f"{name} better: {_queries(counts[2])}"),
    ]
    for heights, colour, hatch, label in areas:
        axes.stairs(
            heights, places, fill=True, facecolor=colour, edgecolor="white", lw=0, hatch=hatch,
            label=label,
        )  # fmt: skip
    axes.axhline(0, color=BLACK, linewidth=0.8)
    axes.axhline(mean, color=BLACK, linewidth=1, linestyle="--", label=f"mean: {signed(mean)}")
    axes.set_xlabel(f"test queries, sorted by difference ({counts[1]} without a difference)")
    axes.set_ylabel("difference in NDCG@10")
    axes.set_xlim(places[0], places[-1])
    axes.grid(visible=False, axis="x")
    legend_below(figure, *axes.get_legend_handles_labels())
    words = (
        f"Sorted differences of {values.size} queries: {ours} is better on {counts[0]}, {name} on "
        f"{counts[2]}, and {counts[1]} do not differ; the mean difference is {signed(mean)}."
    )
    return Drawing("differences", heading, caption, words, figure)


def _queries(count: int) -> str:
    return f"{count} quer{'y' if count == 1 else 'ies'}"
