"""The paper: more levels than there are true ones improve performance."""

from collections.abc import Mapping

import polars as pl

from arsm_l2r.analysis.claims.claim import (
    Answer,
    Claim,
    Descriptions,
    improvement,
    means_by_name,
    points,
)
from arsm_l2r.analysis.claims.studied import changed, seconds_per_epoch, studied_queries, titles
from arsm_l2r.analysis.paired import EXCHANGES, Difference, differences, exactness
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.plan import Evidence


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by a study of the number of levels."""
    labels = max(len(each["judged"]["labels"]) for each in descriptions.values())
    return judge_levels(
        studied_queries(evidence.runs),
        seconds_per_epoch(evidence.runs),
        changed(evidence, "levels"),
        titles(descriptions),
        labels,
    )


def judge_levels(
    queries: pl.DataFrame,
    seconds: pl.DataFrame,
    names: Mapping[str, int],
    titles: Mapping[str, str],
    true_levels: int,
    *,
    papers: int = 20,
) -> Claim:
    """Judge the claim that C above the number of true levels improves performance.

    Args:
        queries: of every variant, as `claim.with_mean` gives them.
        seconds: as `studied.seconds_per_epoch` gives them.
        names: C by the variant's name.
        titles: of the data sets.
        true_levels: how many levels the labels have; what that many levels reach is compared with.
        papers: the C that the paper chose; without it, the largest is taken.
    """
    levels = pl.col("name").replace_strict(dict(names))
    means = means_by_name(queries).with_columns(levels=levels)
    seconds = seconds.with_columns(levels=levels).sort("levels")
    tried = sorted(names.values())
    chosen = papers if papers in tried else tried[-1]
    answer = Answer.UNKNOWN
    because = [
        f"That takes C = {true_levels}, the number of true levels, and a larger one; trained "
        f"were {listed(map(str, tried))}."
    ]
    if true_levels in tried and tried[-1] > true_levels:
        base = next(name for name in names if names[name] == true_levels)
        others = [name for name in names if names[name] > true_levels]
        found = differences(queries, base, others, ["mean"])
        decisive = [each for each in found if names[each.name] == chosen]
        answer = improvement(decisive)
        because = [_compared(each, means, titles, true_levels, chosen) for each in decisive]
        because.append(exactness(EXCHANGES, len(found)))
        because.append(_cost(seconds, titles, {true_levels, chosen, tried[-1]}))
    ordered = dict(sorted(names.items(), key=lambda item: item[1]))
    return Claim(
        name="levels",
        title="More levels than true ones",
        says="Setting the number of possible levels C higher than the number of true levels "
        f"improves the performance, hence C = {papers}.",
        answer=answer,
        because=because,
        data=means,
        drawn={"points": points(queries, ordered, ("ndcg@10", "map")), "seconds": seconds},
    )


def _compared(
    each: Difference, means: pl.DataFrame, titles: Mapping[str, str], base: int, chosen: int
) -> str:
    own = dict(means.filter(dataset=each.dataset).select("levels", "mean").iter_rows())
    best = max(own, key=lambda levels: own[levels])
    return (
        f"On {titles[each.dataset]} the mean over queries of the five measures is {own[base]:.4f} "
        f"with C = {base} and {own[chosen]:.4f} with C = {chosen}: {each}; it is highest with "
        f"C = {best} ({own[best]:.4f})."
    )


def _cost(seconds: pl.DataFrame, titles: Mapping[str, str], shown: set[int]) -> str:
    first, title = next(iter(titles.items()))
    own = seconds.filter(pl.col("levels").is_in(list(shown)), dataset=first)
    costs = [f"{s:.2f} s with C = {c}" for c, s in own.select("levels", "seconds").iter_rows()]
    return f"An epoch on {title} takes {listed(costs)}."
