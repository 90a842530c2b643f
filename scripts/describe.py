#!/usr/bin/env python3
"""Count what a data set holds: queries, documents, labels, as a whole and per part."""

import argparse
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.files import write_json
from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.describe import describe
from arsm_l2r.letor.store import Stored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name in the catalogue, such as mq2007")
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    parser.add_argument(
        "--catalogue", type=Path, default=Path("config/datasets.yaml"), help="default: %(default)s"
    )
    arguments = parser.parse_args()
    dataset = find_dataset(arguments.catalogue, arguments.dataset)
    stored = Stored(arguments.parts, arguments.dataset)
    write_json(arguments.output, describe(dataset, stored))


if __name__ == "__main__":
    run(main)
