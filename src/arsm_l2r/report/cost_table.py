"""What the runs cost, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import polars as pl

from arsm_l2r.analysis.costs import altogether, costs
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.report.table import Cell, Group, Table, number


def cost_table(analyses: Sequence[Analysis], jobs: Mapping[str, pl.DataFrame]) -> Table:
    """Per data set and method: training time, the whole job's, processor time, memory.

    Args:
        analyses: of the data sets.
        jobs: by data set, as `benchmarks.read_benchmarks` gives them.
    """
    found = {each.title: costs(each, jobs[each.dataset]) for each in analyses}
    return Table(
        name="cost",
        label="tab:cost",
        caption="Time and memory of a training job.",
        columns=[
            "Method",
            "Jobs",
            "Training (s)",
            "Whole job (s)",
            "Processor time (s)",
            "Peak memory (MiB)",
        ],
        alignment="lrrrrr",
        groups=[
            Group(
                [
                    [
                        Cell(method_title(own.method)),
                        Cell(str(own.jobs)),
                        *(Cell(number(s, ".1f")) for s in (own.training, own.job, own.processor)),
                        Cell(number(own.memory, ".0f")),
                    ]
                    for own in rows
                ],
                title=title,
            )
            for title, rows in found.items()
        ],
        notes=[
            "Means over folds and seeds; of memory, the highest. The whole job includes starting "
            "Python and, for networks, TensorFlow.",
            *altogether(jobs),
        ],
        data=pl.DataFrame([asdict(own) for rows in found.values() for own in rows]),
    )
