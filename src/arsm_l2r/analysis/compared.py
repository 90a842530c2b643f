"""Ours beside the paper's, and ARSM-L2R against each other method, in numbers."""

from dataclasses import dataclass
from math import isfinite

import polars as pl

from arsm_l2r.analysis.measured import figures, measures_of, tested_queries
from arsm_l2r.analysis.paired import (
    EXCHANGES,
    ROUNDS,
    Difference,
    differences,
    interval,
    query_means,
)
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.experiments.methods import OURS, in_order


@dataclass(frozen=True)
class Compared:
    """One method in one measure; what cannot be computed is nothing.

    Attributes:
        method: its name.
        measure: its name.
        paper: what the paper prints.
        ours: the mean over folds of the mean over seeds.
        difference: ours minus the paper's.
        spread: standard deviation of ours over seeds.
        low: lower end of the 95 % bootstrap interval of the mean over the test queries of all
            folds, each query's value averaged over seeds.
        high: upper end.
        paper_inside: whether the paper's figure lies in it.
        ahead: how far ARSM-L2R is ahead, over queries; corrected for all tests of the table.
        folds: how many ours rests on.
        seeds: how many.
        queries: how many.
    """

    method: str
    measure: str
    paper: float | None
    ours: float | None
    difference: float | None
    spread: float | None
    low: float | None
    high: float | None
    paper_inside: bool | None
    ahead: Difference | None
    folds: int
    seeds: int
    queries: int


def compare(
    dataset: str,
    runs: pl.DataFrame,
    per_query: pl.DataFrame,
    *,
    convention: str = "letor",
    rounds: int = ROUNDS,
    exchanges: int = EXCHANGES,
) -> list[Compared]:
    """Compare everything measured on a data set's test queries, by method and measure.

    Args:
        dataset: name of the data set.
        runs: as `measured.runs_table` gives them.
        per_query: as `measured.per_query_table` gives them.
        convention: how ours were evaluated.
        rounds: resamples of the interval.
        exchanges: of the test.
    """
    ours = figures(runs.filter(dataset=dataset)).filter(convention=convention)
    found = {(row["method"], row["measure"]): row for row in ours.iter_rows(named=True)}
    methods, measures = in_order(ours["method"]), measures_of(runs)
    queries = tested_queries(per_query.filter(dataset=dataset), convention)
    means = query_means(queries)
    others = [method for method in methods if method != OURS]
    ahead = {
        (each.name, each.measure): each.turned()
        for each in differences(queries, OURS, others, measures, rounds=rounds, exchanges=exchanges)
    }
    rows = []
    for method, measure in ((m, n) for m in methods for n in measures if (m, n) in found):
        figure = found[method, measure]
        value = _number(figure["value"])
        printed = load_paper().figure(dataset, method, measure)
        range_ = interval(means, method, measure, rounds)
        inside = None if printed is None or range_ is None else range_.low <= printed <= range_.high
        rows.append(
            Compared(
                method=method,
                measure=measure,
                paper=printed,
                ours=value,
                difference=None if value is None or printed is None else value - printed,
                spread=_number(figure["spread"]),
                low=range_.low if range_ else None,
                high=range_.high if range_ else None,
                paper_inside=inside,
                ahead=ahead.get((method, measure)),
                folds=figure["folds"],
                seeds=figure["seeds"],
                queries=means.filter(name=method).height,
            )
        )
    return rows


def _number(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
