"""Options about files to read, which several commands share."""

import argparse


def add_sparse(parser: argparse.ArgumentParser) -> None:
    """Declare `--sparse`."""
    parser.add_argument(
        "--sparse",
        action="store_true",
        help="lines leave out features that are 0; otherwise a file with fewer features than there "
        "must be is refused",
    )
