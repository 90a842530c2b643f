"""Measures by the names that configurations and results give them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.ranking import Ranking
from arsm_l2r.registry import Registry

AnyMeasure = TypeVar("AnyMeasure", bound=Callable[..., np.ndarray])


@dataclass(frozen=True)
class MeasureKind:
    """What a module says of a measure: that of all cut-offs, where it has one.

    Attributes:
        title: as it is printed, with `K` where the name has it.
        function: from a ranking, a convention and, where the name has a K, the cut-off to
            (queries,) values.
        several_cutoffs: whether the function takes `cutoffs` by that name instead, and returns
            a column for each.
        also: other names, in lower case, with the same `@K`.
        binary: whether it asks of labels only which documents are relevant.
        understood: parameters of ir_measures, and the values that say what is done anyway.
    """

    title: str
    function: Callable[..., np.ndarray]
    several_cutoffs: bool
    also: tuple[str, ...] = ()
    binary: bool = False
    understood: Mapping[str, str] = field(default_factory=dict, hash=False)

    def values(
        self, ranking: Ranking, convention: Convention, cutoffs: list[int | None]
    ) -> list[np.ndarray]:
        """(queries,) values for each of the cut-offs."""
        if self.several_cutoffs:
            table = self.function(ranking=ranking, convention=convention, cutoffs=cutoffs)
            return list(table.T)
        given = [() if cutoff is None else (cutoff,) for cutoff in cutoffs]
        return [self.function(ranking, convention, *each) for each in given]


MEASURES: Registry[MeasureKind] = Registry("measure")
"""The measures that have a name."""

PAPER_MEASURES = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map")
"""The measures of the paper's tables."""


def measure(
    name: str,
    *,
    title: str,
    several_cutoffs: bool = False,
    also: Sequence[str] = (),
    binary: bool = False,
    understood: Mapping[str, str] | None = None,
) -> Callable[[AnyMeasure], AnyMeasure]:
    """Make the function that follows a measure that can be named.

    It is called with a ranking, a convention and, if the name ends in `@K`, the cut-off, and
    returns (queries,) values.

    Args:
        name: in configurations and results; ends in `@K` for a measure with a cut-off.
        title: as it is printed, with the same `@K`.
        several_cutoffs: the function takes `ranking`, `convention` and `cutoffs`, several at
            once, by these names, and returns (queries, cut-offs) values.
        also: other names that it is asked for by, in lower case, with the same `@K`.
        binary: it asks of labels only which documents are relevant (`judgements.relevant`), so
            that `(rel=2)` in its name can say from which label on they are.
        understood: parameters that names may have, and the value of each that says what is done
            anyway.
    """
    if name.endswith("@K") and not title.endswith("@K"):
        raise ConfigError(f"the title of the measure {name} must end in @K, too, not be {title!r}")

    def registered(function: AnyMeasure) -> AnyMeasure:
        kind = MeasureKind(title, function, several_cutoffs, tuple(also), binary, understood or {})
        MEASURES.add(name, kind, function)
        return function

    return registered


def measure_names() -> list[str]:
    """The names of all measures, with `ndcg@K` for those with any cut-off K."""
    return MEASURES.names()


def measure_descriptions() -> dict[str, str]:
    """A line on each measure, by its name."""
    return MEASURES.descriptions()
