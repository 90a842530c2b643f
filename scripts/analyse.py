#!/usr/bin/env python3
"""Compute what tables, figures, claims and page need of everything measured on a data set.

python scripts/analyse.py --dataset mq2007 --results results
"""

import argparse
import sys
from pathlib import Path

from arsm_l2r.command import run, use_threads


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dataset", required=True, help="name of the data set, such as mq2007")
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    arguments = parser.parse_args()
    use_threads(1)  # the products of tests are too small to share

    from arsm_l2r.analysis.dataset import analysed
    from arsm_l2r.analysis.paper import outside_tolerance
    from arsm_l2r.analysis.stored import write_analysis
    from arsm_l2r.experiments.plan import Plan, require

    plan = Plan.load(arguments.results)
    analysis = analysed(plan, require("data set", arguments.dataset, plan.datasets))
    write_analysis(plan.layout.analysis(arguments.dataset), analysis)
    figures = {key: row.ours for key, row in analysis.rows().items()}
    for deviation in outside_tolerance(arguments.dataset, figures):
        print(deviation, file=sys.stderr)


if __name__ == "__main__":
    run(main)
