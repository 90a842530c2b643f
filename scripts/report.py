#!/usr/bin/env python3
"""Write the page that a person reads, in one self-contained HTML file, and its claims as Markdown.

    python scripts/report.py --results results

takes the analyses, claims, tables and figures that are there, says what is missing of the
configuration that the results were made with, and writes results/report.html and
results/claims/claims.md. With --so-far it first makes all of these from the folds that have been
measured, which Snakemake does when the last one has.
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run, use_threads


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
    parser.add_argument(
        "--so-far", action="store_true", help="first make what can be made of what was measured"
    )
    arguments = parser.parse_args()
    use_threads(1)  # the products of tests are too small to share

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.report.page import write_page

    plan = Plan.load(arguments.results)
    if arguments.so_far:
        from arsm_l2r.report.so_far import make_so_far

        make_so_far(plan)
    write_page(plan, arguments.options)


if __name__ == "__main__":
    run(main)
