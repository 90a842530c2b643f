#!/usr/bin/env python3
"""Write the embedded synthetic data set as an archive, as if it had been downloaded."""

import argparse
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.files import written_whole
from arsm_l2r.letor.synthetic import write_archive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="zip archive to write")
    arguments = parser.parse_args()
    with written_whole(arguments.output) as temporary:
        write_archive(temporary)


if __name__ == "__main__":
    run(main)
