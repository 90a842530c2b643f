#!/usr/bin/env python3
"""Bring the text files of a data set to this machine, from the first source that works.

The sources are tried in this order: the mirror, an archive put by hand into the downloads
folder, the data set's own sources in config/datasets.yaml.
"""

import argparse
import os
import sys
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.experiments.layout import DataFiles
from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.limits import ENVIRONMENT, limits_from


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dataset", required=True, help="name in the catalogue, such as mq2007")
    parser.add_argument("--output", type=Path, required=True, help="folder for the text files")
    parser.add_argument(
        "--catalogue", type=Path, default=Path("config/datasets.yaml"), help="default: %(default)s"
    )
    parser.add_argument(
        "--downloads", type=Path, default=DataFiles().downloads, help="default: %(default)s"
    )
    parser.add_argument(
        "--mirror",
        type=Path,
        default=os.environ.get("LETOR_MIRROR") or None,
        help="folder with the archives or what was unpacked from them (default: $LETOR_MIRROR)",
    )
    parser.add_argument(
        "--limits",
        metavar="JSON",
        help="of time and size, where they differ from the defaults, such as '{\"timeout\": 10}'; "
        f"config/README.md has them as fetching.timeout and so on (default: ${ENVIRONMENT})",
    )
    arguments = parser.parse_args()
    if arguments.limits is None:
        limits = limits_from(os.environ.get(ENVIRONMENT), ENVIRONMENT)
    else:
        limits = limits_from(arguments.limits, "--limits")
    dataset = find_dataset(arguments.catalogue, arguments.dataset)
    source = fetch(
        dataset,
        arguments.output,
        downloads=arguments.downloads,
        mirror=arguments.mirror,
        limits=limits,
    )
    print(f"{dataset.title}: fetched from {source}", file=sys.stderr)
    if dataset.terms:
        print(dataset.terms, file=sys.stderr)


if __name__ == "__main__":
    run(main)
