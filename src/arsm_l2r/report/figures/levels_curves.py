"""Test measures and time against the number of levels."""

from collections.abc import Mapping

from arsm_l2r.analysis.claims.claim import MEASURES, Claim
from arsm_l2r.analysis.words import listed
from arsm_l2r.rankers.method import BLUE, VERMILLION
from arsm_l2r.report.figures.style import Drawing, legend_below, new_figure, ticks_at_1_2_5

_COLOURS = {"ndcg@10": VERMILLION, "map": BLUE}


def draw(claim: Claim, titles: Mapping[str, str]) -> Drawing:
    """Draw a claim's `points` and `seconds`."""
    points, seconds = claim.drawn["points"], claim.drawn["seconds"]
    heading = "Test measures and time against the number of levels C"
    figure = new_figure(heading, width=3.6 * (len(titles) + 1), height=3.7)
    panels = figure.subplots(1, len(titles) + 1)
    levels = sorted(points["row"].unique())
    for axes, (dataset, title) in zip(panels, titles.items(), strict=False):
        for measure, colour in _COLOURS.items():
            own = points.filter(dataset=dataset, measure=measure)
            axes.plot(own["row"], own["value"], marker="o", color=colour, label=MEASURES[measure])
            axes.fill_between(
                own["row"], own["low"], own["high"], color=colour, alpha=0.15, linewidth=0
            )
        axes.set(title=title, xlabel="C", ylabel="test measure")
    for dataset, title in titles.items():
        own = seconds.filter(dataset=dataset)
        panels[-1].plot(own["levels"], own["seconds"], marker="s", label=title)
    panels[-1].set(title="time", xlabel="C", ylabel="seconds per epoch", yscale="log")
    for axes in panels:
        axes.set_xscale("log")
        axes.set_xticks(levels, [str(value) for value in levels])
        axes.minorticks_off()
    entries = [axes.get_legend_handles_labels() for axes in (panels[0], panels[-1])]
    legend_below(figure, *([*one, *other] for one, other in zip(*entries, strict=True)))
    ticks_at_1_2_5(panels[-1].yaxis)
    words = f"Curves over C = {', '.join(map(str, levels))} for {listed(titles.values())}."
    caption = (
        "Left: mean over the test queries of all folds, with its 95 % bootstrap interval over "
        "queries. Right: time of an epoch of training."
    )
    return Drawing(claim.name, heading, caption, words, figure)
