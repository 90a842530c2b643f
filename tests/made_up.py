"""Results of runs that never ran."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.dataset import analyse
from arsm_l2r.analysis.measured import load_folds
from arsm_l2r.analysis.paired import Difference
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis, write_analysis
from arsm_l2r.experiments.configuration import read_configuration
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import identifying
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.provenance import fingerprint_of, settings_fingerprint
from arsm_l2r.files import write_json

ROOT = Path(__file__).parents[1]
MEASURES = ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map"]
PROVENANCE = {
    **{"package": "1", "code": "c", "data": "d" * 64, "config": "5" * 64},
    **{"tensorflow": "2", "python": "3", "commit": "c" * 40},
}
TRAINED = {"selected_epoch": 1, "epochs": 2, "seconds": 1.5, "device": "cpu"}
OURS = "arsm-l2r"


def run(method: str, value: float | None, seed: int = 0, **more: Any) -> dict[str, Any]:
    """A run with one value for every measure."""
    values = dict.fromkeys(MEASURES, value)
    both = {"letor": values, "paper": values}
    return {"method": method, "seed": seed, "test": both, "vali": both, **TRAINED, **more}


def record(method: str = OURS, seed: int = 0, **more: Any) -> dict[str, Any]:
    """What a training wrote down."""
    return {"method": method, "seed": seed, **TRAINED, **more, "provenance": PROVENANCE}


def fold(
    number: int, runs: Sequence[dict[str, Any]], dataset: str = "mq2007", **provenance: Any
) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "fold": number,
        "runs": list(runs),
        "provenance": {**PROVENANCE, **provenance},
    }


def folds(
    values: Mapping[str, float], dataset: str = "mq2007", **provenance: Any
) -> list[dict[str, Any]]:
    """Five folds with the same value each, per method."""
    runs = [run(method, value) for method, value in values.items()]
    return [fold(number, runs, dataset, **provenance) for number in range(1, 6)]


def config_of(settings: Mapping[str, Mapping[str, Any]]) -> str:
    """The fingerprint of a fold with one run of each method, with seed 0."""
    return fingerprint_of(
        [settings_fingerprint(name, 0, identifying(name, own)) for name, own in settings.items()]
    )


def description(dataset: str = "mq2007", title: str = "MQ2007", source: str = "x.zip") -> Any:
    """What a data.json holds."""
    counts = {
        "queries": 1692,
        "documents": 69623,
        "features": 46,
        "constant_features": 1,
        "labels": {"0": 60000, "1": 9623},
        "queries_without_relevant": 0,
        "documents_per_query": {"min": 10, "median": 10.0, "mean": 10.0, "max": 10},
    }
    return {
        "dataset": dataset,
        "title": title,
        "collection": "made up",
        "source": source,
        "judged": counts,
        "parts": [{"part": f"S{n}", "fingerprint": "f" * 64, **counts} for n in range(1, 6)],
        "checked_against_known_facts": True,
    }


def write_measures(
    results: Path, number: int, method: str, values: Sequence[float], seed: int = 0
) -> None:
    """The values of a run's test queries, the same for every measure."""
    path = Layout(results).run("mq2007", number, method, seed).measures
    path.parent.mkdir(parents=True)
    pl.concat(
        pl.DataFrame(
            {
                "split": ["test"] * len(values),
                "convention": [convention] * len(values),
                "qid": list(range(len(values))),
                **{measure: list(values) for measure in MEASURES},
            },
            schema_overrides=dict.fromkeys(MEASURES, pl.Float64),
        )
        for convention in ("letor", "paper")
    ).write_parquet(path)


def analysed(
    given: Sequence[Mapping[str, Any]],
    results: Path = Path("nowhere"),
    dataset: str = "mq2007",
    title: str = "MQ2007",
    *,
    methods: Sequence[str] | None = None,
    seeds: Sequence[int] | None = None,
    rounds: int = 1000,
) -> Analysis:
    """The analysis of folds; what should be there is what is, unless it is said."""
    runs = [run for each in given for run in each["runs"]]
    found = dict.fromkeys(run["method"] for run in runs)
    return analyse(
        dataset,
        title,
        given,
        Layout(results),
        fold_count=5,
        methods={name: {} for name in (found if methods is None else methods)},
        seeds=sorted({run["seed"] for run in runs}) if seeds is None else seeds,
        rounds=rounds,
        exchanges=rounds,
    )


def comparison(
    values: Mapping[str, Any],
    dataset: str = "mq2007",
    *,
    ahead: Mapping[tuple[str, str], tuple[float, float]] | None = None,
    fold_counts: Mapping[str, int] | None = None,
    consistent: bool = True,
) -> Analysis:
    """An analysis with a value per method (or per method and measure).

    `ahead` gives how far ARSM-L2R is ahead of a method in a measure, and the corrected p; without,
    it is level with all. `consistent` says whether seeds agree on all of that.
    """
    rows = []
    for method, value in values.items():
        for measure in MEASURES:
            lead, p = (ahead or {}).get((method, measure), (0.0, 1.0))
            single = p / 20 if p < 1 else 1.0
            ours = value[measure] if isinstance(value, Mapping) else value
            test = Difference(
                dataset, method, measure, lead, lead - 0.01, lead + 0.01, single, consistent, p
            )
            rows.append(
                Compared(
                    method=method,
                    measure=measure,
                    paper=load_paper().figure(dataset, method, measure),
                    ours=None if ours != ours else ours,
                    difference=None,
                    spread=None,
                    low=None,
                    high=None,
                    paper_inside=None,
                    ahead=None if method == OURS else test,
                    folds=(fold_counts or {}).get(method, 5),
                    seeds=1,
                    queries=10,
                )
            )
    # Values of methods do not matter to what is not compared.
    whole = analysed(folds(dict.fromkeys(values, 0.4), dataset), Path(), dataset, dataset.upper())
    return replace(whole, compared={"letor": rows, "paper": rows})


def plan(
    results: Path,
    methods: Mapping[str, Mapping[str, Any]],
    seeds: Sequence[int] = (0,),
    datasets: Sequence[str] = ("mq2007",),
    **more: Any,
) -> Plan:
    """A plan, written down beside its results."""
    given = {"datasets": [*datasets], "seeds": [*seeds], "methods": methods, **more}
    configuration = read_configuration(given)
    write_json(Layout(results).configuration, configuration.model_dump(mode="json"))
    return Plan(configuration, ROOT, results)


def write_results(
    made: Plan,
    given: Sequence[Mapping[str, Any]],
    described: Mapping[str, Any] | None = None,
    *,
    rounds: int = 100,
) -> None:
    """Folds, description and analysis of one data set."""
    described = described or description()
    name, layout = described["dataset"], made.layout
    write_json(layout.description(name), described)
    for each in given:
        write_json(layout.fold(name, each["fold"]), each)
    folds_there = load_folds(sorted(layout.description(name).parent.glob("fold*.json")))
    analysis = analyse(
        name,
        described["title"],
        folds_there,
        layout,
        fold_count=5,
        methods=made.methods,
        seeds=made.seeds,
        rounds=rounds,
        exchanges=rounds,
    )
    write_analysis(layout.analysis(name), analysis)
