"""The paper: ARSM-L2R is better than or comparable with pairwise and listwise methods."""

from collections.abc import Sequence

import polars as pl

from arsm_l2r.report.claims.claim import Claim
from arsm_l2r.report.verdicts import Answer, Verdict


def judge(found: Sequence[Verdict]) -> Claim:
    """Judge the claim by the comparisons of the main tables.

    Args:
        found: the verdicts on it, one per data set.
    """
    answers = {verdict.answer for verdict in found}
    if Answer.UNKNOWN in answers or not found:
        answer = Answer.UNKNOWN
    elif answers == {Answer.HOLDS}:
        answer = Answer.HOLDS
    else:
        answer = Answer.OPPOSITE if answers == {Answer.FAILS} else Answer.IN_PART
    return Claim(
        name="comparison",
        title="Against pairwise and listwise methods",
        says="ARSM-L2R achieves better or comparable results compared with pairwise and listwise "
        "methods.",
        answer=answer,
        because=" ".join(f"{verdict.dataset}: {verdict.because}" for verdict in found),
        drawing=None,
        data=pl.DataFrame(
            {
                "dataset": [verdict.dataset for verdict in found],
                "answer": [str(verdict.answer) for verdict in found],
            }
        ),
    )
