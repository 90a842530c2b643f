#!/usr/bin/env python3
"""Make the paper's tables from our results, and ours beside, as .tex, .html, .csv and .md."""

import argparse
import sys
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.files import read_json, written_whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    tables = parser.add_subparsers(metavar="table", required=True)

    methods = tables.add_parser(
        "methods",
        help="methods on one data set (the paper's Table 2 or 3), and ours beside the paper's",
        description="Write {dataset}.*, {dataset}_comparison.* and {dataset}_comparison_paper.*",
    )
    methods.add_argument("--data", type=Path, required=True, help="the data set's data.json")
    methods.add_argument(
        "--folds", type=Path, nargs="+", required=True, help="its fold1.json and so on"
    )
    methods.add_argument(
        "--results",
        type=Path,
        required=True,
        help="folder with {dataset}/fold{k}/{method}/seed{s}/measures.parquet",
    )
    methods.add_argument(
        "--methods",
        nargs="+",
        help="those that should be there (default: those that are, and the paper's)",
    )
    methods.add_argument(
        "--seeds", type=int, nargs="+", help="those that should be there (default: those that are)"
    )
    methods.set_defaults(make=make_methods)

    datasets = tables.add_parser("datasets", help="the data sets (the paper's Table 1)")
    datasets.add_argument("--data", type=Path, nargs="+", required=True, help="data.json files")
    datasets.set_defaults(make=make_datasets)

    baselines = tables.add_parser(
        "baselines", help="baselines beside those that Microsoft published (MQ2007)"
    )
    baselines.add_argument("--data", type=Path, required=True, help="the data set's data.json")
    baselines.add_argument("--folds", type=Path, nargs="+", required=True)
    baselines.set_defaults(make=make_baselines)

    cost = tables.add_parser("cost", help="time and memory of every method")
    cost.add_argument("--data", type=Path, nargs="+", required=True, help="data.json files")
    cost.add_argument("--folds", type=Path, nargs="+", required=True)
    cost.add_argument("--benchmarks", type=Path, required=True, help="Snakemake's measurements")
    cost.set_defaults(make=make_cost)

    document = tables.add_parser("document", help="a LaTeX document with all of the tables")
    document.add_argument("--names", nargs="+", required=True, help="tables, such as mq2007")
    document.set_defaults(make=make_document)

    for table in (methods, datasets, baselines, cost, document):
        table.add_argument("--output", type=Path, required=True, help="folder to write to")
    arguments = parser.parse_args()
    arguments.make(arguments)


def make_methods(arguments: argparse.Namespace) -> None:
    from arsm_l2r.analysis.measured import figures, load_folds, runs_table
    from arsm_l2r.analysis.paper import outside_tolerance
    from arsm_l2r.report.build import tables_of, write_table

    folds = load_folds(arguments.folds)
    tables = tables_of(
        read_json(arguments.data),
        folds,
        arguments.results,
        methods=arguments.methods,
        seeds=arguments.seeds,
    )
    for table in tables:
        write_table(table, arguments.output)
    for deviation in outside_tolerance(figures(runs_table(folds))):
        print(deviation, file=sys.stderr)


def make_datasets(arguments: argparse.Namespace) -> None:
    from arsm_l2r.analysis.paper import load_paper
    from arsm_l2r.report.build import write_table
    from arsm_l2r.report.tables import datasets_table

    descriptions = [read_json(path) for path in arguments.data]
    write_table(datasets_table(descriptions, load_paper()), arguments.output)


def make_baselines(arguments: argparse.Namespace) -> None:
    from arsm_l2r.analysis.measured import load_folds
    from arsm_l2r.report.build import write_table
    from arsm_l2r.report.letor_baselines import letor_baselines_table

    title = read_json(arguments.data)["title"]
    write_table(letor_baselines_table(load_folds(arguments.folds), title), arguments.output)


def make_cost(arguments: argparse.Namespace) -> None:
    from arsm_l2r.analysis.benchmarks import read_benchmarks
    from arsm_l2r.analysis.measured import load_folds
    from arsm_l2r.report.build import write_table
    from arsm_l2r.report.cost import cost_table

    folds = load_folds(arguments.folds)
    data = [read_json(path) for path in arguments.data]
    titles = {each["dataset"]: each["title"] for each in data}
    methods = {run["method"] for fold in folds for run in fold["runs"]}
    seeds = {run["seed"] for fold in folds for run in fold["runs"]}
    jobs = {name: read_benchmarks(arguments.benchmarks, name, methods, seeds) for name in titles}
    write_table(cost_table(folds, jobs, titles), arguments.output)


def make_document(arguments: argparse.Namespace) -> None:
    from arsm_l2r.report.latex import document

    with written_whole(arguments.output / "tables.tex") as temporary:
        temporary.write_text(document(arguments.names), encoding="utf-8")


if __name__ == "__main__":
    run(main)
