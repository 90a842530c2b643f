"""The paper: ARSM-L2R's NDCG@1 on OHSUMED is significantly higher than every other method's."""

from collections.abc import Sequence

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.analysis.claims.tabled import Tables, Verdict, judged
from arsm_l2r.analysis.paired import exactness
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import OURS, method_title
from arsm_l2r.metrics import measure_title

_DATASET, _MEASURE = "ohsumed", "ndcg@1"


def judge(analyses: Sequence[Analysis]) -> Claim:
    """Is ARSM-L2R significantly ahead of every baseline of the paper's?"""
    says = (
        f"{method_title(OURS)} has a significantly higher {measure_title(_MEASURE)} on "
        f"{load_paper().performance[_DATASET].title} than every other method of the paper."
    )
    title = "Significantly higher"
    return judged("significance", title, says, analyses, _judge, [_DATASET])


def _judge(tables: Tables) -> Verdict:
    found = tables.ahead(tables.baselines, [_MEASURE])
    parts = [f"{each} against {method_title(each.name)}" for each in found]
    sentence = (
        f"Mean over queries of the difference in {measure_title(_MEASURE)}: {listed(parts)}; "
        f"corrected for these comparisons. {exactness(tables.analysis.exchanges, len(found))}"
        if parts
        else ""
    )
    return Verdict([each.better for each in found], tables.untested([_MEASURE]), sentence)
