#!/usr/bin/env python3
"""Measure what it saves to take the steps of an epoch in one call, not each from Python.

One thread, data like MQ2007's training set (1,017 queries, about 42,000 documents, 46 features, 500
hidden units, 20 levels). Both ways are measured in turn, in one run, and medians count.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from made_up import FEATURES, queries_like_mq2007

from arsm_l2r.command import run, use_threads

HIDDEN, LEVELS = (500,), 20


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=1017, help="default: %(default)s")
    parser.add_argument("--per-batch", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=15, help="turns (default: %(default)s)")
    arguments = parser.parse_args()
    use_threads(1)

    from arsm_l2r import ARSMRanker
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.adam import initial_state
    from arsm_l2r.training.batches import BatchPlanner
    from arsm_l2r.training.device import prepare_device
    from arsm_l2r.training.network import initial_weights
    from arsm_l2r.training.step import Position
    from arsm_l2r.training.steps import EpochRunner
    from arsm_l2r.training.task import TrainingData, TrainingSettings

    device = prepare_device(threads=1)
    data = TrainingData(*queries_like_mq2007(arguments.queries), LEVELS)
    planner = BatchPlanner(data.group, arguments.per_batch, seed=0)
    settings = TrainingSettings(
        hidden=HIDDEN,
        learning_rate=1e-4,
        epochs=1,
        queries_per_batch=arguments.per_batch,
        seed=0,
        patience=None,
        checkpoint_every=1,
    )
    take = EpochRunner(
        ARSMRanker.paper(levels=LEVELS)._objective(), data, settings, planner.queries_per_batch
    )
    plans = list(planner.epoch(1))
    seeds = np.random.default_rng(0).integers(0, 2**31, (len(plans), 1, 2)).astype(np.int32)
    weights = initial_weights(FEATURES, HIDDEN, LEVELS, seed=0)
    start = Position([tf.constant(weight) for weight in weights], initial_state(weights))

    def together() -> Position:
        return take(plans, seeds, start)[0]

    def one_by_one() -> Position:
        position = start
        for number, plan in enumerate(plans):
            position, _ = take([plan], seeds[number : number + 1], position)
        return position

    ways = {"each step from Python": one_by_one, "an epoch in one call": together}
    ends = [way() for way in ways.values()]  # compiles
    for left, right in zip(*map(tf.nest.flatten, ends), strict=True):
        np.testing.assert_array_equal(left, right)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(arguments.repeat):
        for name, way in ways.items():
            seconds[name].append(seconds_of(way))
    medians = {name: float(np.median(times)) for name, times in seconds.items()}
    print(
        f"{len(plans)} steps, {len(data.labels):,} documents; {device}, one thread; same results\n"
    )
    for name, median in medians.items():
        print(f"{name:<24}{1e3 * median:>8.1f} ms")
    slow, fast = medians.values()
    print(f"{slow / fast:.2f} × as fast")


def seconds_of(way: Callable[[], object]) -> float:
    started = time.perf_counter()
    way()
    return time.perf_counter() - started


if __name__ == "__main__":
    run(main)
