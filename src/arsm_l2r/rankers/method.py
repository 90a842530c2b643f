"""A method: a ranker under a name, with all that tables, figures and jobs must know of it."""

from dataclasses import dataclass
from typing import Any

from arsm_l2r.rankers.learned_ranker import LearnedRanker

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
"""The colours of Okabe and Ito, which readers with any kind of colour vision can tell apart."""

GREY = "#767676"
BROWN = "#7F4F24"


@dataclass(frozen=True)
class Method:
    """One line of the tables. A module that defines one of these adds a method.

    Attributes:
        name: in the configuration and in paths: lower case letters, digits and dashes.
        title: as it is printed.
        description: what it is, in a few words.
        ranker: the class that learns.
        colour: of its lines and points.
        marker: of its points, as Matplotlib takes it.
        line: of its lines, as Matplotlib takes it.
        in_paper: whether the paper's tables have it.
        ours: whether it is the paper's own method or a form of it; these stand below a rule.
        order: its place in tables: lower is higher up; equal ones stand by name.
    """

    name: str
    title: str
    description: str
    ranker: type[LearnedRanker]
    colour: str = GREY
    marker: str = "*"
    line: Any = "-"
    in_paper: bool = False
    ours: bool = False
    order: int = 100

    @property
    def trains_network(self) -> bool:
        """Whether it trains a network, with TensorFlow, and so can use a GPU."""
        return self.ranker.trains_network
