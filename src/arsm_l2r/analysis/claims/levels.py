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
from arsm_l2r.analysis.paired import differences
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
    by_levels = {levels: name for name, levels in names.items()}
    answer = Answer.UNKNOWN
    because = [
        f"That takes C = {true_levels}, the number of true levels, and a larger one; trained "
        f"were {listed(map(str, sorted(by_levels)))}."
    ]
    if true_levels in by_levels and max(by_levels) > true_levels:
        base = by_levels[true_levels]
        chosen = by_levels.get(papers, by_levels[max(by_levels)])
        answer, because = _compared(queries, seconds, names, titles, base, chosen)
    levels = pl.col("name").replace_strict(dict(names))
    ordered = dict(sorted(names.items(), key=lambda item: item[1]))
    return Claim(
        name="levels",
        title="More levels than true ones",
        says="Setting the number of possible levels C higher than the number of true levels "
        f"improves the performance, hence C = {papers}.",
        answer=answer,
        because=because,
        data=means_by_name(queries).with_columns(levels=levels),
        drawn={
            "points": points(queries, ordered, ("ndcg@10", "map")),
            "seconds": seconds.with_columns(levels=levels).sort("levels"),
        },
    )


def _compared(
    queries: pl.DataFrame,
    seconds: pl.DataFrame,
    names: Mapping[str, int],
    titles: Mapping[str, str],
    base: str,
    chosen: str,
) -> tuple[Answer, list[str]]:
    others = [name for name in names if names[name] > names[base]]
    found = differences(queries, base, others, ["mean"])
    decisive = [each for each in found if each.name == chosen]
    means = {(r["dataset"], r["name"]): r for r in means_by_name(queries).iter_rows(named=True)}
    sentences = []
    for each in decisive:
        best = max(names, key=lambda name: means[each.dataset, name]["mean"])
        sentences.append(
            f"On {titles[each.dataset]} the mean over queries of the five measures is "
            f"{means[each.dataset, base]['mean']:.4f} with C = {names[base]} and "
            f"{means[each.dataset, chosen]['mean']:.4f} with C = {names[chosen]}: {each}; it is "
            f"highest with C = {names[best]} ({means[each.dataset, best]['mean']:.4f})."
        )
    first, title = next(iter(titles.items()))
    costs = [
        f"{row['seconds']:.2f} s with C = {names[row['name']]}"
        for row in seconds.filter(dataset=first).iter_rows(named=True)
        if row["name"] in (base, chosen) or names[row["name"]] == max(names.values())
    ]
    sentences.append(f"An epoch on {title} takes {listed(costs)}.")
    return improvement(decisive), sentences
