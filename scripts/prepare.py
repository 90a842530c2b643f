#!/usr/bin/env python3
"""Parse and validate the text files of a data set, and store its parts as Parquet tables."""

import argparse
import os
import sys
from pathlib import Path

from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name in the catalogue, such as mq2007")
    parser.add_argument("--text", type=Path, required=True, help="folder that fetch.py filled")
    parser.add_argument("--output", type=Path, required=True, help="folder for S1.parquet …")
    parser.add_argument(
        "--catalogue", type=Path, default=Path("config/datasets.yaml"), help="default: %(default)s"
    )
    parser.add_argument(
        "--threads", type=int, help="default: one per core; each has some megabytes in memory"
    )
    arguments = parser.parse_args()
    if arguments.threads:
        # Polars does the work, and reads this when it is imported.
        os.environ.setdefault("POLARS_MAX_THREADS", str(arguments.threads))

    from arsm_l2r.letor.catalogue import find_dataset
    from arsm_l2r.letor.fetch import source_of
    from arsm_l2r.letor.prepare import prepare

    dataset = find_dataset(arguments.catalogue, arguments.dataset)
    print_advice_as_lines()
    parts = prepare(dataset, arguments.text, arguments.output, source_of(arguments.text))
    documents = sum(part.rows for part in parts)
    print(f"{dataset.title}: {documents:,} documents in {len(parts)} parts, valid", file=sys.stderr)


if __name__ == "__main__":
    run(main)
