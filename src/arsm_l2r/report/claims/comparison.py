"""The paper: ARSM-L2R is better than or comparable with pairwise and listwise methods."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.report.claims.claim import MEASURES, Claim, Difference, differences
from arsm_l2r.report.figures.style import (
    BLUE,
    GREY,
    VERMILLION,
    Drawing,
    interval,
    new_figure,
    rows_of,
)
from arsm_l2r.report.names import OURS, in_order, method_title
from arsm_l2r.report.verdicts import Answer, Verdict

_SHOWN = {"ndcg@10": (VERMILLION, -0.12), "map": (BLUE, 0.12)}


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
    ahead = [each.turned() for each in differences(queries, OURS, others, list(_SHOWN))]
    return Claim(
        name="comparison",
        title="Against pairwise and listwise methods",
        says="ARSM-L2R achieves better or comparable results compared with pairwise and listwise "
        "methods.",
        answer=answer,
        because=" ".join(sentences) or "The paper has no results on these data.",
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
    figure = new_figure(heading, width=max(5 * len(titles), 6), height=1.8 + 0.4 * len(others))
    panels = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    for axes, (dataset, title) in zip(panels, titles.items(), strict=True):
        axes.axvline(0, color=GREY, linewidth=0.8)
        for measure, (colour, shift) in _SHOWN.items():
            own = {e.name: e for e in ahead if e.dataset == dataset and e.measure == measure}
            for row, name in enumerate(others):
                each = own[name]
                label = MEASURES[measure] if row == 0 else None
                interval(axes, row + shift, each.value, each.low, each.high, colour, label)
        rows_of(axes, [method_title(name) for name in others])
        axes.set(title=title, xlabel="difference")
        axes.legend()
    caption = (
        f"Test measures of {method_title(OURS)} minus those of the other method, mean over queries "
        "with 95 % bootstrap interval. LambdaMART and the tuned settings are not in the paper."
    )
    words = "; ".join(
        f"{titles[e.dataset]}, {method_title(e.name)}, {MEASURES[e.measure]}: {e.value:+.4f}"
        for e in ahead
    )
    return Drawing("comparison", heading, caption, words, figure)
