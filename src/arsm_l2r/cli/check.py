"""Read a LETOR or SVMlight file, say what it holds, or where it is malformed."""

import argparse
import json
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("data", type=Path, help="file to read")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def execute(arguments: argparse.Namespace) -> None:
    """Parse, count, print."""
    from arsm_l2r.letor.describe import statistics
    from arsm_l2r.letor.lines import fingerprint
    from arsm_l2r.letor.parse import parse_file
    from arsm_l2r.letor.store import ranking_data

    parsed = parse_file(arguments.data)
    ranking_data(parsed.table)
    highest = int(parsed.table["label"].to_numpy().max())
    found = statistics(parsed.table, highest + 1)
    found["fingerprint"] = fingerprint(parsed.bodies)
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    sizes = found["documents_per_query"]
    labels = ", ".join(f"{count:,} with label {label}" for label, count in found["labels"].items())
    print(f"{arguments.data}: {found['queries']:,} queries, {found['documents']:,} documents")
    print(f"  labels                  {labels}")
    print(f"  no relevant document    {found['queries_without_relevant']:,} queries")
    print(f"  documents per query     {sizes['min']} to {sizes['max']}, mean {sizes['mean']:.1f}")
    print(f"  features                {found['features']}, {found['constant_features']} constant")
    print(f"  fingerprint             {found['fingerprint']}")
