"""The paper: ARSM-L2R has the highest figures of its tables in some measures."""

from collections.abc import Sequence

from arsm_l2r.analysis.claims.claim import Claim
from arsm_l2r.analysis.claims.tabled import Tables, Verdict, judged
from arsm_l2r.analysis.paper import PerformanceTable, load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import OURS, method_title
from arsm_l2r.metrics import PAPER_MEASURES, measure_title


def judge(analyses: Sequence[Analysis]) -> Claim:
    """Does ARSM-L2R lead here where it leads in the paper's tables?"""
    where = [
        f"the highest {listed(map(measure_title, _led(table)))} on {table.title} "
        f"(Table {table.number})"
        for table in load_paper().performance.values()
    ]
    says = f"{method_title(OURS)} has {listed(where)}."
    return judged("highest", "The highest of the tables", says, analyses, _judge)


def _led(table: PerformanceTable) -> list[str]:
    """The measures in which ARSM-L2R leads a table of the paper's."""
    own, rows = table.rows[OURS].values, table.rows.values()
    return [m for m in PAPER_MEASURES if all(own[m] >= row.values[m] for row in rows)]


def _judge(tables: Tables) -> Verdict:
    measures = _led(tables.printed)
    sentences, leads = [], []
    for measure in measures:
        ours = tables.value(OURS, measure)
        others = tables.values(tables.baselines, measure)
        if ours is None or not others:
            continue
        best = max(others, key=lambda name: others[name])
        leads.append(ours >= others[best])
        beyond = tables.values(tables.newcomers, measure)
        named = [f"{method_title(name)} {value:.4f}" for name, value in beyond.items()]
        sentences.append(
            f"{measure_title(measure)} is {ours:.4f}, {_apart(ours - others[best])} that of the "
            f"best of the paper's baselines ({method_title(best)}, {others[best]:.4f})"
            + (f"; not in the paper: {listed(named)}." if named else ".")
        )
    if sentences:
        sentences.append("These are means over folds.")
    gaps = tables.gaps([*tables.baselines, OURS], measures)
    return Verdict(leads, gaps, " ".join(sentences))


def _apart(difference: float) -> str:
    if round(difference, 4) == 0:
        return "equal to"
    return f"{abs(difference):.4f} {'above' if difference > 0 else 'below'}"
