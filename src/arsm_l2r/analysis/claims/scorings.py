"""The paper: how probabilities are combined into a score hardly matters."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.analysis.claims.claim import (
    MEASURES,
    Answer,
    Claim,
    Descriptions,
    difference_points,
    means_by_name,
)
from arsm_l2r.analysis.claims.losses import UNTAUGHT
from arsm_l2r.analysis.claims.studied import rescored_queries, titles
from arsm_l2r.analysis.paired import EXCHANGES, Difference, differences, exactness
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.experiments.plan import Evidence
from arsm_l2r.metrics import PAPER_MEASURES

_BASE = "linear"
_DRAWN = ("ndcg@10", "map")


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by other scores of the trained models."""
    queries = rescored_queries(evidence.rescored)
    return judge_scorings(queries.filter(~pl.col("name").is_in(UNTAUGHT)), titles(descriptions))


def judge_scorings(queries: pl.DataFrame, titles: Mapping[str, str]) -> Claim:
    """Judge the claim that the weighting of the levels does not matter.

    Args:
        queries: of every scoring of the same weights, as `claim.with_mean` gives them.
        titles: of the data sets.
    """
    others = [name for name in queries["name"].unique(maintain_order=True) if name != _BASE]
    found = differences(queries, _BASE, others, PAPER_MEASURES)
    sentences = []
    for dataset, title in titles.items():
        own = [each for each in found if each.dataset == dataset]
        furthest = max(own, key=lambda each: abs(each.value))
        significant = sum(each.significant for each in own)
        within = sum(_small(each) for each in own)
        sentences.append(
            f"On {title} the furthest from linear weights, mean over queries, is {furthest.name} "
            f"in {MEASURES[furthest.measure]}: {furthest}. Of {len(own)} differences {significant} "
            f"are significant, and {within} are smaller than {_large():.3f} by their whole "
            "interval."
        )
    drawn = [each for measure in _DRAWN for each in found if each.measure == measure]
    return Claim(
        name="scorings",
        title="Probabilities into scores",
        says="The performance is not sensitive to the choice of the weights by which the "
        "probabilities of the levels are combined into a score.",
        answer=_answer(found),
        because=[*sentences, exactness(EXCHANGES, len(found))],
        data=means_by_name(queries),
        drawn={"points": difference_points(drawn, {name: name for name in others})},
    )


def _answer(found: Sequence[Difference]) -> Answer:
    names = {each.name for each in found}
    far = {each.name for each in found if each.significant and abs(each.value) > _large()}
    if 2 * len(far) > len(names):
        return Answer.OPPOSITE
    return Answer.HOLDS if all(map(_small, found)) else Answer.IN_PART


def _small(difference: Difference) -> bool:
    """Whether the data say that there is next to no difference, and not just none that is seen."""
    return max(-difference.low, difference.high) < _large()


def _large() -> float:
    """A difference that would be called sensitive: what counts as disagreement with the paper."""
    return load_paper().tolerance
