#!/usr/bin/env python3
"""Draw the figures of one data set, as .svg and .png, from as many folds as there are.

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
        "--results",
        type=Path,
        default=Path("results"),
        help="folder with {dataset}/data.json and {dataset}/fold{k}/… (default: %(default)s)",
    )
    parser.add_argument(
        "--folds",
        type=Path,
        nargs="+",
        help="the data set's fold1.json and so on (default: those in the results)",
    )
    parser.add_argument(
        "--benchmarks",
        type=Path,
        help="folder of Snakemake's measurements (default: benchmarks in the results)",
    )
    parser.add_argument(
        "--output", type=Path, help="folder to write to (default: figures/{dataset} in the results)"
    )
    arguments = parser.parse_args()

    from arsm_l2r.analysis.measured import load_folds
    from arsm_l2r.files import read_json
    from arsm_l2r.report.figures import write_figures

    dataset, results = arguments.dataset, arguments.results
    description = results / dataset / "data.json"
    title = dataset
    if description.exists():
        title = read_json(description)["title"]
    write_figures(
        dataset,
        title,
        load_folds(arguments.folds or sorted((results / dataset).glob("fold*.json"))),
        results=results,
        benchmarks=arguments.benchmarks or results / "benchmarks",
        folder=arguments.output or results / "figures" / dataset,
    )


if __name__ == "__main__":
    run(main)
