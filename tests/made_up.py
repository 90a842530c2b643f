"""Results of runs that never ran."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.experiments.provenance import fingerprint_of, settings_fingerprint

MEASURES = ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map"]
PROVENANCE = {"package": "1", "code": "c", "data": "d", "config": "s", "python": "3"}


def run(method: str, value: float | None, seed: int = 0, **more: Any) -> dict[str, Any]:
    """A run with one value for every measure."""
    values = dict.fromkeys(MEASURES, value)
    both = {"letor": values, "paper": values}
    return {"method": method, "seed": seed, "test": both, "vali": both, **more}


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
    return fingerprint_of([settings_fingerprint(name, 0, own) for name, own in settings.items()])


def description(dataset: str = "mq2007", title: str = "MQ2007") -> dict[str, Any]:
    """What a data.json holds, as far as tables need it."""
    judged = {"queries": 1692, "documents": 69623, "features": 46}
    return {"dataset": dataset, "title": title, "judged": judged, "parts": [{}] * 5}


def write_measures(
    results: Path, number: int, method: str, values: Sequence[float], seed: int = 0
) -> None:
    """The values of a run's test queries, the same for every measure."""
    folder = results / "mq2007" / f"fold{number}" / method / f"seed{seed}"
    folder.mkdir(parents=True)
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
    ).write_parquet(folder / "measures.parquet")
