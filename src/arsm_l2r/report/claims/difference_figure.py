"""The figure of differences: one row per thing that is compared, one panel per data set."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from arsm_l2r.report.claims.claim import MEASURES, Difference
from arsm_l2r.report.figures.style import BLUE, GREY, VERMILLION, interval, new_figure, rows_of

SHOWN = ("ndcg@10", "map")
"""The measures that are drawn."""

_STYLES = {"ndcg@10": (VERMILLION, -0.12), "map": (BLUE, 0.12)}


def draw_differences(
    heading: str,
    found: Sequence[Difference],
    rows: Mapping[str, str],
    titles: Mapping[str, str],
    axis: str,
) -> tuple[Figure, str]:
    """Draw differences with their intervals.

    Args:
        heading: above the figure.
        found: the differences; those in `SHOWN` are drawn.
        rows: what is compared, by name, as it is printed.
        titles: of the data sets.
        axis: what the differences are.

    Returns:
        The figure, and its numbers in words.
    """
    figure = new_figure(heading, width=max(5 * len(titles), 6), height=1.8 + 0.4 * len(rows))
    panels = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    words = []
    for axes, (dataset, title) in zip(panels, titles.items(), strict=True):
        axes.axvline(0, color=GREY, linewidth=0.8)
        for measure, (colour, shift) in _STYLES.items():
            own = {e.name: e for e in found if e.dataset == dataset and e.measure == measure}
            for row, (name, text) in enumerate(rows.items()):
                each = own[name]
                label = MEASURES[measure] if row == 0 else None
                interval(axes, row + shift, each.value, each.low, each.high, colour, label)
                words.append(f"{title}, {text}, {MEASURES[measure]}: {each.value:+.4f}")
        rows_of(axes, list(rows.values()))
        axes.set(title=title, xlabel=axis)
        axes.legend()
    return figure, "; ".join(words)
