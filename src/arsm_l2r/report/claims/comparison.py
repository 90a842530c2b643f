"""The paper: ARSM-L2R is better than or comparable with pairwise and listwise methods."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.analysis.names import OURS, in_order, method_title
from arsm_l2r.analysis.verdicts import Answer, Verdict
from arsm_l2r.report.claims.claim import Claim, Difference, differences
from arsm_l2r.report.claims.difference_figure import SHOWN, draw_differences
from arsm_l2r.report.figures.style import Drawing


def judge(found: Sequence[Verdict], queries: pl.DataFrame, titles: Mapping[str, str]) -> Claim:
    """Judge the claim by the comparisons of the main tables.

    Args:
        found: the verdicts on it, one per data set of the paper's.
        queries: of every method, as `claim.with_mean` gives them.
        titles: of the data sets.
    """
    answers = {verdict.answer for verdict in found}
    if Answer.UNKNOWN in answers or not found:
        answer = Answer.UNKNOWN
    elif answers == {Answer.HOLDS}:
        answer = Answer.HOLDS
    else:
        answer = Answer.OPPOSITE if answers == {Answer.FAILS} else Answer.IN_PART
    sentences = [f"{titles[verdict.dataset]}: {verdict.because}" for verdict in found]
    others = [name for name in in_order(queries["name"].unique()) if name != OURS]
    ahead = [each.turned() for each in differences(queries, OURS, others, SHOWN)]
    return Claim(
        name="comparison",
        title="Against pairwise and listwise methods",
        says="ARSM-L2R achieves better or comparable results compared with pairwise and listwise "
        "methods.",
        answer=answer,
        because=sentences or ["The paper has no results on these data."],
        drawing=_draw(ahead, others, titles),
        data=pl.DataFrame(
            [
                {"dataset": e.dataset, "method": e.name, "measure": e.measure, "ahead": e.value}
                for e in ahead
            ]
        ),
    )


def _draw(ahead: Sequence[Difference], others: Sequence[str], titles: Mapping[str, str]) -> Drawing:
    heading = f"{method_title(OURS)} minus each other method"
    rows = {name: method_title(name) for name in others}
    figure, words = draw_differences(heading, ahead, rows, titles, "difference")
    caption = (
        f"Test measures of {method_title(OURS)} minus those of the other method, mean over queries "
        "with 95 % bootstrap interval. LambdaMART and the tuned settings are not in the paper."
    )
    return Drawing("comparison", heading, caption, words, figure)
