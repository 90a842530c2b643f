"""The paper: the loss need not be differentiable and can be pointwise or listwise."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES
from arsm_l2r.analysis.words import listed
from arsm_l2r.report.claims.claim import (
    MEASURES,
    Claim,
    differences,
    improvement,
    means_by_name,
)
from arsm_l2r.report.figures.style import Drawing, new_figure

CHANCE = "chance"
"""The name of documents in random order."""

UNTRAINED = "untrained"
"""The name of networks that were only initialised, the best on validation data of many."""


def judge(queries: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]) -> Claim:
    """Judge the claim by whether every loss teaches a ranking: more than a selection would find.

    Args:
        queries: of every variant, of `UNTRAINED` and of `CHANCE`, as `claim.with_mean` gives
            them.
        names: the loss by the variant's name.
        titles: of the data sets.
    """
    found = differences(queries, UNTRAINED, list(names), ["mean"])
    means = means_by_name(queries.filter(pl.col("name").is_in(list(names))))
    others = {
        (row["dataset"], row["name"]): row["mean"]
        for row in means_by_name(queries).iter_rows(named=True)
    }
    sentences = []
    for dataset, title in titles.items():
        own = means.filter(dataset=dataset)
        own_found = [each for each in found if each.dataset == dataset]
        failed = [names[e.name] for e in own_found if not (e.significant and e.value > 0)]
        ordered = own.sort("mean", descending=True)
        ranked = [f"{names[r['name']]} {r['mean']:.4f}" for r in ordered.iter_rows(named=True)]
        own_best = [
            f"{MEASURE_TITLES[measure]} by {names[own['name'][int(np.argmax(own[measure]))]]}"
            for measure in MEASURE_TITLES
        ]
        sentences.append(
            f"On {title} documents in random order have a mean of {others[dataset, CHANCE]:.4f} "
            f"and the best untrained networks {others[dataset, UNTRAINED]:.4f}; trained, the "
            f"losses reach {listed(ranked)}"
            + (f"; not significantly above untrained: {listed(failed)}" if failed else "")
            + f". The highest {listed(own_best)}."
        )
    return Claim(
        name="losses",
        title="Any loss",
        says="The loss need not be differentiable and can be either pointwise or listwise.",
        answer=improvement(found),
        because=sentences,
        drawing=_draw(means, names, titles),
        data=means.with_columns(loss=pl.col("name").replace_strict(dict(names))),
    )


def _draw(means: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]) -> Drawing:
    heading = "Loss trained against measure tested"
    figure = new_figure(heading, width=max(5.2 * len(titles), 6), height=1.6 + 0.38 * len(names))
    panels = figure.subplots(1, len(titles), squeeze=False)[0]
    words = []
    for axes, (dataset, title) in zip(panels, titles.items(), strict=True):
        own = {r["name"]: r for r in means.filter(dataset=dataset).iter_rows(named=True)}
        matrix = np.array([[own[name][measure] for measure in MEASURES] for name in names])
        # Columns have different heights: colours compare losses within a column.
        spread = np.ptp(matrix, axis=0)
        shade = (matrix - matrix.min(axis=0)) / np.where(spread > 0, spread, 1)
        axes.pcolormesh(shade, cmap="Blues", vmin=-0.2, vmax=1.6, edgecolors="white")
        axes.invert_yaxis()
        best = matrix.argmax(axis=0)
        for row, column in np.ndindex(*matrix.shape):
            weight = "bold" if best[column] == row else "normal"
            text = f"{matrix[row, column]:.4f}"
            place = (column + 0.5, row + 0.5)
            axes.text(*place, text, ha="center", va="center", fontsize=7.5, weight=weight)
        middles = np.arange(max(matrix.shape)) + 0.5
        axes.set_xticks(middles[: len(MEASURES)], [*MEASURE_TITLES.values(), "mean"], fontsize=7.5)
        axes.set_yticks(middles[: len(names)], list(names.values()))
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.set_title(title)
        words += [
            f"{title}, {loss}: " + ", ".join(f"{MEASURES[m]} {own[name][m]:.4f}" for m in MEASURES)
            for name, loss in names.items()
        ]
    caption = (
        "Mean over the test queries of all folds. Rows: what was trained on; columns: what was "
        "measured; the darker, the higher in its column; bold: the highest."
    )
    return Drawing("losses", heading, caption, "; ".join(words), figure)
