#!/usr/bin/env python3
"""Judge claims of the paper: for each a .json and a .csv, and a .svg and a .png if it has a figure.

python scripts/claims.py --claims levels --results results
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run, use_threads


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--claims", nargs="+", required=True, help="their names, such as levels")
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    arguments = parser.parse_args()
    use_threads(1)  # the products of tests are too small to share

    from arsm_l2r.analysis.claims import judged
    from arsm_l2r.experiments.plan import Plan, require
    from arsm_l2r.experiments.studies import CLAIMS
    from arsm_l2r.report.claim_files import write_claim

    plan = Plan.load(arguments.results)
    titles = {name: plan.catalogue[name].title for name in plan.datasets}
    for name in arguments.claims:
        write_claim(judged(require("claim", name, CLAIMS), plan), titles, plan.layout)


if __name__ == "__main__":
    run(main)
