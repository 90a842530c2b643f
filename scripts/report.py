#!/usr/bin/env python3
"""Write the page that a person reads, in one self-contained HTML file, and its claims as Markdown.

    python scripts/report.py --results results

takes the analyses, claims, tables and figures that are there, says what is missing, and writes
results/report.html and results/claims/claims.md.
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    parser.add_argument(
        "--options", default="", help="what to add to the Snakemake commands that the page shows"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.report.page import write_page

    write_page(Plan.load(arguments.results), arguments.options)


if __name__ == "__main__":
    run(main)
