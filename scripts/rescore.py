#!/usr/bin/env python3
"""Measure trained models under other ways of scoring, and what needs no training.

That is: documents in random order, and the best of many networks that were only initialised.
"""

import argparse
from pathlib import Path

from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.command import run, use_threads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name of the data set")
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--results", type=Path, required=True, help="folder of the results")
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    print_advice_as_lines()

    import polars as pl

    from arsm_l2r.experiments.plan import Plan, require
    from arsm_l2r.experiments.rescoring import every_scoring
    from arsm_l2r.files import written_whole
    from arsm_l2r.letor.store import read_fold

    plan = Plan.load(arguments.results)
    require("data set", arguments.dataset, plan.datasets)
    ablations = plan.configuration.ablations
    tables = [
        every_scoring(
            read_fold(arguments.parts, each.fold, each.dataset),
            each.files.model,
            plan.ablation_settings_on(arguments.dataset),
            ablations.scorings,
            seed=each.seed,
        ).with_columns(dataset=pl.lit(each.dataset), fold=pl.lit(each.fold), seed=pl.lit(each.seed))
        for each in plan.runs(arguments.dataset, [ablations.method])
    ]
    with written_whole(arguments.output) as temporary:
        pl.concat(tables).write_parquet(temporary)


if __name__ == "__main__":
    run(main)
