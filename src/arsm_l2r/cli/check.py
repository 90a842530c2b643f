"""Read a LETOR, SVMlight or Parquet file, say what it holds, or where it is malformed."""

import argparse
import json
from pathlib import Path

from arsm_l2r.cli.inputs import READ, add_reading, read_given


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("data", type=Path, help=READ)
    add_reading(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def execute(arguments: argparse.Namespace) -> None:
    """Read, count, print."""
    from arsm_l2r.errors import UserError
    from arsm_l2r.letor.describe import Counting

    data = read_given(arguments, arguments.data, labels_needed=False)
    if not data.features.shape[1]:
        raise UserError(f"{data.path}: has no features")
    highest = int(data.labels.max()) if data.labelled else -1
    counting = Counting()
    counting.add(data.table)
    found = counting.counted(highest + 1)
    if not data.labelled:
        found |= {"labels": None, "queries_without_relevant": None}
    found["fingerprint"] = data.fingerprint
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    sizes = found["documents_per_query"]
    print(f"{data.path}: {found['queries']:,} queries, {found['documents']:,} documents")
    if data.labelled:
        counts = found["labels"].items()
        labels = ", ".join(f"{count:,} with label {label}" for label, count in counts)
        print(f"  labels                  {labels}")
        print(f"  no relevant document    {found['queries_without_relevant']:,} queries")
    else:
        print("  labels                  no labels")
    print(f"  documents per query     {sizes['min']} to {sizes['max']}, mean {sizes['mean']:.1f}")
    print(f"  features                {found['features']}, {found['constant_features']} constant")
    if data.fingerprint:
        print(f"  fingerprint             {data.fingerprint}")
