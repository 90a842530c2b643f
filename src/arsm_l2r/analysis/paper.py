"""The paper's printed numbers, from `paper.yaml`, and the check of ours against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arsm_l2r.experiments.methods import in_order, method_title
from arsm_l2r.metrics import measure_title
from arsm_l2r.settings import Settings, checked, load_yaml

NOT_IN_PAPER = "†"
"""Marks a method that the paper does not have."""


class DatasetFacts(Settings):
    """A data set's line in Table 1, as printed there."""

    queries: str
    documents: str
    features: str


class DatasetsTable(Settings):
    """Table 1: its number, its label in the source, its caption, its rows by data set."""

    number: int
    label: str
    caption: str
    rows: dict[str, DatasetFacts]


class Row(Settings):
    """One method's row of a table: its figures by measure, and where they come from."""

    values: dict[str, float]
    origin: str


class PerformanceTable(Settings):
    """A table of methods, such as Table 2: its number, its label in the source, its rows."""

    number: int
    label: str
    title: str
    rows: dict[str, Row]


class Paper(Settings):
    """What the paper prints.

    Attributes:
        source: the paper.
        tolerance: largest difference from a figure that counts as agreement.
        datasets: Table 1.
        performance: Tables 2 and 3 by data set.
    """

    source: str
    tolerance: float
    datasets: DatasetsTable
    performance: dict[str, PerformanceTable]

    @property
    def methods(self) -> list[str]:
        """Every method that the paper has figures of."""
        return in_order(name for table in self.performance.values() for name in table.rows)

    def figure(self, dataset: str, method: str, measure: str) -> float | None:
        """One figure, or nothing if the paper does not print it."""
        table = self.performance.get(dataset)
        row = table.rows.get(method) if table else None
        return row.values.get(measure) if row else None

    def marked(self, method: str) -> str:
        """A method's title, marked if it is not one of the paper's."""
        return method_title(method) + ("" if method in self.methods else NOT_IN_PAPER)


@cache
def load_paper() -> Paper:
    """The numbers in `paper.yaml`."""
    path = Path(__file__).with_name("paper.yaml")
    return checked(Paper, load_yaml(path), source=path.name)


@dataclass(frozen=True)
class Deviation:
    """A figure of ours that is further from the paper's than its tolerance, or is not there."""

    dataset: str
    method: str
    measure: str
    paper: float
    ours: float | None
    tolerance: float

    @property
    def what(self) -> str:
        """Whose figure it is."""
        return f"{method_title(self.method)} {measure_title(self.measure)}"

    def __str__(self) -> str:
        if self.ours is None:
            rest = f"the paper prints {self.paper:.4f}; there is no figure of ours"
        else:
            rest = (
                f"{self.ours:.4f} is {abs(self.ours - self.paper):.4f} "
                f"{'above' if self.ours > self.paper else 'below'} the paper's {self.paper:.4f} "
                f"(tolerance {self.tolerance:.3f})"
            )
        return f"{self.dataset}: {self.what}: {rest}"


def outside_tolerance(
    dataset: str, ours: Mapping[tuple[str, str], float | None]
) -> list[Deviation]:
    """What lies outside its tolerance, of every figure that the paper prints of a data set.

    Args:
        dataset: name of the data set.
        ours: our figures by method and measure; one that is not there is a deviation.
    """
    paper = load_paper()
    table = paper.performance.get(dataset)
    deviations = []
    for method, row in table.rows.items() if table else ():
        for measure, printed in row.values.items():
            value = ours.get((method, measure))
            # Printed figures are rounded: compare at their precision.
            if value is None or abs(round(value, 4) - printed) > paper.tolerance + 1e-9:
                deviations.append(
                    Deviation(dataset, method, measure, printed, value, paper.tolerance)
                )
    return deviations
