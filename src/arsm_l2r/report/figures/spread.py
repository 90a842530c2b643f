"""How much the measures of each method vary over folds and seeds."""

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import in_order, method_title
from arsm_l2r.rankers.method import BLACK
from arsm_l2r.report.figures.style import (
    FOLD_MARKERS,
    Drawing,
    legend_below,
    method_style,
    new_figure,
    nothing_to_show,
    rows_of,
)

_MEASURES = ("ndcg@1", "ndcg@10", "map")


def draw(analysis: Analysis) -> Drawing:
    """Draw every run as a point, a row per method and a panel per measure."""
    heading = f"{analysis.title}: spread over folds and seeds"
    caption = (
        "Test measures of every run (shape: fold; one point per seed) and their mean over folds "
        f"(bar), as LETOR's tools compute them; {analysis.relevance}"
    )
    values = {
        (run.method, run.fold, run.seed, measure): value
        for run in analysis.runs
        for measure in _MEASURES
        if (value := run.test.get(measure)) is not None
    }
    methods = in_order({method for method, *_ in values})
    figure = new_figure(heading, width=10, height=1.9 + 0.38 * max(len(methods), 3))
    if not methods:
        nothing_to_show(figure, "No run has been measured.")
        return Drawing("spread", heading, caption, "Empty: nothing has been measured.", figure)
    numbers = sorted({fold for _, fold, *_ in values})
    markers = [FOLD_MARKERS[at % len(FOLD_MARKERS)] for at in range(len(numbers))]
    means = analysis.rows()
    panels = figure.subplots(1, len(_MEASURES), sharey=True)
    ranges = []
    for axes, measure in zip(panels, _MEASURES, strict=True):
        for row, method in enumerate(methods):
            own = {key: value for key, value in values.items() if key[::3] == (method, measure)}
            for at, number in enumerate(numbers):
                points = [value for key, value in own.items() if key[1] == number]
                height = row + (at - (len(numbers) - 1) / 2) * 0.12
                axes.plot(
                    points,
                    [height] * len(points),
                    linestyle="",
                    marker=markers[at],
                    color=method_style(method, methods)["color"],
                    markeredgecolor="white",
                    markeredgewidth=0.4,
                )
            mean = means[method, measure].ours if (method, measure) in means else None
            if mean is not None:
                axes.plot([mean, mean], [row - 0.38, row + 0.38], color=BLACK, linewidth=1.8)
            if own and measure == "ndcg@10":
                ends = f"{min(own.values()):.4f} to {max(own.values()):.4f}"
                ranges.append(f"{method_title(method)} {ends}")
        axes.set_xlabel(f"test {analysis.measures[measure]} (0 to 1)")
    rows_of(panels[0], [method_title(method) for method in methods])
    for axes in panels[1:]:
        axes.grid(visible=False, axis="y")
    handles = [axes.plot([], [], linestyle="", color=BLACK, marker=each)[0] for each in markers]
    labels = [f"fold {number}" for number in numbers]
    legend_below(figure, handles, labels)
    words = f"Points, a row per method. NDCG@10 of single runs: {'; '.join(ranges)}."
    return Drawing("spread", heading, caption, words, figure)
