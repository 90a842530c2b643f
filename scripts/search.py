#!/usr/bin/env python3
"""Compare the variants of a study on validation data, as .tex, .html, .csv and .md."""

import argparse
import json
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="name of the study")
    parser.add_argument(
        "--description", type=json.loads, required=True, help="the study's description, as JSON"
    )
    parser.add_argument(
        "--methods", type=json.loads, required=True, help="settings of every method, as JSON"
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="data.json files")
    parser.add_argument(
        "--results",
        type=Path,
        required=True,
        help="folder with {dataset}/fold{k}/{variant}/seed{s}/",
    )
    parser.add_argument("--output", type=Path, required=True, help="folder to write to")
    arguments = parser.parse_args()

    from arsm_l2r.experiments.studies import variants
    from arsm_l2r.files import read_json
    from arsm_l2r.report.build import write_table
    from arsm_l2r.report.search import search_table, validated

    data = [read_json(path) for path in arguments.data]
    tried = variants(f"search.{arguments.study}", arguments.description, arguments.methods)
    measured = validated(
        tried,
        {each["dataset"]: len(each["parts"]) for each in data},
        arguments.description["seeds"],
        arguments.results,
    )
    titles = {each["dataset"]: each["title"] for each in data}
    write_table(search_table(arguments.study, tried, measured, titles), arguments.output)


if __name__ == "__main__":
    run(main)
