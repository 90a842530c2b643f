"""Values with their intervals: a row per thing that is compared, a panel per data set."""

from collections.abc import Mapping

from arsm_l2r.analysis.claims.claim import MEASURES, Claim
from arsm_l2r.analysis.words import printed
from arsm_l2r.rankers.method import BLACK, BLUE, GREY, VERMILLION
from arsm_l2r.report.figures.style import (
    Drawing,
    legend_below,
    new_figure,
    nothing_to_show,
    rows_of,
)

_COLOURS = {"ndcg@10": VERMILLION, "map": BLUE, "mean": BLACK}
_ROOM = 0.3
"""How far the measures of a row lie apart in all, of the row's height."""


def draw(
    claim: Claim, titles: Mapping[str, str], *, heading: str, axis: str, caption: str
) -> Drawing:
    """Draw a claim's `points`: differences around 0, or measures.

    Args:
        claim: with the points.
        titles: of the data sets.
        heading: above the figure.
        axis: what the values are.
        caption: below it.
    """
    points = claim.drawn["points"]
    rows = list(points["row"].unique(maintain_order=True))
    measures = list(points["measure"].unique(maintain_order=True))
    around_zero = "difference" in axis
    shown = {name: titles[name] for name in points["dataset"].unique(maintain_order=True)}
    figure = new_figure(heading, width=max(5 * len(shown), 6), height=2.0 + 0.4 * len(rows))
    if not shown:
        nothing_to_show(figure, "Nothing could be compared.")
        return Drawing(claim.name, heading, caption, "Empty: nothing could be compared.", figure)
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    words = []
    for axes, (dataset, title) in zip(panels, shown.items(), strict=True):
        if around_zero:
            axes.axvline(0, color=GREY, linewidth=0.8)
        for number, measure in enumerate(measures):
            own = points.filter(dataset=dataset, measure=measure)
            shift = _ROOM * (number / max(len(measures) - 1, 1) - 0.5)
            axes.errorbar(
                own["value"],
                [rows.index(row) + shift for row in own["row"]],
                xerr=[own["value"] - own["low"], own["high"] - own["value"]],
                fmt="o",
                color=_COLOURS[measure],
                label=MEASURES[measure],
            )
            form = "+.4f" if around_zero else ".4f"
            words += [
                f"{title}, {row}, {MEASURES[measure]}: {printed(value, form)}"
                for row, value in own.select("row", "value").iter_rows()
            ]
        rows_of(axes, rows)
        axes.set(title=title, xlabel=axis)
        axes.locator_params(axis="x", nbins=6)
    legend_below(figure, *panels[0].get_legend_handles_labels())
    return Drawing(claim.name, heading, caption, "; ".join(words), figure)
