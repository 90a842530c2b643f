"""How much the measures of each method vary over folds and seeds."""

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES, in_order, method_title
from arsm_l2r.report.figures.style import (
    BLACK,
    FOLD_MARKERS,
    Drawing,
    method_style,
    new_figure,
    nothing_to_show,
    rows_of,
)

_MEASURES = ("ndcg@1", "ndcg@10", "map")
_CONVENTION = "letor"


def draw(title: str, runs: pl.DataFrame) -> Drawing:
    """Draw every run as a point, a row per method and a panel per measure.

    Args:
        title: of the data set.
        runs: its `runs_table`.
    """
    heading = f"{title}: spread over folds and seeds"
    caption = (
        "Test measures of every run (shape: fold; one point per seed) and their mean over folds "
        "(bar), as LETOR's tools compute them."
    )
    chosen = runs.filter(
        pl.col("measure").is_in(_MEASURES),
        pl.col("value").is_finite(),
        split="test",
        convention=_CONVENTION,
    )
    methods = in_order(chosen["method"].unique())
    figure = new_figure(heading, width=10, height=1.9 + 0.38 * max(len(methods), 3))
    if not methods:
        nothing_to_show(figure, "No run has been measured.")
        return Drawing("spread", heading, caption, "Empty: nothing has been measured.", figure)
    numbers = sorted(chosen["fold"].unique())
    panels = figure.subplots(1, len(_MEASURES), sharey=True)
    ranges = []
    for axes, measure in zip(panels, _MEASURES, strict=True):
        for row, method in enumerate(methods):
            own = chosen.filter(measure=measure, method=method)
            colour = method_style(method, methods)["color"]
            for at, number in enumerate(numbers):
                points = own.filter(fold=number)["value"].to_numpy()
                height = row + (at - (len(numbers) - 1) / 2) * 0.12
                axes.plot(
                    points,
                    [height] * len(points),
                    linestyle="",
                    marker=FOLD_MARKERS[at % len(FOLD_MARKERS)],
                    color=colour,
                    markeredgecolor="white",
                    markeredgewidth=0.4,
                )
            if own.height:
                mean = own.group_by("fold").agg(pl.col("value").mean())["value"].mean()
                axes.plot([mean, mean], [row - 0.38, row + 0.38], color=BLACK, linewidth=1.8)
                if measure == "ndcg@10":
                    values = own["value"].to_numpy()
                    ranges.append(
                        f"{method_title(method)} {values.min():.4f} to {values.max():.4f}"
                    )
        axes.set_xlabel(f"test {MEASURE_TITLES[measure]} (0 to 1)")
    rows_of(panels[0], [method_title(method) for method in methods])
    for axes in panels[1:]:
        axes.grid(visible=False, axis="y")
    handles = [
        axes.plot([], [], linestyle="", color=BLACK, marker=FOLD_MARKERS[at % len(FOLD_MARKERS)])[0]
        for at in range(len(numbers))
    ]
    labels = [f"fold {number}" for number in numbers]
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 10))
    words = f"Points, a row per method. NDCG@10 of single runs: {'; '.join(ranges)}."
    return Drawing("spread", heading, caption, words, figure)
