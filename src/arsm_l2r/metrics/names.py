"""Measures by any name: ours, such as `ndcg@10`, and those of ir_measures, such as `nDCG@10`.

Upper and lower case are the same. Results have one name for each measure, ours.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.measure import MEASURES, MeasureKind
from arsm_l2r.metrics.ranking import Ranking

_WRITTEN = re.compile(r"\s*([^\s()@]+)(?:\(([^()]*)\))?(@[0-9]+)?\s*")
_PARAMETER = re.compile(r"\s*([a-z_]+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^\s'\"]+))\s*")
_LABEL = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True)
class Measure:
    """A measure of how well each query is ranked; higher is better.

    Attributes:
        name: in configurations and results, such as `map`, `ndcg@5` or `p(rel=2)@5`.
        kind: what its module says of it.
        cutoff: the lowest rank that counts, if it has one.
        relevant_from: the lowest label that counts as relevant, if the name says it; otherwise
            the judgements do.
    """

    name: str
    kind: MeasureKind
    cutoff: int | None
    relevant_from: int | None

    @property
    def title(self) -> str:
        """As it is printed, such as `MAP` or `NDCG@5`."""
        base, _, cut = self.kind.title.partition("@K")
        rel = "" if self.relevant_from is None else f"(rel={self.relevant_from})"
        return f"{base}{rel}{cut}" if self.cutoff is None else f"{base}{rel}@{self.cutoff}"

    @property
    def definition(self) -> Callable[..., np.ndarray]:
        """The function as it stands in its module, for any cut-off."""
        return self.kind.function

    def function(self, ranking: Ranking, convention: Convention) -> np.ndarray:
        """(queries,) values."""
        if self.relevant_from is not None:
            ranking = ranking.counting_from(self.relevant_from)
        return self.kind.values(ranking, convention, [self.cutoff])[0]


def measure_by_name(name: str) -> Measure:
    """Find a measure, such as `map`, `ndcg@5`, `nDCG@5` or `P(rel=2)@5`.

    Raises:
        ConfigError: if there is no such measure, naming those that there are, or if it does not
            have such a parameter.
    """
    written = _WRITTEN.fullmatch(name)
    base, parameters, at = written.groups() if written else (name, None, None)
    own = _own_name(base.lower(), bool(at))
    kind, cutoff = MEASURES.find(own + (at or ""), name)
    relevant_from = _relevant_from(name, kind, parameters)
    rel = "" if relevant_from is None else f"(rel={relevant_from})"
    return Measure(f"{own}{rel}{at or ''}", kind, cutoff, relevant_from)


def measure_title(name: str) -> str:
    """A measure as it is printed.

    Raises:
        ConfigError: if there is no such measure, naming those that there are.
    """
    return measure_by_name(name).title


def _own_name(base: str, cut: bool) -> str:
    """Our name of a measure with or without a cut-off, or what was given if it is none."""
    end = "@K" if cut else ""
    every = MEASURES.things()
    if base + end in every:
        return base
    found = (name for name, kind in every.items() if base + end in kind.also)
    return next(found, base).removesuffix("@K")


def _relevant_from(name: str, kind: MeasureKind, parameters: str | None) -> int | None:
    """The label that `rel=` gives, if it does, after a check of all parameters."""
    relevant_from = None
    for text in parameters.split(",") if parameters is not None else []:
        given = _PARAMETER.fullmatch(text)
        if given is None:
            raise ConfigError(
                f"measure {name!r}: {text.strip()!r} is no parameter; write it as in P(rel=2)@5"
            )
        key, value = given[1], given[2] or given[3] or given[4] or ""
        if key == "rel" and kind.binary:
            if not _LABEL.fullmatch(value) or int(value) > 52:
                raise ConfigError(
                    f"measure {name!r}: rel must be a label from 1 to 52, not {value}"
                )
            relevant_from = int(value)
        elif kind.understood.get(key) != value:
            raise ConfigError(f"measure {name!r}: {_refused(kind, key, value)}")
    return relevant_from


def _refused(kind: MeasureKind, key: str, value: str) -> str:
    if key in kind.understood:
        return f"{kind.title} has {key}='{kind.understood[key]}' and no other, not '{value}'"
    known = ["rel"] if kind.binary else list(kind.understood)
    there = f"it has {', '.join(known)}" if known else "it has none"
    if key == "cutoff":
        there = f"a cut-off is written as in {kind.title.removesuffix('@K')}@{value}"
    elif key == "rel":
        there += "; it does not ask which documents are relevant, but for their labels"
    return f"{kind.title} has no parameter {key} here; {there}"
