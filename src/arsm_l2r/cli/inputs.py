"""The files that commands read, and the options about them, which are the same for all."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arsm_l2r.letor.own_files import OwnData

READ = (
    "LETOR or SVMlight file, plain or compressed by gzip, bzip2 or xz, or Parquet table with the "
    "columns label, qid, docid (optional) and one per feature; - is standard input"
)
"""What can be read, for the help of a command."""

ZERO_BASED = "zero_based"
"""What a model notes: whether the text that it learnt from numbers features from 0."""


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Declare `--sparse` and `--zero-based`."""
    parser.add_argument(
        "--sparse",
        action="store_true",
        help="lines leave out features that are 0; otherwise a file with fewer features than there "
        "must be is refused",
    )
    parser.add_argument(
        "--zero-based",
        action=argparse.BooleanOptionalAction,
        help="lines number features from 0, or not; must be the same for all files that belong "
        "together (default: from 0 if the number 0 occurs)",
    )


def read_given(
    arguments: argparse.Namespace,
    path: Path,
    *,
    features: int | None = None,
    labels_needed: bool = True,
) -> "OwnData":
    """Read a file as the options say; see `letor.own_files`."""
    from arsm_l2r.letor.own_files import read_own

    return read_own(
        path,
        features=features,
        sparse=arguments.sparse,
        zero_based=arguments.zero_based,
        labels_needed=labels_needed,
    )
