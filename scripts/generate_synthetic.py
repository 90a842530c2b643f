#!/usr/bin/env python3
"""Write the embedded synthetic data set as an archive, as if it had been downloaded.

With `--like mslr`, write data of the shape and size of MSLR-WEB10K or MSLR-WEB30K instead.
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.files import written_whole
from arsm_l2r.letor.synthetic import write_archive
from arsm_l2r.letor.web_files import write_web_like


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--like", choices=["mslr"], help="data to be like, instead of LETOR's")
    parser.add_argument("--queries", type=int, help="how many, with --like (default: 1000)")
    parser.add_argument("--seed", type=int, help="of random numbers, with --like (default: 0)")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        help="zip archive to write; with --like, a folder unless its name ends in .zip",
    )
    arguments = parser.parse_args()
    if arguments.like is None:
        for option in ("queries", "seed"):
            if getattr(arguments, option) is not None:
                parser.error(f"--{option} needs --like: the embedded data set is always the same")
        with written_whole(arguments.output) as temporary:
            write_archive(temporary)
    else:
        queries = 1000 if arguments.queries is None else arguments.queries
        write_web_like(arguments.output, queries, arguments.seed or 0)


if __name__ == "__main__":
    run(main)
