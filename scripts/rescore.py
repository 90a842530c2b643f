#!/usr/bin/env python3
"""Measure trained models under other ways of scoring, and what needs no training.

That is: documents in random order, and the best of many networks that were only initialised.
"""

import argparse
import json
from pathlib import Path

from arsm_l2r.command import run, use_threads


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
    parser.add_argument(
        "--settings",
        type=json.loads,
        required=True,
        help="of the untrained networks, as JSON; there are as many to choose from as epochs",
    )
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--output", type=Path, required=True, help="Parquet file to write")
    arguments = parser.parse_args()
    use_threads(arguments.threads)

    import polars as pl

    from arsm_l2r.experiments.methods import with_tuples
    from arsm_l2r.experiments.rescoring import chance, rescored, untrained
    from arsm_l2r.files import written_whole
    from arsm_l2r.letor.store import read_fold
    from arsm_l2r.rankers.arsm import ARSMRanker

    unfitted = ARSMRanker(**with_tuples(arguments.settings))
    tables = []
    for number in arguments.folds:
        fold = read_fold(arguments.parts, number)
        for seed in arguments.seeds:
            folder = arguments.results / arguments.dataset / f"fold{number}" / arguments.method
            ranker = ARSMRanker.load(folder / f"seed{seed}" / "model.npz")
            found = pl.concat(
                [
                    rescored(ranker, fold.test, arguments.scorings),
                    chance(fold.test, "chance"),
                    untrained(unfitted, fold, "untrained", count=unfitted.epochs, seed=seed),
                ]
            )
            keys = {"dataset": arguments.dataset, "fold": number, "seed": seed}
            tables.append(found.with_columns(**{k: pl.lit(v) for k, v in keys.items()}))
    with written_whole(arguments.output) as temporary:
        pl.concat(tables).write_parquet(temporary)


if __name__ == "__main__":
    run(main)
