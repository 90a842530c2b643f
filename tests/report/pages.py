"""Pages made of results that never ran."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.report.build import tables_of, write_table
from arsm_l2r.report.figures import write_figures
from arsm_l2r.report.page import Sources, render

from ..made_up import config_of, folds

METHODS = {
    "ranksvm": 0.41,
    "listnet": 0.42,
    "adarank-map": 0.4,
    "adarank-ndcg": 0.4,
    "arsm-l2r": 0.45,
}

SETTINGS: dict[str, Any] = {
    "datasets": ["mq2007"],
    "methods": {name: {"epochs": 3} for name in METHODS},
    "seeds": [0],
}


def described(dataset: str = "mq2007", title: str = "MQ2007", source: str = "x.zip") -> Any:
    counts = {
        "queries": 4,
        "documents": 40,
        "features": 46,
        "constant_features": 1,
        "labels": {"0": 30, "1": 10},
        "queries_without_relevant": 0,
        "documents_per_query": {"min": 10, "median": 10.0, "mean": 10.0, "max": 10},
    }
    return {
        "dataset": dataset,
        "title": title,
        "collection": "made up",
        "source": source,
        "judged": counts,
        "paper": None,
        "parts": [{"part": f"S{n}", "fingerprint": "f" * 64, **counts} for n in range(1, 6)],
        "checked_against_known_facts": True,
    }


def make_page(
    results: Path,
    given: Sequence[dict[str, Any]] | None = None,
    *,
    description: Any = None,
    settings: dict[str, Any] | None = SETTINGS,
) -> str:
    """A page with tables and figures."""
    given = folds(METHODS, config=config_of(SETTINGS["methods"])) if given is None else list(given)
    description = description or described()
    name = description["dataset"]
    for table in tables_of(description, given, results):
        write_table(table, results / "tables")
    write_figures(
        name,
        description["title"],
        given,
        results=results,
        benchmarks=results / "benchmarks",
        folder=results / "figures" / name,
    )
    return render(
        Sources(
            folds=given,
            descriptions=[description],
            results=results,
            tables=results / "tables",
            figures=results / "figures",
            settings=settings,
            rounds=100,
        )
    )
