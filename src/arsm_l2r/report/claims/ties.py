"""Ours: training with ties in expectation, rather than in some order."""

from collections.abc import Mapping

import polars as pl

from arsm_l2r.report.claims.claim import (
    MEASURES,
    Claim,
    differences,
    improvement,
    interval_of,
    means_by_name,
)
from arsm_l2r.report.figures.style import (
    BLACK,
    BLUE,
    VERMILLION,
    Drawing,
    interval,
    new_figure,
    rows_of,
)

EXPECTED = "in expectation"
"""The rule that the others are compared with."""


def judge(queries: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]) -> Claim:
    """Judge whether ties in expectation train better rankers than ties in an order.

    Args:
        queries: of every variant, as `claim.with_mean` gives them.
        names: the rule by the variant's name; one is `EXPECTED`.
        titles: of the data sets.
    """
    (expected,) = (name for name, rule in names.items() if rule == EXPECTED)
    others = [name for name in names if name != expected]
    ahead = [each.turned() for each in differences(queries, expected, others, ["mean"])]
    means = {(r["dataset"], r["name"]): r for r in means_by_name(queries).iter_rows(named=True)}
    sentences = []
    for dataset, title in titles.items():
        values = [f"{names[name]} {means[dataset, name]['mean']:.4f}" for name in names]
        against = [
            f"{each} against {names[each.name]}" for each in ahead if each.dataset == dataset
        ]
        sentences.append(
            f"Mean of the five measures on {title}: {', '.join(values)}. In expectation is ahead "
            f"by {' and by '.join(against)}."
        )
    return Claim(
        name="ties",
        title="Ties in training",
        says="(Ours, not the paper's.) The loss with ties in expectation trains better rankers "
        "than with ties in file order or in random order.",
        answer=improvement(ahead),
        because=sentences,
        drawing=_draw(queries, names, titles),
        data=means_by_name(queries).with_columns(ties=pl.col("name").replace_strict(dict(names))),
    )


def _draw(queries: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]) -> Drawing:
    heading = "Training with different rules for ties"
    figure = new_figure(heading, width=max(5 * len(titles), 6), height=1.8 + 0.4 * len(names))
    panels = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    styles = {"ndcg@10": (VERMILLION, -0.15), "map": (BLUE, 0.0), "mean": (BLACK, 0.15)}
    words = []
    for axes, (dataset, title) in zip(panels, titles.items(), strict=True):
        for measure, (colour, shift) in styles.items():
            for row, name in enumerate(names):
                middle, low, high = interval_of(queries, dataset, name, measure)
                label = MEASURES[measure] if row == 0 else None
                interval(axes, row + shift, middle, low, high, colour, label)
                words.append(f"{title}, {names[name]}, {MEASURES[measure]}: {middle:.4f}")
        rows_of(axes, list(names.values()))
        axes.set(title=title, xlabel="test measure")
        axes.legend()
    caption = (
        "Mean over the test queries of all folds with its 95 % bootstrap interval over queries."
    )
    return Drawing("ties", heading, caption, "; ".join(words), figure)
