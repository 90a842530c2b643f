"""The paper's sentences, each put to the test: one module per claim, named like it."""

from dataclasses import replace
from importlib import import_module

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.analysis.claims.studied import mixed_code
from arsm_l2r.analysis.stored import there
from arsm_l2r.analysis.words import counted, listed
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.reading import read_description


def judged(name: str, plan: Plan) -> Claim:
    """Judge one of `studies.CLAIMS` by what the plan says is evidence for it.

    Args:
        name: of the claim, and of the module here that judges it.
        plan: of the results.
    """
    evidence = plan.evidence(name)
    judge = import_module(f"{__name__}.{name}").judge
    if not evidence.needs.ablations:
        tabled: Claim = judge(there(list(evidence.analyses.values())))
        return tabled
    described = {each: read_description(plan.layout.description(each)) for each in plan.datasets}
    claim: Claim = judge(evidence, described)
    if evidence.study is None:
        return claim
    because = [*claim.because, f"Trained with {counted('seed', evidence.study.seeds)}."]
    versions = mixed_code(evidence.runs)
    if versions:
        because.append(f"The runs come from different versions of the code: {listed(versions)}.")
    return replace(claim, because=because)
