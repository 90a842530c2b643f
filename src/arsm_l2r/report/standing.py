"""Where the methods stand on a data set."""

from dataclasses import dataclass

from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis, read_analysis
from arsm_l2r.experiments.methods import in_order
from arsm_l2r.experiments.plan import Plan


@dataclass(frozen=True)
class Standing:
    """Where the methods stand on a data set of the paper's, in LETOR's convention.

    Attributes:
        dataset: its name.
        analysis: what was computed from everything measured on it.
    """

    dataset: str
    analysis: Analysis

    @property
    def title(self) -> str:
        """Of the data set, as it is printed."""
        return self.analysis.title

    @property
    def methods(self) -> list[str]:
        """The methods that were measured, in the order of tables."""
        return in_order(self.analysis.methods)

    def row(self, method: str, measure: str) -> Compared | None:
        """What was measured of a method."""
        return self.analysis.rows().get((method, measure))

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


def standings(plan: Plan) -> list[Standing]:
    """What was measured on the paper's data sets."""
    paths = {name: plan.layout.analysis(name) for name in load_paper().performance}
    return [
        Standing(name, read_analysis(path))
        for name, path in paths.items()
        if name in plan.datasets and path.exists()
    ]
