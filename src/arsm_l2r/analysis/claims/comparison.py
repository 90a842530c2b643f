"""The paper: ARSM-L2R is better than or comparable with pairwise and listwise methods."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import polars as pl

from arsm_l2r.analysis.claims.claim import Claim, difference_points
from arsm_l2r.analysis.claims.tabled import Tables, Verdict, judged
from arsm_l2r.analysis.paired import LEVEL, Difference, exactness
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import OURS, in_order, method_title
from arsm_l2r.metrics import PAPER_MEASURES, measure_title

_DRAWN = ("ndcg@10", "map")


def judge(analyses: Sequence[Analysis]) -> Claim:
    """Is no baseline of the paper's significantly ahead in any measure?"""
    drawn = [
        row.ahead
        for each in analyses
        for measure in _DRAWN
        for row in each.compared["letor"]
        if row.measure == measure and row.ahead
    ]
    rows = {name: load_paper().marked(name) for name in in_order({each.name for each in drawn})}
    claim = judged(
        "comparison",
        "Against pairwise and listwise methods",
        f"{method_title(OURS)} achieves better or comparable results compared with pairwise and "
        "listwise methods.",
        analyses,
        _judge,
    )
    data = pl.DataFrame([asdict(each) for each in drawn], schema=[*Difference.__annotations__])
    return replace(claim, data=data, drawn={"points": difference_points(drawn, rows)})


def _judge(tables: Tables) -> Verdict:
    found = tables.ahead(tables.baselines, PAPER_MEASURES)
    worse = [each for each in found if each.worse]
    sentence = ""
    if found:
        alone = sum(each.p < LEVEL and each.value < 0 for each in found)
        named = [
            f"{method_title(e.name)} in {measure_title(e.measure)} by {-e.value:.4f} "
            f"({e.certainty})"
            for e in worse
        ]
        sentence = (
            f"Of {len(found)} comparisons over queries (each baseline, each measure), "
            f"{method_title(OURS)} is significantly better in {sum(e.better for e in found)} and "
            f"significantly worse in {len(worse)} (p below {LEVEL}, corrected for these "
            "comparisons, and the same sign with every seed; by p alone, without correction, worse "
            f"in {alone})"
            + (f": {listed(named)} ahead." if named else ".")
            + _beyond(tables)
            + f" {exactness(tables.analysis.exchanges, len(found))}"
        )
    unbeaten = [
        not any(each.name == baseline for each in worse)
        for baseline in tables.baselines
        if any(each.name == baseline for each in found)
    ]
    return Verdict(unbeaten, tables.untested(PAPER_MEASURES), sentence)


def _beyond(tables: Tables) -> str:
    """Which methods that the paper does not have are significantly ahead, if any."""
    ahead: dict[str, list[str]] = {}
    for row in tables.analysis.compared["letor"]:
        if row.method in tables.newcomers and row.ahead and row.ahead.worse:
            ahead.setdefault(row.method, []).append(measure_title(row.measure))
    if not ahead:
        return ""
    named = listed(f"{method_title(name)} in {listed(where)}" for name, where in ahead.items())
    return (
        f" Of methods that the paper does not have, {named} is significantly ahead "
        "(corrected for all tests of the table)."
    )
