"""Pages made of results that never ran."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from arsm_l2r.analysis.benchmarks import read_benchmarks
from arsm_l2r.analysis.claims import judged
from arsm_l2r.analysis.stored import read_analysis
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.report.claim_files import write_claim
from arsm_l2r.report.figure_files import write_figures
from arsm_l2r.report.page import render
from arsm_l2r.report.table_files import table_named, write_table

from ..made_up import config_of, description, folds, plan, write_results

METHODS = {
    "ranksvm": 0.41,
    "listnet": 0.42,
    "adarank-map": 0.4,
    "adarank-ndcg": 0.4,
    "arsm-l2r": 0.45,
}

SETTINGS: dict[str, dict[str, Any]] = {
    "ranksvm": {"iterations": 3},
    "listnet": {"epochs": 3},
    "adarank-map": {},
    "adarank-ndcg": {},
    "arsm-l2r": {"epochs": 3},
}


def make_page(
    results: Path,
    given: Sequence[dict[str, Any]] | None = None,
    *,
    described: Any = None,
    settings: dict[str, dict[str, Any]] = SETTINGS,
    seeds: Sequence[int] = (0,),
) -> str:
    """A page with tables, figures and the claims about the tables."""
    described = described or description()
    name = described["dataset"]
    made = plan(results, settings, seeds, [name])
    if given is None:
        given = folds(METHODS, name, config=config_of(made.methods))
    write_results(made, given, described)
    for table in made.tables:
        write_table(table_named(table, made), made.layout.table(table, "html").parent)
    jobs = read_benchmarks(made.benchmarks, name, made.methods, made.seeds)
    with patch("arsm_l2r.report.figures.style.PICTURES", ("svg",)):  # all that a page shows
        write_figures(read_analysis(made.layout.analysis(name)), jobs, made.layout)
        for claim in (claim for claim, needs in CLAIMS.items() if not needs.ablations):
            write_claim(judged(claim, made), {name: described["title"]}, made.layout)
    return render(made)
