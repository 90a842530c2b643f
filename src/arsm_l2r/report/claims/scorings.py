"""The paper: how probabilities are combined into a score hardly matters."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES
from arsm_l2r.analysis.verdicts import Answer
from arsm_l2r.report.claims.claim import MEASURES, Claim, Difference, differences, means_by_name
from arsm_l2r.report.claims.difference_figure import draw_differences
from arsm_l2r.report.figures.style import Drawing

LARGE = 0.010
"""A difference that would be called sensitive: what counts as disagreement with the paper."""

_BASE = "linear"


def judge(queries: pl.DataFrame, titles: Mapping[str, str]) -> Claim:
    """Judge the claim that the weighting of the levels does not matter.

    Args:
        queries: of every scoring of the same weights, as `claim.with_mean` gives them.
        titles: of the data sets.
    """
    others = [name for name in queries["name"].unique(maintain_order=True) if name != _BASE]
    found = differences(queries, _BASE, others, list(MEASURE_TITLES))
    sentences = []
    for dataset, title in titles.items():
        own = [each for each in found if each.dataset == dataset]
        furthest = max(own, key=lambda each: abs(each.value))
        significant = sum(each.significant for each in own)
        within = sum(_small(each) for each in own)
        sentences.append(
            f"On {title} the furthest from linear weights is {furthest.name} in "
            f"{MEASURES[furthest.measure]}: {furthest}. Of {len(own)} differences {significant} "
            f"are significant, and {within} are smaller than {LARGE:.3f} by their whole interval."
        )
    return Claim(
        name="scorings",
        title="Probabilities into scores",
        says="The performance is not sensitive to the choice of the weights by which the "
        "probabilities of the levels are combined into a score.",
        answer=_answer(found),
        because=sentences,
        drawing=_draw(found, others, titles),
        data=means_by_name(queries),
    )


def _answer(found: Sequence[Difference]) -> Answer:
    names = {each.name for each in found}
    far = {each.name for each in found if each.significant and abs(each.value) > LARGE}
    if 2 * len(far) > len(names):
        return Answer.OPPOSITE
    return Answer.HOLDS if all(map(_small, found)) else Answer.IN_PART


def _small(difference: Difference) -> bool:
    """Whether the data say that there is next to no difference, and not just none that is seen."""
    return max(-difference.low, difference.high) < LARGE


def _draw(found: Sequence[Difference], others: Sequence[str], titles: Mapping[str, str]) -> Drawing:
    heading = "Other scores than the paper's, from the same weights"
    rows = {name: name for name in others}
    figure, words = draw_differences(heading, found, rows, titles, "difference from linear weights")
    caption = (
        "Test measures of other weightings minus those of the paper's linear one, mean over "
        "queries with 95 % bootstrap interval."
    )
    return Drawing("scorings", heading, caption, words, figure)
