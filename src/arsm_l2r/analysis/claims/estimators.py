"""The paper: ARSM is unbiased and of low variance."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.analysis.claims.claim import Answer, Claim, Descriptions
from arsm_l2r.analysis.claims.studied import changed, learning_curves, titles
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.plan import Evidence
from arsm_l2r.experiments.reading import read_numbers
from arsm_l2r.experiments.studies import STANDARD

ARSM = "arsm"

RIVALS = ("reinforce", "ar", "ars")
"""The estimators that ARSM was made from, which the claim is about."""

AGREES = 1.5
"""How many times the squared difference that chance makes of two unbiased means is allowed."""

TELLS = 2.0
"""What an estimator of mean 0 must score for agreement to say anything."""


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by gradients, and show a study of estimators and learning rates."""
    rates = changed(evidence, "learning_rate")
    return judge_estimators(
        pl.concat(
            read_numbers(path, ["variance", "seconds"]) for path in evidence.gradients.values()
        ),
        learning_curves(evidence.runs, changed(evidence, "estimator"), rates),
        titles(descriptions),
    )


def called(estimator: str) -> str:
    """An estimator as it is printed."""
    return f"{estimator} (of 2 samples)" if estimator == "reinforce-loo" else estimator


def judge_estimators(
    variance: pl.DataFrame, curves: pl.DataFrame, titles: Mapping[str, str]
) -> Claim:
    """Judge the claim by the gradients at several stages of training, and show learning curves.

    Args:
        variance: one row per `dataset`, `stage` and `estimator`: the `variance` of a gradient
            entry, the `seconds` of a gradient, `agreement`, the squared difference of the mean
            gradient from that of `STANDARD` relative to what chance makes of it, and
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
        data=variance,
        drawn={"curves": best},
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
            + f" for {called(name)}"
            for name in others
        ]
        paragraphs.append(
            f"On {title}, from the start to the end of training, the variance of a gradient entry "
            f"relative to ARSM's is {listed(times)}. The squared difference of ARSM's mean from "
            f"that of {STANDARD} is {_range(arsm['agreement'].to_list(), '.2f')} times what chance "
            f"makes it ({_range(arsm['agreement_of_zero'].to_list(), '.1f')} if its mean were 0)."
        )
        top, curves = pl.col("ndcg@10").max(), best.filter(dataset=dataset)
        reached = curves.group_by("estimator", maintain_order=True).agg(
            top, pl.col("learning_rate").first(), pl.col("seconds").max()
        )
        tops = [
            f"{row['estimator']} {row['ndcg@10']:.4f} (learning rate {row['learning_rate']:g}, "
            f"{row['seconds']:.0f} s)"
            for row in reached.iter_rows(named=True)
        ]
        time = min(reached["seconds"])  # that every curve lasts
        by_then = curves.filter(pl.col("seconds") <= time)
        by_then = by_then.group_by("estimator", maintain_order=True).agg(top)
        early = [f"{name} {value:.4f}" for name, value in by_then.iter_rows()]
        paragraphs.append(
            f"Highest validation NDCG@10 of the mean curve on {title}: {listed(tops)}. "
            f"The highest within {time:.1f} s: {listed(early)}."
        )
    return paragraphs


def _range(values: Sequence[float], form: str) -> str:
    """The least and the greatest of values, or the one that both are."""
    ends = list(dict.fromkeys(f"{value:{form}}" for value in (min(values), max(values))))
    return " to ".join(ends)
