"""The variance of gradients, and the learning curves that they make."""

from collections.abc import Mapping
from typing import Any

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.analysis.claims.estimators import ARSM, called
from arsm_l2r.experiments.studies import STANDARD
from arsm_l2r.rankers.method import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILLION
from arsm_l2r.report.figures.style import Drawing, legend_below, new_figure, plain_numbers

_STYLES: dict[str, dict[str, Any]] = {
    "reinforce": {"color": BLUE, "linestyle": ":"},
    "ar": {"color": PURPLE, "linestyle": "-."},
    "ars": {"color": GREEN, "linestyle": "--"},
    ARSM: {"color": VERMILLION, "linestyle": "-"},
    STANDARD: {"color": BLACK, "linestyle": (0, (6, 2))},
    "reinforce-loo": {"color": ORANGE, "linestyle": ":"},
}


def draw(claim: Claim, titles: Mapping[str, str]) -> Drawing:
    """Draw a claim's data, the variance, beside its `curves`."""
    variance, best = claim.data, claim.drawn["curves"]
    heading = "Gradient variance and learning curves of the estimators"
    figure = new_figure(heading, width=11, height=3.2 * len(titles) + 0.8)
    panels = figure.subplots(len(titles), 3, squeeze=False)
    for (left, middle, right), (dataset, title) in zip(panels, titles.items(), strict=True):
        own = variance.filter(dataset=dataset)
        stages = list(own["stage"].unique(maintain_order=True))
        for name in own["estimator"].unique(maintain_order=True):
            style = _STYLES.get(name, {})
            values = own.filter(estimator=name)["variance"].to_list()
            left.plot(stages, values, marker="o", label=called(name), **style)
            curve = best.filter(dataset=dataset, estimator=name)
            if curve.height:
                middle.plot(curve["epoch"], curve["ndcg@10"], **style)
                right.plot(curve["seconds"], curve["ndcg@10"], **style)
        left.set(title=f"{title}: variance", ylabel="of a gradient entry", yscale="log")
        middle.set(title=f"{title}: by epoch", xlabel="epoch", ylabel="validation NDCG@10")
        right.set(title=f"{title}: by time", xlabel="seconds", ylabel="validation NDCG@10")
        plain_numbers(left.yaxis)
    legend_below(figure, *panels[0][0].get_legend_handles_labels())
    caption = (
        "Left: variance of a gradient entry on real queries, at the initial weights, in the middle "
        "and at the end of training. Middle and right: validation NDCG@10, mean over folds and "
        "seeds, of each estimator at its best learning rate."
    )
    words = "; ".join(
        f"{titles[row['dataset']]}, {row['stage']}, {row['estimator']}: {row['variance']:.3g}"
        for row in variance.iter_rows(named=True)
    )
    return Drawing(claim.name, heading, caption, words, figure)
