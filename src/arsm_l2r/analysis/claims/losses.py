"""The paper: the loss need not be differentiable and can be pointwise or listwise."""

from collections.abc import Mapping

import polars as pl

from arsm_l2r.analysis.claims.claim import MEASURES, Claim, Descriptions, improvement, means_by_name
from arsm_l2r.analysis.claims.studied import changed, rescored_queries, studied_queries, titles
from arsm_l2r.analysis.paired import EXCHANGES, differences, exactness
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.plan import Evidence
from arsm_l2r.metrics import PAPER_MEASURES

UNTAUGHT = CHANCE, UNTRAINED = "chance", "untrained"
"""The names of documents in random order, and of networks that were only initialised, the best on
validation data of many."""


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by a study of losses, and by what is reached without training."""
    untaught = rescored_queries(evidence.rescored).filter(pl.col("name").is_in(UNTAUGHT))
    queries = pl.concat([studied_queries(evidence.runs), untaught], how="vertical_relaxed")
    return judge_losses(queries, changed(evidence, "loss"), titles(descriptions))


def judge_losses(
    queries: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]
) -> Claim:
    """Judge the claim by whether every loss teaches a ranking: more than a selection would find.

    Args:
        queries: of every variant and of what is `UNTAUGHT`, as `claim.with_mean` gives them.
        names: the loss by the variant's name.
        titles: of the data sets.
    """
    found = differences(queries, UNTRAINED, list(names), ["mean"])
    every = means_by_name(queries)
    others = {(r["dataset"], r["name"]): r["mean"] for r in every.iter_rows(named=True)}
    means = every.filter(pl.col("name").is_in(list(names)))
    means = means.with_columns(loss=pl.col("name").replace_strict(dict(names)))
    sentences = []
    for dataset, title in titles.items():
        own = means.filter(dataset=dataset)
        failed = [names[e.name] for e in found if e.dataset == dataset and not e.better]
        ordered = own.sort("mean", descending=True).select("loss", "mean")
        ranked = [f"{loss} {mean:.4f}" for loss, mean in ordered.iter_rows()]
        best = [
            f"{MEASURES[m]} by {own.sort(m, descending=True)['loss'][0]}" for m in PAPER_MEASURES
        ]
        sentences.append(
            f"On {title} documents in random order have a mean over queries of the five measures "
            f"of {others[dataset, CHANCE]:.4f} "
            f"and the best untrained networks {others[dataset, UNTRAINED]:.4f}; trained, the "
            f"losses reach {listed(ranked)}"
            + (f"; not significantly above untrained: {listed(failed)}" if failed else "")
            + f". The highest {listed(best)}."
        )
    return Claim(
        name="losses",
        title="Any loss",
        says="The loss need not be differentiable and can be either pointwise or listwise.",
        answer=improvement(found),
        because=[*sentences, exactness(EXCHANGES, len(found))],
        data=means,
    )
