#!/usr/bin/env python3
"""Draw the figures of one data set, as .svg and .png, from what was analysed.

python scripts/figures.py --dataset mq2007 --results results
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dataset", required=True, help="name of the data set, such as mq2007")
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    arguments = parser.parse_args()

    from arsm_l2r.analysis.benchmarks import read_benchmarks
    from arsm_l2r.analysis.stored import read_analysis
    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.report.figure_files import write_figures

    plan = Plan.load(arguments.results)
    analysis = read_analysis(plan.layout.analysis(arguments.dataset))
    jobs = read_benchmarks(plan.benchmarks, arguments.dataset, plan.methods, plan.seeds)
    write_figures(analysis, jobs, plan.layout)


if __name__ == "__main__":
    run(main)
