"""The paper's printed numbers, from `paper.yaml`, and the check of ours against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import polars as pl
import yaml

from arsm_l2r.analysis.names import MEASURE_TITLES, in_order, method_title
from arsm_l2r.letor.catalogue import PaperFacts


@dataclass(frozen=True)
class Row:
    """One method's row of a table: its figures by measure, and where they come from."""

    values: Mapping[str, float]
    origin: str


@dataclass(frozen=True)
class PerformanceTable:
    """A table of methods, such as Table 2: its number, its label in the source, its rows."""

    number: int
    label: str
    rows: Mapping[str, Row]


@dataclass(frozen=True)
class Paper:
    """What the paper prints.

    Attributes:
        source: the paper.
        tolerance: largest difference from a figure that counts as agreement.
        datasets: the rows of Table 1 by data set.
        datasets_label: the label of Table 1 in the paper's source.
        datasets_caption: its caption.
        performance: Tables 2 and 3 by data set.
    """

    source: str
    tolerance: float
    datasets: Mapping[str, PaperFacts]
    datasets_label: str
    datasets_caption: str
    performance: Mapping[str, PerformanceTable]

    @property
    def methods(self) -> list[str]:
        """Every method that the paper has figures of."""
        return in_order(name for table in self.performance.values() for name in table.rows)

    def figure(self, dataset: str, method: str, measure: str) -> float | None:
        """One figure, or nothing if the paper does not print it."""
        table = self.performance.get(dataset)
        row = table.rows.get(method) if table else None
        return row.values.get(measure) if row else None


@cache
def load_paper() -> Paper:
    """The numbers in `paper.yaml`."""
    text = resources.files(__package__).joinpath("paper.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return Paper(
        source=content["source"],
        tolerance=content["tolerance"],
        datasets={name: PaperFacts(**facts) for name, facts in content["datasets"]["rows"].items()},
        datasets_label=content["datasets"]["label"],
        datasets_caption=content["datasets"]["caption"],
        performance={
            dataset: PerformanceTable(
                table["number"],
                table["label"],
                {method: Row(**row) for method, row in table["rows"].items()},
            )
            for dataset, table in content["performance"].items()
        },
    )


@dataclass(frozen=True)
class Deviation:
    """A figure of ours that is further from the paper's than its tolerance, or is not there."""

    dataset: str
    method: str
    measure: str
    paper: float
    ours: float | None
    tolerance: float

    def __str__(self) -> str:
        what = f"{self.dataset}: {method_title(self.method)}, {MEASURE_TITLES[self.measure]}"
        if self.ours is None:
            return f"{what}: the paper prints {self.paper:.4f}; there is no figure of ours"
        return (
            f"{what}: {self.ours:.4f} is {abs(self.ours - self.paper):.4f} "
            f"{'above' if self.ours > self.paper else 'below'} the paper's {self.paper:.4f} "
            f"(tolerance {self.tolerance:.3f})"
        )


def outside_tolerance(
    ours: pl.DataFrame, *, convention: str = "letor", paper: Paper | None = None
) -> list[Deviation]:
    """What lies outside its tolerance, of every figure that the paper prints.

    Args:
        ours: our figures, as `measured.figures` gives them. Data sets of which there is none
            are left out; a method or measure that is not there is a deviation.
        convention: how ours were evaluated.
        paper: the paper's numbers.
    """
    paper = paper or load_paper()
    found = {
        (row["dataset"], row["method"], row["measure"]): row["value"]
        for row in ours.filter(convention=convention).iter_rows(named=True)
    }
    deviations = []
    for dataset in dict.fromkeys(key[0] for key in found):
        table = paper.performance.get(dataset)
        for method, row in table.rows.items() if table else ():
            for measure, printed in row.values.items():
                value = found.get((dataset, method, measure))
                if value is None or value != value:
                    value = None
                # Printed figures are rounded: compare at their precision.
                elif abs(round(value, 4) - printed) <= paper.tolerance + 1e-9:
                    continue
                deviations.append(
                    Deviation(dataset, method, measure, printed, value, paper.tolerance)
                )
    return deviations
