#!/usr/bin/env python3
"""Collect everything measured on one fold into one JSON file."""

import argparse
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.experiments.reading import read_record, read_summary
from arsm_l2r.experiments.results import check_fold, fold_result
from arsm_l2r.files import write_json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name of the data set")
    parser.add_argument("--fold", type=int, required=True, help="number of the fold, from 1")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run.json files")
    parser.add_argument(
        "--summaries", type=Path, nargs="+", required=True, help="their summaries, in that order"
    )
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    arguments = parser.parse_args()
    if len(arguments.runs) != len(arguments.summaries):
        parser.error(f"{len(arguments.runs)} runs, but {len(arguments.summaries)} summaries")
    runs = []
    for run_file, summary_file in zip(arguments.runs, arguments.summaries, strict=True):
        record = read_record(run_file)
        measured = read_summary(summary_file)
        head = {"method": record.pop("method"), "seed": record.pop("seed")}
        both = {split: measured.pop(split) for split in ("test", "vali")}
        runs.append({**head, **both, **measured, **record})
    fold = fold_result(arguments.dataset, arguments.fold, runs)
    check_fold(fold, str(arguments.output))
    write_json(arguments.output, fold)


if __name__ == "__main__":
    run(main)
