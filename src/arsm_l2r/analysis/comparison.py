"""Ours against the paper's, and ARSM-L2R against each baseline, in numbers."""

from math import isfinite

import numpy as np
import polars as pl

from arsm_l2r.analysis.measured import MEASURE_TITLES, OURS, figures, in_order
from arsm_l2r.analysis.paper import Paper
from arsm_l2r.metrics import bootstrap_interval, holm, randomisation_test

_SCHEMA = {
    "method": pl.String,
    "measure": pl.String,
    "paper": pl.Float64,
    "ours": pl.Float64,
    "difference": pl.Float64,
    "spread": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "paper_inside": pl.Boolean,
    "arsm_ahead": pl.Float64,
    "p": pl.Float64,
    "p_corrected": pl.Float64,
    "folds": pl.Int64,
    "seeds": pl.Int64,
    "queries": pl.Int64,
}


def compare(
    dataset: str,
    runs: pl.DataFrame,
    per_query: pl.DataFrame,
    paper: Paper,
    *,
    convention: str = "letor",
    rounds: int = 10_000,
) -> pl.DataFrame:
    """Compare everything measured on a data set's test queries.

    Args:
        dataset: name of the data set.
        runs: as `measured.runs_table` gives them.
        per_query: as `queries.per_query_table` gives them.
        paper: the paper's numbers.
        convention: how ours were evaluated.
        rounds: resamples of the interval, and exchanges of the test.

    Returns:
        One row per `method` and `measure`:

        - `paper`, `ours`, `difference` (ours minus the paper's) and `spread` over seeds;
        - `low` and `high`, the 95 % bootstrap interval of the mean over the test queries of all
          folds, each query's value averaged over seeds, and whether the paper's figure lies
          in it (`paper_inside`);
        - `arsm_ahead`, the mean over queries of ARSM-L2R's value minus this method's, paired by
          fold and query, `p` of the randomisation test that it is 0, and `p_corrected` (Holm) for
          all tests of the table;
        - `folds`, `seeds` and `queries` that this rests on.

        What cannot be computed is null.
    """
    ours = figures(runs.filter(dataset=dataset)).filter(convention=convention)
    found = {(row["method"], row["measure"]): row for row in ours.iter_rows(named=True)}
    queries = _query_values(per_query, dataset, convention)
    rows = []
    for method in in_order(ours["method"]):
        for measure in MEASURE_TITLES:
            figure = found.get((method, measure))
            if figure is None:
                continue
            value = figure["value"] if isfinite(figure["value"]) else None
            printed = paper.figure(dataset, method, measure)
            low, high = _interval(queries, method, measure, rounds)
            ahead, p = _test(queries, method, measure, rounds)
            rows.append(
                {
                    "method": method,
                    "measure": measure,
                    "paper": printed,
                    "ours": value,
                    "difference": None if value is None or printed is None else value - printed,
                    "spread": figure["spread"],
                    "low": low,
                    "high": high,
                    "paper_inside": None
                    if printed is None or low is None or high is None
                    else low <= printed <= high,
                    "arsm_ahead": ahead,
                    "p": p,
                    "p_corrected": None,
                    "folds": figure["folds"],
                    "seeds": figure["seeds"],
                    "queries": queries.filter(method=method).height,
                }
            )
    tested = [row for row in rows if row["p"] is not None]
    for row, corrected in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_corrected"] = corrected
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").with_columns(
        pl.col("spread").fill_nan(None)
    )


def _query_values(per_query: pl.DataFrame, dataset: str, convention: str) -> pl.DataFrame:
    """The test queries of a data set: one row per method, fold and query, averaged over seeds."""
    measures = [measure for measure in MEASURE_TITLES if measure in per_query.columns]
    return (
        per_query.filter(dataset=dataset, convention=convention, split="test")
        .group_by("method", "fold", "qid")
        .agg(pl.col(measures).mean())
        .sort("method", "fold", "qid")
    )


def _interval(
    queries: pl.DataFrame, method: str, measure: str, rounds: int
) -> tuple[float | None, float | None]:
    if measure not in queries.columns:
        return None, None
    values = _numbers(queries.filter(method=method)[measure])
    if not len(values) or not np.isfinite(values).all():
        return None, None
    interval = bootstrap_interval(values, rounds=rounds)
    return interval.low, interval.high


def _test(
    queries: pl.DataFrame, method: str, measure: str, rounds: int
) -> tuple[float | None, float | None]:
    """How far ARSM-L2R is ahead of another method, and the p-value, on the queries of both."""
    if method == OURS or measure not in queries.columns:
        return None, None
    pairs = queries.filter(method=OURS).join(
        queries.filter(method=method), on=["fold", "qid"], suffix=" of the other"
    )
    first, second = _numbers(pairs[measure]), _numbers(pairs[f"{measure} of the other"])
    if not len(first) or not np.isfinite([first, second]).all():
        return None, None
    return float((first - second).mean()), randomisation_test(first, second, rounds=rounds)


def _numbers(values: pl.Series) -> np.ndarray:
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
