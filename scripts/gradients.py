#!/usr/bin/env python3
"""Measure how the estimators' gradients scatter at the start, middle and end of training."""

import argparse
from pathlib import Path

from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.command import run, use_threads
from arsm_l2r.experiments.gpus import gpus_of_job


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name of the data set")
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--fold", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--results", type=Path, required=True, help="folder of the results")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    print_advice_as_lines()

    import polars as pl

    with gpus_of_job(0):  # small work, for which no job should wait for a GPU
        from arsm_l2r.experiments.gradient_study import gradients_in_training
        from arsm_l2r.experiments.plan import Plan, require
        from arsm_l2r.files import written_whole
        from arsm_l2r.letor.store import read_fold
        from arsm_l2r.training.device import prepare_device

        prepare_device(arguments.threads)
        plan = Plan.load(arguments.results)
        require("data set", arguments.dataset, plan.datasets)
        ablations = plan.configuration.ablations
        found = gradients_in_training(
            read_fold(arguments.parts, arguments.fold, arguments.dataset).train,
            plan.ablation_settings_on(arguments.dataset),
            queries=ablations.gradient_queries,
            draws=ablations.gradient_draws,
            seed=arguments.seed,
            threads=arguments.threads,
        )
    with written_whole(arguments.output) as temporary:
        found.select(pl.lit(arguments.dataset).alias("dataset"), pl.all()).write_parquet(temporary)


if __name__ == "__main__":
    run(main)
