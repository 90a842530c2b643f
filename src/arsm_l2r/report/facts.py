"""The facts that the page gives beside the results: settings, data, origins, times, commands."""

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.names import OURS, TUNED, in_order, method_title

_SHORT = 16
"""Characters of a fingerprint that are shown."""

_DESCRIPTIONS = {
    "ranksvm": "pairwise: a linear model with the squared hinge loss of document pairs",
    "listnet": "listwise: cross-entropy of the probabilities of being ranked first",
    "adarank-map": "listwise boosting of single features that follows average precision",
    "adarank-ndcg": "listwise boosting of single features that follows NDCG",
    "lambdamart": "boosted trees with NDCG-weighted pairs (LightGBM); not in the paper",
    OURS: "the paper's method: a network whose random levels are trained on NDCG itself",
    TUNED: "the same model with settings of our own, tuned on validation data; not in the paper",
}

_ORIGINS = {
    "package": "Package",
    "code": "Code",
    "data": "Data",
    "config": "Configuration",
    "tensorflow": "TensorFlow",
    "python": "Python",
    "threads": "Threads",
}


def method_facts(
    methods: Sequence[str], settings: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """What each method is and how it is configured."""
    configured = (settings or {}).get("methods", {})
    return [
        {
            "title": method_title(name),
            "description": _DESCRIPTIONS.get(name, "not in the paper"),
            "settings": [
                (key, json.dumps(value, ensure_ascii=False) if value is not None else "none")
                for key, value in (configured.get(name) or {}).items()
            ],
        }
        for name in methods
    ]


def data_checks(description: Mapping[str, Any]) -> dict[str, Any]:
    """What a data set holds, by part and in all."""
    labels = list(description["judged"]["labels"])
    columns = [
        "Queries",
        "Documents",
        "Features",
        "Constant features",
        *(f"Label {label}" for label in labels),
        "Queries without a relevant document",
        "Documents per query (least, median, most)",
    ]
    counted = [*description["parts"], {"part": "all", **description["judged"]}]
    return {
        "collection": description["collection"],
        "source": description["source"],
        "checked": description["checked_against_known_facts"],
        "columns": columns,
        "rows": [_part(part, labels) for part in counted],
    }


def _part(part: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    sizes = part["documents_per_query"]
    counts = [part[key] for key in ("queries", "documents", "features", "constant_features")]
    counts += [part["labels"].get(label, 0) for label in labels]
    counts.append(part["queries_without_relevant"])
    return {
        "part": part["part"],
        "cells": [
            *(f"{count:,}" for count in counts),
            f"{sizes['min']}, {sizes['median']:g}, {sizes['max']}",
        ],
        "fingerprint": str(part.get("fingerprint", ""))[:_SHORT],
    }


def origins(folds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where the results of each fold come from."""
    return {
        "columns": list(_ORIGINS.values()),
        "rows": [
            {
                "fold": fold["fold"],
                "cells": [
                    str(fold.get("provenance", {}).get(key, "unknown"))[:_SHORT] for key in _ORIGINS
                ],
            }
            for fold in folds
        ],
    }


def training_facts(folds: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What training took, by method."""
    rows = []
    for method in in_order(run["method"] for fold in folds for run in fold["runs"]):
        runs = [run for fold in folds for run in fold["runs"] if run["method"] == method]
        seconds = [run["seconds"] for run in runs if run.get("seconds") is not None]
        chosen = [run["selected_epoch"] for run in runs if run.get("selected_epoch") is not None]
        devices = sorted({str(run.get("device", "unknown")) for run in runs})
        rows.append(
            {
                "method": method_title(method),
                "runs": len(runs),
                "total": f"{sum(seconds):,.1f}" if seconds else "unknown",
                "median": f"{statistics.median(seconds):,.1f}" if seconds else "unknown",
                "selected": f"{statistics.median(chosen):g}" if chosen else "unknown",
                "devices": ", ".join(devices),
            }
        )
    return rows


def steps(
    results: Path,
    datasets: Sequence[str],
    methods: Sequence[str],
    seeds: Sequence[int],
    options: str = "",
) -> list[dict[str, str]]:
    """The commands that make each part again.

    Args:
        results: folder of the results.
        datasets: there may be none.
        methods: there may be none.
        seeds: there may be none.
        options: to add to every Snakemake command.
    """
    place = results.as_posix()
    after = f" {options}" if options else ""
    commands = [("Everything", f"snakemake --cores all{after}")]
    if datasets:
        name = datasets[0]
        commands += [
            (
                "One data set: fetch, check and count it",
                f"snakemake {place}/{name}/data.json{after}",
            ),
            ("One fold, and only what it needs", f"snakemake {place}/{name}/fold1.json{after}"),
        ]
        if methods and seeds:
            method = OURS if OURS in methods else methods[0]
            run = f"{place}/{name}/fold1/{method}/seed{seeds[0]}/run.json"
            commands.append(("One run again", f"snakemake {run} --forcerun train{after}"))
        commands.append(
            ("The tables of a data set", f"snakemake {place}/tables/{name}.html{after}")
        )
        commands.append(
            ("The figures of a data set", f"snakemake {place}/figures/{name}/captions.json{after}")
        )
    commands += [
        ("This page", f"snakemake {place}/report.html{after}"),
        (
            "This page from whatever has been measured so far",
            "".join(
                f"python scripts/figures.py --dataset {name} --results {place}\n"
                for name in datasets
            )
            + f"python scripts/report.py --results {place}",
        ),
        ("Snakemake's own report", f"snakemake --report {place}/snakemake.html{after}"),
    ]
    return [{"what": what, "command": command} for what, command in commands]
