"""Where every method stands on a data set: measured here, and as the paper prints it."""

from collections.abc import Sequence

from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.experiments.methods import method_of
from arsm_l2r.metrics import measure_title
from arsm_l2r.rankers.method import BLACK, BLUE, VERMILLION
from arsm_l2r.report.figures.style import (
    Drawing,
    legend_below,
    new_figure,
    nothing_to_show,
    rows_of,
)
from arsm_l2r.report.standing import Standing

_MARKS = {
    True: {"color": VERMILLION, "marker": "o", "label": "ARSM-L2R"},
    False: {"color": BLUE, "marker": "s", "label": "other methods"},
}


def draw(found: Sequence[Standing], measure: str) -> Drawing:
    """Draw a row per method and a panel per data set.

    Args:
        found: of each data set.
        measure: to show.
    """
    what = measure_title(measure)
    heading = f"Test {what}: measured here, and as the paper prints it"
    caption = (
        "Filled: mean over folds of the mean over seeds, with the 95 % bootstrap interval over "
        "the test queries; it shows how much single queries matter, not which methods differ, "
        "which paired tests tell. Open: as printed. † Not in the paper."
    )
    titles = {name: load_paper().marked(name) for each in found for name in each.methods}
    names = [name for each in found[:1] for name in each.methods]
    names += [name for name in titles if name not in names]
    figure = new_figure(heading, width=10, height=1.7 + 0.3 * max(len(names), 3))
    if not names:
        nothing_to_show(figure, "Nothing has been measured.")
        return Drawing("standing", heading, caption, "Empty: nothing has been measured.", figure)
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    words = []
    for axes, each in zip(panels, found, strict=True):
        for ours, mark in _MARKS.items():
            own = [
                (at, row)
                for at, name in enumerate(names)
                if bool((record := method_of(name)) and record.ours) == ours
                and (row := each.row(name, measure)) is not None
                and row.ours is not None
            ]
            rows = [at for at, _ in own]
            axes.plot([row.ours for _, row in own], rows, linestyle="", **mark)
            for at, row in own:
                if row.low is not None and row.high is not None:
                    axes.plot([row.low, row.high], [at, at], color=mark["color"], zorder=1)
        printed = [(at, each.printed(name, measure)) for at, name in enumerate(names)]
        shown = [(at, value) for at, value in printed if value is not None]
        axes.plot(
            [value for _, value in shown],
            [at for at, _ in shown],
            linestyle="",
            marker="D",
            markersize=7,
            markerfacecolor="none",
            markeredgecolor=BLACK,
            label="printed in the paper",
        )
        axes.set(title=each.title, xlabel=f"test {what}")
        figures = [
            f"{titles[name]} {value:.4f}"
            + (f" (printed {paper:.4f})" if (paper := each.printed(name, measure)) else "")
            for name in names
            if (value := each.value(name, measure)) is not None
        ]
        words.append(f"{each.title}: {', '.join(figures)}")
    rows_of(panels[0], [titles[name] for name in names])
    for axes in panels[1:]:
        axes.grid(visible=False, axis="y")
    legend_below(figure, *panels[0].get_legend_handles_labels())
    return Drawing("standing", heading, caption, f"{'; '.join(words)}.", figure)
