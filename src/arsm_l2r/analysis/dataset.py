"""From everything measured on a data set to its analysis: computed here, and only here."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import polars as pl

from arsm_l2r.analysis.claims.claim import with_mean
from arsm_l2r.analysis.compared import compare
from arsm_l2r.analysis.completeness import (
    missing,
    mixed_provenance,
    mixed_relevance,
    other_settings,
    relevant_from,
)
from arsm_l2r.analysis.measured import (
    RUNS,
    figures,
    fold_means,
    load_folds,
    measures_of,
    per_query_table,
    runs_table,
    runs_without_queries,
    tested_queries,
)
from arsm_l2r.analysis.paired import EXCHANGES, KEYS, ROUNDS, Difference, differences, query_means
from arsm_l2r.analysis.paper import load_paper, outside_tolerance
from arsm_l2r.analysis.stored import Analysis, RunFacts, Training
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import OURS, TUNED, in_order, method_of
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.metrics import CONVENTIONS, PAPER_MEASURES, measure_title

_MEASURE = "ndcg@10"
_CUTOFFS = range(1, 11)

Fold = Mapping[str, Any]


def analyse(
    dataset: str,
    title: str,
    folds: Sequence[Fold],
    results: Layout,
    *,
    fold_count: int,
    methods: Mapping[str, Mapping[str, Any]],
    seeds: Sequence[int],
    rounds: int = ROUNDS,
    exchanges: int = EXCHANGES,
) -> Analysis:
    """Compute everything that tables, figures, claims and page need of a data set.

    Args:
        dataset: its name.
        title: its name as it is printed.
        folds: the results of its folds, as many as there are.
        results: the files of the runs.
        fold_count: how many folds there should be.
        methods: that should be there, with their settings.
        seeds: that should be there.
        rounds: resamples of intervals.
        exchanges: of tests.
    """
    strangers = {fold["dataset"] for fold in folds} - {dataset}
    if strangers:
        raise UserError(f"a fold of {strangers.pop()} among those of {dataset}")
    folds = sorted(folds, key=lambda fold: int(fold["fold"]))
    runs, queries = runs_table(folds), per_query_table(folds, results)
    compared = {
        name: compare(dataset, runs, queries, convention=name, rounds=rounds, exchanges=exchanges)
        for name in CONVENTIONS
    }
    baseline = best_baseline(runs)
    return Analysis(
        dataset=dataset,
        title=title,
        fold_count=fold_count,
        measures={name: measure_title(name) for name in measures_of(runs)},
        origins={
            fold["fold"]: {k: str(v) for k, v in fold.get("provenance", {}).items()}
            for fold in folds
        },
        runs=_runs(folds),
        training=_training(_runs(folds)),
        missing=missing(dataset, folds, fold_count, list(methods), seeds),
        mixed=[*mixed_provenance(dataset, folds), *mixed_relevance(dataset, folds)],
        unlike=other_settings(folds, methods),
        unqueried=_unqueried(folds, results),
        outside={
            name: _outside(dataset, {(row.method, row.measure): row.ours for row in rows})
            for name, rows in compared.items()
        },
        compared=compared,
        fold_means=_by_fold(runs),
        cutoffs=_cutoffs(runs, queries),
        best_baseline=baseline,
        query_differences=_query_differences(queries, baseline),
        tuned_ahead=_tuned_ahead(queries, rounds, exchanges),
        exchanges=exchanges,
        relevant_from=max(relevant_from(folds), default=1),
    )


def analysed(plan: Plan, dataset: str) -> Analysis:
    """Analyse what there is of a data set's results."""
    folds = [plan.layout.fold(dataset, number) for number in plan.folds(dataset)]
    return analyse(
        dataset,
        plan.catalogue[dataset].title,
        load_folds([path for path in folds if path.exists()]),
        plan.layout,
        fold_count=len(folds),
        methods=plan.methods_on(dataset),
        seeds=plan.seeds,
    )


def best_baseline(runs: pl.DataFrame) -> str | None:
    """The baseline with the highest mean test NDCG@10: the hardest to be ahead of.

    Chosen with a look at what is compared, it can only look better than it is. Forms of the paper's
    method are no baselines. Only those with the most folds are compared: means over different folds
    cannot be.
    """
    ours = [name for name in runs["method"].unique() if (own := method_of(name)) and own.ours]
    means = (
        figures(runs)
        .filter(
            ~pl.col("method").is_in(ours),
            pl.col("value").is_finite(),
            convention="letor",
            measure=_MEASURE,
        )
        .filter(pl.col("folds") == pl.col("folds").max())
        .sort("value", "method", descending=[True, False])
    )
    return str(means["method"][0]) if means.height else None


def _runs(folds: Sequence[Fold]) -> list[RunFacts]:
    return [
        RunFacts(
            fold=fold["fold"],
            method=run["method"],
            seed=run["seed"],
            seconds=run.get("seconds"),
            selected_epoch=run.get("selected_epoch"),
            device=str(run.get("device", "unknown")),
            test={
                measure: None if value is None or value != value else value
                for measure, value in run.get("test", {}).get("letor", {}).items()
            },
        )
        for fold in folds
        for run in fold["runs"]
    ]


def _training(runs: Sequence[RunFacts]) -> list[Training]:
    found = []
    for method in in_order({run.method for run in runs}):
        own = [run for run in runs if run.method == method]
        seconds = [run.seconds for run in own if run.seconds is not None]
        chosen = [run.selected_epoch for run in own if run.selected_epoch is not None]
        found.append(
            Training(
                method=method,
                runs=len(own),
                total=sum(seconds) if seconds else None,
                median=median(seconds) if seconds else None,
                selected=median(chosen) if chosen else None,
                devices=sorted({run.device for run in own}),
            )
        )
    return found


def _outside(dataset: str, ours: Mapping[tuple[str, str], float | None]) -> list[str]:
    found = [each.what for each in outside_tolerance(dataset, ours) if each.ours is not None]
    if not found:
        return []
    return [f"More than {load_paper().tolerance:.3f} from the paper's: {', '.join(found)}."]


def _unqueried(folds: Sequence[Fold], results: Layout) -> list[str]:
    absent = runs_without_queries(folds, results)
    if not absent:
        return []
    return [
        f"The values of single queries are missing for {len(absent)} "
        f"run{'s' if len(absent) > 1 else ''}, such as {absent[0]}; intervals and p-values rest on "
        "the others."
    ]


def _by_fold(runs: pl.DataFrame) -> dict[str, dict[int, dict[str, float | None]]]:
    found: dict[str, dict[int, dict[str, float | None]]] = {}
    means = fold_means(runs).filter(convention="letor").select("method", "fold", "measure", "value")
    for method, fold, measure, value in means.fill_nan(None).iter_rows():
        found.setdefault(method, {}).setdefault(fold, {})[measure] = value
    return found


def _cutoffs(runs: pl.DataFrame, queries: pl.DataFrame) -> dict[str, dict[str, dict[int, float]]]:
    """NDCG by cut-off; from the summaries of runs where queries are not known."""
    columns = [name for n in _CUTOFFS if (name := f"ndcg@{n}") in queries.columns]
    by_run = [name for name in RUNS if name != "value"]
    summaries = runs.filter(pl.col("measure").is_in([f"ndcg@{n}" for n in _CUTOFFS]), split="test")
    if columns:
        known = (
            queries.filter(split="test")
            .unpivot(columns, index=by_run[:-1], variable_name="measure")
            .group_by(by_run, maintain_order=True)
            .agg(pl.col("value").mean())
        )
        summaries = pl.concat([known, summaries.join(known, on=by_run, how="anti")])
    means = figures(summaries).filter(pl.col("value").is_finite())
    at = pl.col("measure").str.strip_prefix("ndcg@").cast(pl.Int64)
    found: dict[str, dict[str, dict[int, float]]] = {}
    for convention in (name for name in CONVENTIONS if name in means["convention"]):
        own = means.filter(convention=convention).with_columns(cutoff=at).sort("cutoff")
        found[convention] = {
            method: dict(own.filter(method=method).select("cutoff", "value").iter_rows())
            for method in in_order(own["method"])
        }
    return found


def _query_differences(per_query: pl.DataFrame, baseline: str | None) -> list[float]:
    if baseline is None or _MEASURE not in per_query.columns:
        return []
    means = query_means(tested_queries(per_query, "letor").select(*KEYS, _MEASURE))
    pairs = means.filter(name=OURS).join(means.filter(name=baseline), on=["fold", "qid"])
    values = pairs[_MEASURE] - pairs[f"{_MEASURE}_right"]
    return values.filter(values.is_finite()).sort(descending=True).to_list()


def _tuned_ahead(per_query: pl.DataFrame, rounds: int, exchanges: int) -> list[Difference]:
    if not set(PAPER_MEASURES) <= set(per_query.columns):
        return []
    queries = with_mean(tested_queries(per_query, "letor"))
    methods = in_order(queries["name"])
    if TUNED not in methods:
        return []
    others = [name for name in methods if name != TUNED]
    measures = [*PAPER_MEASURES, "mean"]
    found = differences(queries, TUNED, others, measures, rounds=rounds, exchanges=exchanges)
    return [each.turned() for each in found]
