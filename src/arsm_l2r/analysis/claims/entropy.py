"""Ours: a little entropy keeps the levels from becoming certain too early."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from arsm_l2r.analysis.claims.claim import (
    Claim,
    Descriptions,
    improvement,
    means_by_name,
)
from arsm_l2r.analysis.claims.studied import mean_histories, studied_queries, titles
from arsm_l2r.analysis.paired import EXCHANGES, Difference, differences, exactness, for_these
from arsm_l2r.experiments.plan import Evidence

CURVES = ("entropy", "gradient_norm", "mean")
"""What is followed over epochs, as histories call it."""


class Condition(NamedTuple):
    """What a variant is trained with."""

    estimator: str
    feature_scaling: str
    entropy: float

    @property
    def without(self) -> "Condition":
        """The same without entropy."""
        return self._replace(entropy=0.0)


def judge(evidence: Evidence, descriptions: Descriptions) -> Claim:
    """Judge the claim by a study of weights, estimators and scalings of features."""
    assert evidence.study is not None
    conditions = {
        variant.name: Condition(*(variant.settings[key] for key in Condition._fields))
        for variant in evidence.study.variants
    }
    return judge_entropy(
        studied_queries(evidence.runs),
        mean_histories(evidence.runs, CURVES),
        conditions,
        titles(descriptions),
    )


def judge_entropy(
    queries: pl.DataFrame,
    curves: pl.DataFrame,
    conditions: Mapping[str, Condition],
    titles: Mapping[str, str],
) -> Claim:
    """Judge whether entropy trains better rankers, with each estimator and scaling of features.

    Every weight is compared with 0, everything else being equal. The weight that decides for an
    estimator and a scaling is the one with the highest mean of the five measures on validation
    data, over all data sets; test data have no say in it.

    Args:
        queries: of every variant, as `claim.with_mean` gives them.
        curves: as `studied.mean_histories` gives them, of `CURVES`.
        conditions: what each variant is trained with.
        titles: of the data sets.
    """
    names = {condition: name for name, condition in conditions.items()}
    best = curves.group_by("name", "dataset").agg(pl.col("mean").max())
    validated = dict(best.group_by("name").agg(pl.col("mean").mean()).iter_rows())
    chosen: list[Condition] = []
    for base in (each for each in names if not each.entropy):
        weighted = [each for each in names if each.entropy and each.without == base]
        chosen += sorted(weighted, key=lambda each: -validated[names[each]])[:1]
    found: list[Difference] = []
    for each in chosen:
        found += differences(queries, names[each.without], [names[each]], ["mean"])
    found = for_these(found)
    return Claim(
        name="entropy",
        title="Entropy of the levels",
        says="(Ours, not the paper's.) A small weight on the entropy of the levels, which "
        "otherwise become certain while there is still something to learn, trains better rankers.",
        answer=improvement(found),
        because=[
            *(
                _paragraph(dataset, title, found, conditions, curves)
                for dataset, title in titles.items()
            ),
            exactness(EXCHANGES, len(found)),
        ],
        data=_table(means_by_name(queries), curves, conditions),
        drawn={"curves": _with_conditions(curves, conditions)},
    )


def _paragraph(
    dataset: str,
    title: str,
    found: Sequence[Difference],
    conditions: Mapping[str, Condition],
    curves: pl.DataFrame,
) -> str:
    sentences = []
    last = curves.filter(pl.col("epoch") == pl.col("epoch").max().over("name", "dataset"))
    ends: dict[str, dict[str, Any]] = {
        row["name"]: row for row in last.filter(dataset=dataset).iter_rows(named=True)
    }
    bases = {condition: name for name, condition in conditions.items() if not condition.entropy}
    for each in (each for each in found if each.dataset == dataset):
        condition = conditions[each.name]
        base = ends[bases[condition.without]]
        own = ends[each.name]
        sentences.append(
            f"with {condition.estimator} and features {condition.feature_scaling}, weight "
            f"{condition.entropy:g} against 0: {each}, the entropy at the end being "
            f"{own['entropy']:.2f} against {base['entropy']:.2f} of the highest, and the norm of "
            f"the gradient {own['gradient_norm']:.3f} against {base['gradient_norm']:.3f}"
        )
    return f"{title}, mean over queries of the five measures: {'; '.join(sentences)}."


def _with_conditions(table: pl.DataFrame, conditions: Mapping[str, Condition]) -> pl.DataFrame:
    """A table with the conditions of each `name` in columns of their own."""
    rows = [(name, *condition) for name, condition in conditions.items()]
    # Histories have a column `entropy` of their own.
    columns = ["name", "estimator", "feature_scaling", "entropy_weight"]
    known = pl.DataFrame(rows, schema=columns, orient="row")
    return table.join(known, on="name", maintain_order="left")


def _table(
    means: pl.DataFrame, curves: pl.DataFrame, conditions: Mapping[str, Condition]
) -> pl.DataFrame:
    """Test measures of every variant, with its highest validation mean and where it ended."""
    ends = curves.group_by("name", "dataset", maintain_order=True).agg(
        pl.col("mean").max().alias("validation_mean"),
        pl.col("entropy", "gradient_norm").last().name.suffix("_at_the_end"),
    )
    table = means.join(ends, on=["name", "dataset"], maintain_order="left")
    return _with_conditions(table, conditions)
