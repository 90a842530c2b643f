#!/usr/bin/env python3
"""Compare results of folds with those that were published.

python scripts/compare.py results/ohsumed/fold3.json
"""

import argparse
import sys
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folds", type=Path, nargs="+", help="results/{dataset}/fold{k}.json files")
    parser.add_argument(
        "--published", type=Path, default=Path("docs/reproduction"), help="default: %(default)s"
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-3,
        help="largest difference of a measure that still exits with 0; default: %(default)s",
    )
    arguments = parser.parse_args()

    from arsm_l2r.analysis.agreement import agreement
    from arsm_l2r.analysis.measured import load_folds
    from arsm_l2r.experiments.layout import Layout

    agreed, published = True, Layout(arguments.published)
    for fold in load_folds(arguments.folds):
        dataset, number = fold["dataset"], fold["fold"]
        (other,) = load_folds([published.fold(dataset, number)])
        found = agreement(fold, other)
        print(f"{dataset}, fold {number}: {found.identical} of {found.measures} measures identical")
        if found.where:
            print(f"  furthest apart, by {found.largest:.2g}: {found.where}")
        if found.absent:
            print(f"  only in one of the two: {'; '.join(found.absent)}")
        agreed &= found.measures > 0 and found.largest <= arguments.tolerance
    sys.exit(0 if agreed else 1)


if __name__ == "__main__":
    run(main)
