"""Everything that is published of a data set, from however many folders, as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis, read_analysis
from arsm_l2r.experiments.methods import in_order
from arsm_l2r.experiments.plan import Plan


@dataclass(frozen=True)
class Standing:
    """Where the methods stand on a data set.

    Attributes:
        dataset: its name.
        title: as it is printed.
        analyses: what each method's figures are taken from, methods in the order of tables.
    """

    dataset: str
    title: str
    analyses: Mapping[str, Analysis]

    @property
    def methods(self) -> list[str]:
        """The methods that were measured, in the order of tables."""
        return list(self.analyses)

    def row(self, method: str, measure: str) -> Compared | None:
        """What was measured of a method, in LETOR's convention."""
        found = self.analyses.get(method)
        return found.rows().get((method, measure)) if found else None

    def value(self, method: str, measure: str) -> float | None:
        """A figure of ours at the precision that is printed."""
        row = self.row(method, measure)
        return None if row is None or row.ours is None else round(row.ours, 4)

    def printed(self, method: str, measure: str) -> float | None:
        """The paper's figure."""
        return load_paper().figure(self.dataset, method, measure)

    def best(self, measure: str) -> str | None:
        """The method with the highest figure."""
        values = {m: v for m in self.methods if (v := self.value(m, measure)) is not None}
        return max(values, key=lambda method: values[method], default=None)


def published_folders(docs: Path) -> list[Path]:
    """What is published: `reproduction`, then what else has been beside it."""
    found = sorted(path.parent for path in docs.glob("*/configuration.json"))
    return sorted(found, key=lambda folder: folder.name != "reproduction")


def standings(plans: Sequence[Plan], settings: Mapping[str, Any]) -> list[Standing]:
    """What was published on the paper's data sets.

    Args:
        plans: of the folders. A method that several have is taken from the first that has it with
            the settings given, or else from the first that has it.
        settings: of every method, as it is configured now.
    """
    found = []
    for dataset in load_paper().performance:
        there = [
            (plan, read_analysis(path))
            for plan in plans
            if dataset in plan.datasets and (path := plan.layout.analysis(dataset)).exists()
        ]
        chosen: dict[str, Analysis] = {}
        for method in in_order({name for _, analysis in there for name in analysis.methods}):
            own = [(plan, analysis) for plan, analysis in there if method in analysis.methods]
            now = [a for plan, a in own if plan.methods.get(method) == settings.get(method)]
            chosen[method] = now[0] if now else own[0][1]
        if chosen:
            title = next(iter(chosen.values())).title
            found.append(Standing(dataset, title, chosen))
    return found
