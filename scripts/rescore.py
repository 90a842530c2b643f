#!/usr/bin/env python3
"""Measure trained models under other ways of scoring, and documents in random order."""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="name of the data set")
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument(
        "--results",
        type=Path,
        required=True,
        help="folder with {dataset}/fold{k}/{method}/seed{s}/",
    )
    parser.add_argument("--method", required=True, help="whose model.npz to take")
    parser.add_argument("--folds", type=int, nargs="+", required=True)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--scorings", nargs="+", required=True)
    parser.add_argument("--chance", default="chance", help="name of random order")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    arguments = parser.parse_args()

    import polars as pl

    from arsm_l2r.files import written_whole
    from arsm_l2r.letor.store import read_fold
    from arsm_l2r.ranker import ARSMRanker
    from arsm_l2r.rescoring import chance, rescored

    tables = []
    for fold in arguments.folds:
        test = read_fold(arguments.parts, fold).test
        for seed in arguments.seeds:
            folder = arguments.results / arguments.dataset / f"fold{fold}" / arguments.method
            ranker = ARSMRanker.load(folder / f"seed{seed}" / "model.npz")
            for table in (
                rescored(ranker, test, arguments.scorings),
                chance(test, arguments.chance),
            ):
                tables.append(
                    table.with_columns(
                        dataset=pl.lit(arguments.dataset), fold=pl.lit(fold), seed=pl.lit(seed)
                    )
                )
    with written_whole(arguments.output) as temporary:
        pl.concat(tables).write_parquet(temporary)


if __name__ == "__main__":
    run(main)
