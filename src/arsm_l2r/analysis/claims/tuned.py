"""Ours: the paper's model with settings of our own, against rivals that were tuned as hard."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import polars as pl

from arsm_l2r.analysis.claims.claim import MEASURES, Claim, difference_points
from arsm_l2r.analysis.claims.tabled import Tables, Verdict, judged
from arsm_l2r.analysis.paired import Difference, exactness, for_these
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import RIVALS, TUNED, in_order, method_title
from arsm_l2r.metrics import PAPER_MEASURES

_DRAWN = ("ndcg@10", "map", "mean")


def judge(analyses: Sequence[Analysis]) -> Claim:
    """Is it significantly ahead of every rival in the mean of the five measures?"""
    drawn = [
        difference
        for each in analyses
        for measure in _DRAWN
        for difference in each.tuned_ahead
        if difference.measure == measure
    ]
    rows = {name: load_paper().marked(name) for name in in_order({each.name for each in drawn})}
    rivals = listed(method_title(name) for name in RIVALS)
    claim = judged(
        "tuned",
        "Against rivals tuned as hard",
        f"(Ours, not the paper's.) {method_title(TUNED)}, ranks better than {rivals}, "
        "settings of all being chosen on validation data.",
        analyses,
        _judge,
        about={each.dataset for each in analyses if each.in_paper and TUNED in each.methods},
        whose=TUNED,
    )
    data = pl.DataFrame([asdict(each) for each in drawn], schema=[*Difference.__annotations__])
    return replace(claim, data=data, drawn={"points": difference_points(drawn, rows)})


def _judge(tables: Tables) -> Verdict:
    ahead = tables.analysis.tuned_ahead
    found = for_these([each for each in ahead if each.name in RIVALS])
    sentences = []
    for name in RIVALS:
        own = {each.measure: each for each in found if each.name == name}
        if own:
            values = [f"{MEASURES[measure]} {own[measure]}" for measure in _DRAWN]
            higher = sum(each.value > 0 for each in own.values())
            sentences.append(
                f"Against {method_title(name)}, mean over queries: {listed(values)}; ahead in "
                f"{higher} of {len(own)}, significantly in {sum(e.better for e in own.values())}, "
                f"significantly behind in {sum(e.worse for e in own.values())}."
            )
    if sentences:
        sentences.append(exactness(tables.analysis.exchanges, len(found)))
    medians = {each.method: each.median for each in tables.analysis.training}
    seconds = [
        f"{method_title(name)} {medians[name]:.0f} s"
        for name in (TUNED, *RIVALS)
        if medians.get(name) is not None
    ]
    if seconds:
        sentences.append(f"Median time of a training: {listed(seconds)}.")
    beaten = [each.better for each in found if each.measure == "mean"]
    gaps = tables.gaps([TUNED, *RIVALS], PAPER_MEASURES)
    return Verdict(beaten, gaps, " ".join(sentences))
