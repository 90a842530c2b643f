"""Ours: training with ties in expectation, rather than in some order."""

from collections.abc import Mapping

import polars as pl

from arsm_l2r.analysis.claims.claim import Claim, Descriptions, improvement, means_by_name, points
from arsm_l2r.analysis.claims.studied import changed, studied_queries, titles
from arsm_l2r.analysis.paired import EXCHANGES, differences, exactness
from arsm_l2r.experiments.plan import Evidence

EXPECTED = "in expectation"
"""The rule that the others are compared with."""


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by a study of losses that differ in their ties."""
    names = {name: rule_of(loss) for name, loss in changed(evidence, "loss").items()}
    return judge_ties(studied_queries(evidence.runs), names, titles(descriptions))


def rule_of(loss: str) -> str:
    """What a loss does with ties: the rest of its name, such as `file order`."""
    rule = loss.partition("@")[0].partition("-")[2]
    return rule.replace("-", " ") or EXPECTED


def judge_ties(queries: pl.DataFrame, names: Mapping[str, str], titles: Mapping[str, str]) -> Claim:
    """Judge whether ties in expectation train better rankers than ties in an order.

    Args:
        queries: of every variant, as `claim.with_mean` gives them.
        names: the rule by the variant's name; one is `EXPECTED`.
        titles: of the data sets.
    """
    (expected,) = (name for name, rule in names.items() if rule == EXPECTED)
    others = [name for name in names if name != expected]
    ahead = [each.turned() for each in differences(queries, expected, others, ["mean"])]
    means = means_by_name(queries).with_columns(ties=pl.col("name").replace_strict(dict(names)))
    sentences = []
    for dataset, title in titles.items():
        own = dict(means.filter(dataset=dataset).select("name", "mean").iter_rows())
        values = [f"{rule} {own[name]:.4f}" for name, rule in names.items()]
        against = [
            f"{each} against {names[each.name]}" for each in ahead if each.dataset == dataset
        ]
        sentences.append(
            f"Mean over queries of the five measures on {title}: {', '.join(values)}. In "
            f"expectation is ahead by {' and by '.join(against)}."
        )
    return Claim(
        name="ties",
        title="Ties in training",
        says="(Ours, not the paper's.) The loss with ties in expectation trains better rankers "
        "than with ties in file order or in random order.",
        answer=improvement(ahead),
        because=[*sentences, exactness(EXCHANGES, len(ahead))],
        data=means,
        drawn={"points": points(queries, names, ("ndcg@10", "map", "mean"))},
    )
