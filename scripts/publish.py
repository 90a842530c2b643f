#!/usr/bin/env python3
"""Publish complete results: fold results, values of queries, analyses, tables, figures, report.

python scripts/publish.py --results results --output docs/reproduction
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="default: %(default)s"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("docs/reproduction"), help="default: %(default)s"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.report.publish import publish

    publish(Plan.load(arguments.results), arguments.output)
    print(f"Published in {arguments.output}")


if __name__ == "__main__":
    run(main)
