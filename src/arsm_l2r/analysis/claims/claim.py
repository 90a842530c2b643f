"""A sentence of the paper, what was measured about it, and whether it holds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import polars as pl

from arsm_l2r.analysis.paired import KEYS, Difference, interval, query_means
from arsm_l2r.analysis.words import listed
from arsm_l2r.metrics import PAPER_MEASURES, measure_title

MEASURES = {**{name: measure_title(name) for name in PAPER_MEASURES}, "mean": "mean of the five"}
"""What ablations are judged by, as it is printed."""

Descriptions = Mapping[str, Mapping[str, Any]]
"""What the `data.json` of each data set holds, by its name."""


class Answer(StrEnum):
    """Whether a claim holds."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    FAILS = "does not hold"
    NOT_SEEN = "not seen"
    OPPOSITE = "the opposite holds"
    UNKNOWN = "cannot be told"
    ELSEWHERE = "not about these data"


@dataclass(frozen=True)
class Claim:
    """A claim and its verdict.

    Attributes:
        name: of its files.
        title: a few words.
        says: what the paper says, or what we do.
        answer: whether it holds.
        because: what was measured, in words and numbers, a paragraph each.
        data: the numbers behind it, if no table has them.
        drawn: further tables that its figure shows, if it has one.
    """

    name: str
    title: str
    says: str
    answer: Answer
    because: Sequence[str]
    data: pl.DataFrame = field(default_factory=pl.DataFrame)
    drawn: Mapping[str, pl.DataFrame] = field(default_factory=dict)


def headline(answers: Sequence[str]) -> str:
    """The answers to all claims of the paper in one sentence."""
    judged = [answer for answer in answers if answer != Answer.ELSEWHERE]
    if not answers:
        return "None of the paper's claims has been judged yet."
    if not judged:
        return (
            "None of the paper's claims is about these data; how the methods rank on them is below."
        )
    counts = Counter(judged)
    words = {
        Answer.HOLDS: ("holds", "hold"),
        Answer.IN_PART: ("holds in part", "hold in part"),
        Answer.FAILS: ("does not hold", "do not hold"),
        Answer.NOT_SEEN: ("is not seen", "are not seen"),
        Answer.OPPOSITE: ("is the opposite of what holds", "are the opposite of what holds"),
        Answer.UNKNOWN: ("cannot be told yet", "cannot be told yet"),
    }
    parts = [
        f"{counts[answer]} {one if counts[answer] == 1 else more}"
        for answer, (one, more) in words.items()
        if counts[answer]
    ]
    claims = "claim" if len(judged) == 1 else "claims"
    return f"Of {len(judged)} {claims} of the paper, {listed(parts)}."


def improvement(found: Sequence[Difference]) -> Answer:
    """Whether something is an improvement, from its differences on all data sets.

    It holds if it is significant everywhere, and in part if it is somewhere. The opposite holds
    if it is nowhere significantly better and somewhere significantly worse. Otherwise nothing is
    seen.
    """
    better = [each for each in found if each.better]
    if not found:
        return Answer.UNKNOWN
    if len(better) == len(found):
        return Answer.HOLDS
    if better:
        return Answer.IN_PART
    return Answer.OPPOSITE if any(each.worse for each in found) else Answer.NOT_SEEN


def with_mean(queries: pl.DataFrame) -> pl.DataFrame:
    """Each query's measures of the paper in order, with their `mean` as one more measure.

    Args:
        queries: a row per `paired.KEYS`, a column per measure.
    """
    mean = pl.mean_horizontal(*PAPER_MEASURES).alias("mean")
    return queries.select(*KEYS, *PAPER_MEASURES, mean).sort(KEYS)


def means_by_name(queries: pl.DataFrame) -> pl.DataFrame:
    """Means over the queries of all folds, per `dataset` and `name`.

    Args:
        queries: as `with_mean` gives them.
    """
    return (
        query_means(queries)
        .group_by("dataset", "name", maintain_order=True)
        .agg(pl.col(*MEASURES).mean(), queries=pl.len())
    )


def points(
    queries: pl.DataFrame, names: Mapping[str, object], measures: Sequence[str]
) -> pl.DataFrame:
    """Means over queries with their intervals, to be drawn.

    Args:
        queries: as `with_mean` gives them.
        names: of what was measured, with what each of them is to be called.
        measures: to draw.

    Returns:
        One row per `dataset`, `measure` and `row`: `value`, `low` and `high`.
    """
    found = []
    for dataset in queries["dataset"].unique(maintain_order=True):
        means = query_means(queries.filter(dataset=dataset))
        for measure in measures:
            for name, row in names.items():
                own = interval(means, name, measure)
                assert own is not None
                place = {"dataset": dataset, "measure": measure, "row": row}
                found.append({**place, "value": own.mean, "low": own.low, "high": own.high})
    return pl.DataFrame(found)


def difference_points(found: Sequence[Difference], rows: Mapping[str, str]) -> pl.DataFrame:
    """Differences to be drawn, in the columns of `points`.

    Args:
        found: the differences.
        rows: what is compared, by name, as it is printed.
    """
    keys = ["dataset", "measure", "row", "value", "low", "high"]
    values = [(e.dataset, e.measure, rows[e.name], e.value, e.low, e.high) for e in found]
    return pl.DataFrame(values, schema=keys, orient="row")
