"""The paper: its printed figures of ARSM-L2R."""

from collections.abc import Sequence

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.analysis.claims.tabled import Tables, Verdict, judged
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed, signed
from arsm_l2r.experiments.methods import OURS, method_title
from arsm_l2r.metrics import measure_title


def judge(analyses: Sequence[Analysis]) -> Claim:
    """Is each figure of ARSM-L2R at most the tolerance below the paper's?"""
    tables = listed(
        f"{table.title} (Table {table.number})" for table in load_paper().performance.values()
    )
    says = (
        f"The paper's figures of {method_title(OURS)} on {tables} are reached: each of ours is "
        f"above, or within {load_paper().tolerance:.3f}."
    )
    return judged("reproduced", "The paper's figures", says, analyses, _judge)


def _judge(tables: Tables) -> Verdict:
    printed = tables.printed.rows[OURS].values
    reached, below, apart = [], [], []
    for measure, figure in printed.items():
        ours = tables.value(OURS, measure)
        if ours is None:
            continue
        title, difference = measure_title(measure), ours - figure
        reached.append(difference >= -load_paper().tolerance - 1e-9)
        apart.append((difference, title))
        if not reached[-1]:
            below.append(f"{title} is {ours:.4f}, {-difference:.4f} below {figure:.4f}")
    sentence = ""
    if reached:
        (least, low), (most, high) = min(apart), max(apart)
        sentence = (
            f"{sum(reached)} of {len(reached)} figures are reached; ours (means over folds) minus "
            f"the paper's lies between {signed(least)} ({low}) and {signed(most)} ({high})"
            + (f". {listed(below)}." if below else ".")
        )
    return Verdict(reached, tables.gaps([OURS], list(printed)), sentence)
