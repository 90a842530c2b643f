"""On which queries ARSM-L2R is better than the best baseline, and by how much."""

import numpy as np
import polars as pl

from arsm_l2r.analysis.names import OURS, method_title
from arsm_l2r.report.figures.style import (
    BLACK,
    BLUE,
    VERMILLION,
    Drawing,
    new_figure,
    nothing_to_show,
)

_MEASURE = "ndcg@10"
_CONVENTION = "letor"


def best_baseline(runs: pl.DataFrame) -> str | None:
    """The baseline with the highest mean validation NDCG@10: test data have no say in it.

    Only those with the most folds are compared: means over different folds cannot be.
    """
    means = (
        runs.filter(
            pl.col("method") != OURS,
            pl.col("value").is_finite(),
            split="vali",
            convention=_CONVENTION,
            measure=_MEASURE,
        )
        .group_by("method", "fold")
        .agg(pl.col("value").mean())
        .group_by("method")
        .agg(pl.col("value").mean(), folds=pl.len())
        .filter(pl.col("folds") == pl.col("folds").max())
        .sort("value", "method", descending=[True, False])
    )
    return str(means["method"][0]) if means.height else None


def draw(title: str, runs: pl.DataFrame, queries: pl.DataFrame) -> Drawing:
    """Draw the differences in order of size.

    Args:
        title: of the data set.
        runs: its `runs_table`, which the baseline is chosen from.
        queries: its `per_query_table`.
    """
    ours = method_title(OURS)
    baseline = best_baseline(runs)
    name = method_title(baseline) if baseline else "the best baseline"
    heading = f"{title}: {ours} against {name}, query by query"
    caption = (
        f"Test NDCG@10 of {ours} minus that of {name}, the baseline with the highest mean NDCG@10 "
        "on validation data, for every query, largest first (means over seeds)."
    )
    figure = new_figure(heading, width=10, height=3.8)
    values = _differences(queries, baseline) if baseline else np.empty(0)
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
    axes.axhline(mean, color=BLACK, linewidth=1, linestyle="--", label=f"mean: {_signed(mean)}")
    axes.set_xlabel(f"test queries, sorted by difference ({counts[1]} without a difference)")
    axes.set_ylabel("difference in NDCG@10")
    axes.set_xlim(places[0], places[-1])
    axes.grid(visible=False, axis="x")
    axes.legend(loc="upper right")
    words = (
        f"Sorted differences of {values.size} queries: {ours} is better on {counts[0]}, {name} on "
        f"{counts[2]}, and {counts[1]} do not differ; the mean difference is {_signed(mean)}."
    )
    return Drawing("differences", heading, caption, words, figure)


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "−")


def _queries(count: int) -> str:
    return f"{count} quer{'y' if count == 1 else 'ies'}"


def _differences(queries: pl.DataFrame, baseline: str) -> np.ndarray:
    """(queries,) differences, largest first, of queries that both methods have."""
    if _MEASURE not in queries.columns:
        return np.empty(0)
    means = (
        queries.filter(split="test", convention=_CONVENTION)
        .group_by("method", "fold", "qid")
        .agg(pl.col(_MEASURE).mean())
    )
    pairs = means.filter(method=OURS).join(means.filter(method=baseline), on=["fold", "qid"])
    values = (pairs[_MEASURE] - pairs[f"{_MEASURE}_right"]).to_numpy()
    return np.asarray(-np.sort(-values[np.isfinite(values)]))
