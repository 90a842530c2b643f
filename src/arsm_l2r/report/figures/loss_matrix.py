"""Every loss that was trained against every measure that was tested."""

from collections.abc import Mapping

import numpy as np

from arsm_l2r.analysis.claims.claim import MEASURES, Claim
from arsm_l2r.report.figures.style import Drawing, new_figure


def draw(claim: Claim, titles: Mapping[str, str]) -> Drawing:
    """Draw a claim's data as a matrix per data set."""
    losses = list(claim.data["loss"].unique(maintain_order=True))
    heading = "Loss trained against measure tested"
    figure = new_figure(heading, width=max(5.2 * len(titles), 6), height=1.6 + 0.38 * len(losses))
    panels = figure.subplots(1, len(titles), squeeze=False)[0]
    words = []
    for axes, (dataset, title) in zip(panels, titles.items(), strict=True):
        own = claim.data.filter(dataset=dataset)
        matrix = own.select(*MEASURES).to_numpy()
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
        names = [*list(MEASURES.values())[:-1], "mean"]
        axes.set_xticks(middles[: len(names)], names, fontsize=7.5)
        axes.set_yticks(middles[: own.height], list(own["loss"]))
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.set_title(title)
        words += [
            f"{title}, {row['loss']}: " + ", ".join(f"{MEASURES[m]} {row[m]:.4f}" for m in MEASURES)
            for row in own.iter_rows(named=True)
        ]
    caption = (
        "Mean over the test queries of all folds. Rows: what was trained on; columns: what was "
        "measured; the darker, the higher in its column; bold: the highest."
    )
    return Drawing(claim.name, heading, caption, "; ".join(words), figure)
