"""How ARSM-L2R learnt: its objective and validation measures, epoch by epoch."""

from typing import Any

import polars as pl
from matplotlib.axes import Axes

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import OURS, method_title
from arsm_l2r.experiments.reading import read_numbers
from arsm_l2r.metrics import measure_title
from arsm_l2r.rankers.method import BLACK, BLUE, GREEN, VERMILLION
from arsm_l2r.report.figures.style import Drawing, legend_below, new_figure, nothing_to_show

_POINTS = 80
"""Points of a curve; longer ones are shown as means over as many epochs as it takes."""

_MEASURES: dict[str, dict[str, Any]] = {
    "ndcg@10": {"color": VERMILLION, "linestyle": "-"},
    "ndcg@1": {"color": BLUE, "linestyle": "--"},
    "map": {"color": GREEN, "linestyle": ":"},
}

_Runs = list[tuple[int | None, pl.DataFrame]]


def draw(analysis: Analysis, results: Layout) -> Drawing:
    """Draw the curves of each fold in a column of its own, seeds as mean and range.

    Args:
        analysis: of the data set.
        results: where the runs left their histories.
    """
    histories = _histories(analysis, results)
    heading = f"{analysis.title}: training of {method_title(OURS)}"
    figure = new_figure(heading, width=10.5, height=4.8)
    caption = (
        f"Objective that {method_title(OURS)} minimises on the training queries and its measures "
        "on the validation queries, per fold (lines: mean over seeds, shade: their range"
        "{blocks}); a star and a dashed line mark the epoch whose weights were kept, for each "
        f"seed; {analysis.relevance}"
    )
    if not histories:
        nothing_to_show(figure, f"No training history of {method_title(OURS)} was found.")
        words = f"Empty: no training history of {method_title(OURS)} was found."
        return Drawing("training", heading, caption.format(blocks=""), words, figure)
    longest = max(
        int(history["epoch"].to_numpy().max()) for runs in histories.values() for _, history in runs
    )
    block = -(-longest // _POINTS)
    grid = figure.subplots(2, len(histories), sharex=True, sharey="row", squeeze=False)
    for column, (number, runs) in enumerate(histories.items()):
        above, below = grid[0][column], grid[1][column]
        above.set_title(f"Fold {number}")
        _curve(above, runs, "objective", block, {"color": BLACK, "label": "objective"})
        for measure, style in _MEASURES.items():
            _curve(below, runs, measure, block, {"label": measure_title(measure), **style})
        _mark_selected(above, runs, "objective")
        _mark_selected(below, runs, "ndcg@10")
        below.set_xlabel("epoch")
    grid[0][0].set_ylabel("training objective\n(lower is better)")
    grid[1][0].set_ylabel("validation measure\n(higher is better)")
    handles, labels = grid[1][0].get_legend_handles_labels()
    legend_below(figure, handles, labels)
    chosen = [
        f"fold {number}: {', '.join(str(epoch) for epoch, _ in runs)}"
        for number, runs in histories.items()
    ]
    words = (
        f"Line charts over {longest} epochs in {len(histories)} columns, one per fold. "
        f"Selected epochs by seed: {'; '.join(chosen)}."
    )
    blocks = f", each point the mean of {block} epochs" if block > 1 else ""
    return Drawing("training", heading, caption.format(blocks=blocks), words, figure)


def _histories(analysis: Analysis, results: Layout) -> dict[int, _Runs]:
    """By fold, for each seed the selected epoch and the history."""
    found: dict[int, _Runs] = {}
    for run in analysis.runs:
        path = results.run(analysis.dataset, run.fold, run.method, run.seed).history
        if run.method != OURS or not path.exists():
            continue
        history = read_numbers(path, ["epoch"])
        found.setdefault(run.fold, []).append((run.selected_epoch, history))
    return found


def _curve(axes: Axes, runs: _Runs, column: str, block: int, style: dict[str, Any]) -> None:
    tables = [
        history.select(block=(pl.col("epoch") - 1) // block, epoch="epoch", value=column)
        .group_by("block", maintain_order=True)
        .agg(pl.col("epoch", "value").mean())
        for _, history in runs
        if column in history.columns
    ]
    if not tables:
        return
    value = pl.col("value")
    seeds = pl.concat(tables).group_by("block", maintain_order=True)
    curve = seeds.agg(
        pl.col("epoch").mean(), mean=value.mean(), low=value.min(), high=value.max()
    ).sort("block")
    axes.plot(curve["epoch"], curve["mean"], marker="o" if curve.height == 1 else None, **style)
    if len(tables) > 1:
        shade = {"color": style["color"], "alpha": 0.2, "lw": 0}
        axes.fill_between(curve["epoch"], curve["low"], curve["high"], **shade)


def _mark_selected(axes: Axes, runs: _Runs, column: str) -> None:
    label: str | None = "epoch selected"
    for epoch, history in runs:
        if epoch is None or column not in history.columns:
            continue
        axes.axvline(epoch, color=BLACK, linestyle="--", linewidth=0.7, alpha=0.6)
        for value in history.filter(epoch=epoch)[column]:
            axes.plot(epoch, value, "*", color=BLACK, markersize=9, label=label, zorder=4)
            label = None
