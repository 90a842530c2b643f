#!/usr/bin/env python3
"""Write the page that a person reads, in one self-contained HTML file.

    python scripts/report.py --results results

takes the folds, tables and figures that are there, says what is missing, and writes
results/report.html.
"""

import argparse
import json
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        help="folder with {dataset}/fold{k}.json and so on (default: %(default)s)",
    )
    parser.add_argument(
        "--folds", type=Path, nargs="+", help="fold*.json files (default: those in the results)"
    )
    parser.add_argument(
        "--data", type=Path, nargs="+", help="data.json files (default: those in the results)"
    )
    parser.add_argument("--tables", type=Path, help="folder (default: tables in the results)")
    parser.add_argument("--figures", type=Path, help="folder (default: figures in the results)")
    parser.add_argument(
        "--settings",
        type=json.loads,
        help="JSON with the datasets, methods and seeds that should be there (default: unknown)",
    )
    parser.add_argument(
        "--options", default="", help="what to add to the Snakemake commands that the page shows"
    )
    parser.add_argument("--output", type=Path, help="default: report.html in the results")
    arguments = parser.parse_args()

    from arsm_l2r.analysis.measured import load_folds
    from arsm_l2r.files import read_json, written_whole
    from arsm_l2r.report.page import Sources, render

    results = arguments.results
    data = arguments.data or sorted(results.glob("*/data.json"))
    page = render(
        Sources(
            folds=load_folds(arguments.folds or sorted(results.glob("*/fold*.json"))),
            descriptions=[read_json(path) for path in data],
            results=results,
            tables=arguments.tables or results / "tables",
            figures=arguments.figures or results / "figures",
            settings=arguments.settings,
            options=arguments.options,
        )
    )
    with written_whole(arguments.output or results / "report.html") as temporary:
        temporary.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    run(main)
