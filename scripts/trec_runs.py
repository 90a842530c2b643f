#!/usr/bin/env python3
"""Write the scores of all runs as TREC runs, so that others can compare them query by query.

    python scripts/trec_runs.py --results results --output runs
    python scripts/trec_runs.py --results docs/reproduction --output runs

The second takes what is published, without any training: places in the rankings stand for scores.

For every data set there will be {dataset}/{method}.seed{seed}.run.gz with the test documents of all
folds, {dataset}/qrels.gz and {dataset}/folds.csv, which says in which fold a query is tested; and
runs.json, which says what every run belongs to: its SHA-256, what was measured, and the versions of
code, data and settings. Scores that do not give what was measured are refused.
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run, use_threads
from arsm_l2r.experiments.layout import DataFiles


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="default: %(default)s"
    )
    parser.add_argument("--data", type=Path, default=DataFiles().root, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=Path("runs"), help="default: %(default)s")
    arguments = parser.parse_args()
    use_threads(1)

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.experiments.trec_runs import write_trec_runs

    plan = Plan.load(arguments.results)
    for path in write_trec_runs(plan, DataFiles(arguments.data), arguments.output):
        print(arguments.output / path, flush=True)


if __name__ == "__main__":
    run(main)
