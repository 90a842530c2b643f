"""What the configurations of further collections ask of a machine, as a table for readers."""

from collections.abc import Iterator
from pathlib import Path

from arsm_l2r.experiments.configuration import CONFIGFILE, load_configuration
from arsm_l2r.experiments.job_needs import (
    preparation_memory,
    training_memory,
    training_minutes,
)
from arsm_l2r.experiments.methods import OURS
from arsm_l2r.experiments.plan import Plan

_TREES = "lambdamart"
_COUNTED = ""
"""The catalogue counts the documents: nothing is looked at."""


def collections_table(project: Path) -> str:
    """A row per collection that is configured apart from the reproduction, as Markdown.

    Args:
        project: folder of the project.
    """
    lines = [
        "| collection | what to type after `snakemake` | queries | documents | features | folds "
        "| memory: preparing | a network | trees | most time: ARSM-L2R | tuned |",
        f"| --- | --- |{' ---: |' * 9}",
    ]
    return "\n".join([*lines, *(row for _, row in sorted(_rows(project)))]) + "\n"


def _rows(project: Path) -> Iterator[tuple[int, str]]:
    """Each row with the documents that it is sorted by."""
    done = set(Plan(load_configuration(project), project).datasets)
    for path in sorted((project / CONFIGFILE).parent.glob("*.yaml")):
        if path.name == Path(load_configuration(project).catalogue).name:
            continue
        plan = Plan(load_configuration(project, [path]), project)
        for name in plan.datasets:
            dataset = plan.catalogue[name]
            if name in done or dataset.totals is None:
                continue
            asked = [
                preparation_memory(dataset, 1, _COUNTED),
                *(
                    training_memory(
                        dataset,
                        plan.trained[method].settings,
                        1,
                        _COUNTED,
                        network=plan.trained[method].method.trains_network,
                    )
                    for method in (OURS, _TREES)
                ),
            ]
            hours = [
                training_minutes(dataset, plan.trained[method].settings, 1, _COUNTED) / 60
                for method in (OURS, f"{OURS}-tuned")
            ]
            cells = [
                dataset.title,
                f"`--configfile config/{path.name}`",
                *(f"{n:,}" for n in (dataset.totals.queries or 0, dataset.totals.documents)),
                *(str(number) for number in (dataset.features, dataset.fold_count)),
                *(f"{megabytes / 1000:.1f} GB" for megabytes in asked),
                *(f"{each:.1f} h" for each in hours),
            ]
            yield dataset.totals.documents, f"| {' | '.join(cells)} |"
