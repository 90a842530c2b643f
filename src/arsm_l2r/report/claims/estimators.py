"""The paper: ARSM is unbiased and of low variance."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.analysis.verdicts import Answer
from arsm_l2r.analysis.words import listed
from arsm_l2r.report.claims.claim import Claim
from arsm_l2r.report.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    VERMILLION,
    Drawing,
    new_figure,
    plain_numbers,
)

ARSM = "arsm"
OWN = "local-expectation"
"""What the others are compared with, which the claim is not about."""

RIVALS = ("reinforce", "ar", "ars")
"""The estimators that ARSM was made from, which the claim is about."""

AGREES = 1.5
"""How many times the squared difference that chance makes of two unbiased means is allowed."""

TELLS = 2.0
"""What an estimator of mean 0 must score for agreement to say anything."""

_TITLES = {"reinforce-loo": "reinforce-loo (of 2 samples)"}

_STYLES: dict[str, dict[str, Any]] = {
    "reinforce": {"color": BLUE, "linestyle": ":"},
    "ar": {"color": PURPLE, "linestyle": "-."},
    "ars": {"color": GREEN, "linestyle": "--"},
    ARSM: {"color": VERMILLION, "linestyle": "-"},
    OWN: {"color": BLACK, "linestyle": (0, (6, 2))},
    "reinforce-loo": {"color": ORANGE, "linestyle": ":"},
}


def judge(variance: pl.DataFrame, curves: pl.DataFrame, titles: Mapping[str, str]) -> Claim:
    """Judge the claim by the gradients at several stages of training, and show learning curves.

    Args:
        variance: one row per `dataset`, `stage` and `estimator`: the `variance` of a gradient
            entry, the `seconds` of a gradient, `agreement`, the squared difference of the mean
            gradient from that of `OWN` relative to what chance makes of it, and
            `agreement_of_zero`, what that would be if the mean were 0.
        curves: one row per `dataset`, `estimator`, `learning_rate` and `epoch`, means over folds
            and seeds: `ndcg@10` on validation data, and `seconds` since the start.
        titles: of the data sets.
    """
    best = best_rates(curves)
    rivals = variance.filter(pl.col("estimator").is_in(RIVALS))
    arsm = variance.filter(estimator=ARSM)
    lower = [
        row["variance"]
        < rivals.filter(dataset=row["dataset"], stage=row["stage"])["variance"].min()
        for row in arsm.iter_rows(named=True)
    ]
    telling = arsm.filter(pl.col("agreement_of_zero") > TELLS)
    agrees = [value < AGREES for value in telling["agreement"]]
    if not agrees:
        answer = Answer.IN_PART if all(lower) else Answer.NOT_SEEN
    elif all(lower) and all(agrees):
        answer = Answer.HOLDS
    else:
        answer = Answer.IN_PART if any(lower) or all(agrees) else Answer.NOT_SEEN
    return Claim(
        name="estimators",
        title="Unbiased and of low variance",
        says="The ARSM gradient estimator is unbiased and has low variance.",
        answer=answer,
        because=_paragraphs(variance, best, titles),
        drawing=_draw(variance, best, titles),
        data=variance,
    )


def best_rates(curves: pl.DataFrame) -> pl.DataFrame:
    """The curves of each estimator at the learning rate with its best epoch on validation data."""
    keys = ["dataset", "estimator"]
    heights = curves.group_by(*keys, "learning_rate").agg(top=pl.col("ndcg@10").max())
    chosen = heights.sort("top", "learning_rate", descending=[True, False]).unique(
        keys, keep="first", maintain_order=True
    )
    return curves.join(chosen, on=[*keys, "learning_rate"]).sort(*keys, "epoch")


def _paragraphs(variance: pl.DataFrame, best: pl.DataFrame, titles: Mapping[str, str]) -> list[str]:
    paragraphs = []
    for dataset, title in titles.items():
        own = variance.filter(dataset=dataset)
        arsm = own.filter(estimator=ARSM)
        others = [name for name in own["estimator"].unique(maintain_order=True) if name != ARSM]
        times = [
            _range((own.filter(estimator=name)["variance"] / arsm["variance"]).to_list(), ".3g")
            + f" for {_TITLES.get(name, name)}"
            for name in others
        ]
        paragraphs.append(
            f"On {title}, from the start to the end of training, the variance of a gradient entry "
            f"relative to ARSM's is {listed(times)}. The squared difference of ARSM's mean from "
            f"that of {OWN} is {_range(arsm['agreement'].to_list(), '.2f')} times what chance "
            f"makes it ({_range(arsm['agreement_of_zero'].to_list(), '.1f')} if its mean were 0)."
        )
        reached = (
            best.filter(dataset=dataset)
            .group_by("estimator", maintain_order=True)
            .agg(pl.col("ndcg@10").max(), pl.col("learning_rate").first(), pl.col("seconds").max())
        )
        tops = [
            f"{row['estimator']} {row['ndcg@10']:.4f} (learning rate {row['learning_rate']:g}, "
            f"{row['seconds']:.0f} s)"
            for row in reached.iter_rows(named=True)
        ]
        time, by_then = _at_equal_time(best.filter(dataset=dataset))
        early = [f"{name} {value:.4f}" for name, value in by_then.items()]
        paragraphs.append(
            f"Highest validation NDCG@10 of the mean curve on {title}: {listed(tops)}. "
            f"The highest within {time:.1f} s: {listed(early)}."
        )
    return paragraphs


def _range(values: Sequence[float], form: str) -> str:
    """The least and the greatest of values, or the one that both are."""
    ends = list(dict.fromkeys(f"{value:{form}}" for value in (min(values), max(values))))
    return " to ".join(ends)


def _at_equal_time(curves: pl.DataFrame) -> tuple[float, dict[str, float]]:
    """The longest time that every curve lasts, and the top that each has reached by then."""
    time = float(curves.group_by("estimator").agg(pl.col("seconds").max())["seconds"].min())  # type: ignore[arg-type]
    reached = (
        curves.filter(pl.col("seconds") <= time)
        .group_by("estimator", maintain_order=True)
        .agg(pl.col("ndcg@10").max())
    )
    return time, dict(reached.iter_rows())


def _draw(variance: pl.DataFrame, best: pl.DataFrame, titles: Mapping[str, str]) -> Drawing:
    heading = "Gradient variance and learning curves of the estimators"
    figure = new_figure(heading, width=11, height=3.2 * len(titles) + 0.6)
    panels = figure.subplots(len(titles), 3, squeeze=False)
    for (left, middle, right), (dataset, title) in zip(panels, titles.items(), strict=True):
        own = variance.filter(dataset=dataset)
        stages = list(own["stage"].unique(maintain_order=True))
        for name in own["estimator"].unique(maintain_order=True):
            style = _STYLES.get(name, {})
            values = own.filter(estimator=name)["variance"].to_list()
            left.plot(stages, values, marker="o", label=_TITLES.get(name, name), **style)
            curve = best.filter(dataset=dataset, estimator=name)
            if curve.height:
                middle.plot(curve["epoch"], curve["ndcg@10"], label=name, **style)
                right.plot(curve["seconds"], curve["ndcg@10"], label=name, **style)
        left.set(title=f"{title}: variance", ylabel="of a gradient entry", yscale="log")
        middle.set(title=f"{title}: by epoch", xlabel="epoch", ylabel="validation NDCG@10")
        right.set(title=f"{title}: by time", xlabel="seconds", ylabel="validation NDCG@10")
        plain_numbers(left.yaxis)
        left.legend(fontsize=7, loc="upper left", bbox_to_anchor=(0.0, 0.45))
    caption = (
        "Left: variance of a gradient entry on real queries, at the initial weights, in the middle "
        "and at the end of training. Middle and right: validation NDCG@10, mean over folds and "
        "seeds, of each estimator at its best learning rate."
    )
    words = "; ".join(
        f"{titles[row['dataset']]}, {row['stage']}, {row['estimator']}: {row['variance']:.3g}"
        for row in variance.iter_rows(named=True)
    )
    return Drawing("estimators", heading, caption, words, figure)
