#!/usr/bin/env python3
"""Compare the variants of a study on validation data, as .tex, .html, .csv and .md.

python scripts/search.py --study tuning --results results
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--study", required=True, help="name of the study")
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.plan import Plan, require
    from arsm_l2r.experiments.reading import read_description
    from arsm_l2r.report.search_table import search_table, validated
    from arsm_l2r.report.table_files import write_table

    plan = Plan.load(arguments.results)
    study = plan.searches[require("study", arguments.study, plan.searches)]
    titles = {name: plan.catalogue[name].title for name in plan.datasets}
    found = validated(plan.runs_of_study(study))
    described = {name: read_description(plan.layout.description(name)) for name in plan.datasets}
    queries = {name: each["judged"]["queries"] for name, each in described.items()}
    relevant_from = {name: plan.catalogue[name].relevant_from for name in plan.datasets}
    configured = plan.methods[study.method]
    table = search_table(study, found, titles, queries, configured, relevant_from)
    write_table(table, plan.layout.search(study.name, "html").parent)


if __name__ == "__main__":
    run(main)
