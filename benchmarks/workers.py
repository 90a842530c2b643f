#!/usr/bin/env python3
"""Compare an epoch with one worker, and with two on two CPU devices of the same process.

The queries are made up, of MSLR's shape. Each worker computes with one thread. One and two take
turns, and of each the fastest epoch counts, since others may be at work on the machine. The
processor's time says what sharing costs, however busy the machine is.
"""

import argparse
import time

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=256, help="default: %(default)s")
    parser.add_argument(
        "--queries-per-batch", type=int, nargs="+", default=[16, 64], help="default: 16 64"
    )
    parser.add_argument("--turns", type=int, default=5, help="default: %(default)s")
    arguments = parser.parse_args()

    import numpy as np

    from arsm_l2r import ARSMRanker
    from arsm_l2r.letor.web_like import web_like_queries
    from arsm_l2r.training.adam import initial_state
    from arsm_l2r.training.batches import BatchPlanner
    from arsm_l2r.training.device import prepare_device
    from arsm_l2r.training.network import initial_weights
    from arsm_l2r.training.step import Position
    from arsm_l2r.training.steps import EpochRunner
    from arsm_l2r.training.task import TrainingData
    from arsm_l2r.training.workers import workers_of

    print(prepare_device(threads=2, workers=2))
    workers_of(2)
    features, labels, group = web_like_queries(arguments.queries)
    features = features / np.maximum(features.max(axis=0), 1)
    data = TrainingData(features, labels, group, outputs=20)
    print(f"{len(group)} queries, {len(labels)} documents, {features.shape[1]} features")
    for estimator in ("arsm", "local-expectation"):
        for size in arguments.queries_per_batch:
            best: dict[int, float] = {}
            spent: dict[int, float] = {}
            for turn in range(arguments.turns + 1):
                for count in (1, 2):
                    ranker = ARSMRanker.paper(
                        estimator=estimator, queries_per_batch=size, workers=count
                    )
                    planner = BatchPlanner(group, size, 0, ranker.epochs)
                    runner = EpochRunner(
                        ranker._objective(),
                        data,
                        ranker,
                        planner.queries_per_batch,
                        workers_of(count),
                    )
                    plans = list(planner.epoch(1))
                    seeds = np.arange(2 * len(plans) * count, dtype=np.int32)
                    weights = initial_weights(features.shape[1], ranker.hidden, 20, seed=0)
                    position = Position(weights, initial_state(weights))
                    started, before = time.perf_counter(), time.process_time()
                    moved, _ = runner(plans, seeds.reshape(-1, count, 1, 2), position)
                    moved.weights[0].numpy()
                    if turn:  # the first compiles
                        seconds = time.perf_counter() - started
                        best[count] = min(seconds, best.get(count, seconds))
                        used = time.process_time() - before
                        spent[count] = min(used, spent.get(count, used))
            print(
                f"{estimator}, {size} queries per batch: an epoch takes {best[1]:.3f} s with one "
                f"worker, {best[2]:.3f} s with two: {best[1] / best[2]:.2f} times as fast; "
                f"processor time {spent[1]:.3f} s and {spent[2]:.3f} s"
            )


if __name__ == "__main__":
    run(main)
