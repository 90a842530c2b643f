"""The entropy of the levels, the gradient and validation measures over epochs."""

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.report.figures.style import Drawing, legend_below, new_figure

_SHOWN = {
    "entropy": "entropy of the levels",
    "gradient_norm": "norm of the gradient",
    "mean": "validation, mean of the five",
}
_LINES: tuple[Any, ...] = ("-", "--", ":", "-.")


def draw(claim: Claim, titles: Mapping[str, str]) -> Drawing:
    """Draw a claim's `curves`: a row per data set and estimator, a column per thing followed."""
    curves = claim.drawn["curves"]
    weights = sorted(curves["entropy_weight"].unique())
    scalings = list(curves["feature_scaling"].unique(maintain_order=True))
    estimators = list(curves["estimator"].unique(maintain_order=True))
    shades = mpl.colormaps["viridis"].resampled(len(weights) + 1)
    colours = {weight: shades(number) for number, weight in enumerate(weights)}
    lines = {scaling: _LINES[at % len(_LINES)] for at, scaling in enumerate(scalings)}
    rows = [(dataset, estimator) for dataset in titles for estimator in estimators]
    heading = "What a weight on the entropy of the levels does"
    figure = new_figure(heading, width=11, height=2.3 * len(rows) + 1.0)
    panels = figure.subplots(len(rows), len(_SHOWN), squeeze=False, sharex="row")
    for row, (dataset, estimator) in zip(panels, rows, strict=True):
        own = curves.filter(dataset=dataset, estimator=estimator)
        for axes, (column, words) in zip(row, _SHOWN.items(), strict=True):
            for (weight, scaling), curve in own.group_by(
                "entropy_weight", "feature_scaling", maintain_order=True
            ):
                axes.plot(
                    curve["epoch"],
                    curve[column],
                    color=colours[weight],
                    linestyle=lines[scaling],
                    marker="",
                )
            axes.set_title(f"{titles[dataset]}, {estimator}", fontsize=9)
            axes.set_ylabel(words)
        row[0].set_ylim(0, 1)
        row[1].set_ylim(bottom=0)
    for axes in panels[-1]:
        axes.set_xlabel("epoch")
    keys = [Line2D([], [], color=colours[w], label=f"weight {w:g}") for w in weights]
    keys += [
        Line2D([], [], color="black", linestyle=lines[s], label=f"features: {s}") for s in scalings
    ]
    legend_below(figure, keys, [str(key.get_label()) for key in keys])
    caption = (
        "Means over folds and seeds by epoch of training. Left: entropy of the training documents' "
        "levels, relative to the highest there is. Middle: norm of a step's gradient. Right: mean "
        "of the five measures on validation data."
    )
    ends = curves.group_by("dataset", "name", maintain_order=True).last()
    words = "; ".join(
        f"{titles[end['dataset']]}, {end['estimator']}, features {end['feature_scaling']}, weight "
        f"{end['entropy_weight']:g}: entropy {end['entropy']:.2f} at the end, validation "
        f"{end['mean']:.4f}"
        for end in ends.iter_rows(named=True)
    )
    return Drawing(claim.name, heading, caption, words, figure)
