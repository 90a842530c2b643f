#!/usr/bin/env python3
"""Measure what it saves to take the steps of an epoch in one call, not each from Python.

One thread, data like MQ2007's training set (1,017 queries, about 42,000 documents, 46 features, 500
hidden units, 20 levels). Both ways are measured in turn, in one run, and medians count.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from one_epoch import epoch_like_mq2007

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=1017, help="default: %(default)s")
    parser.add_argument("--per-batch", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=15, help="turns (default: %(default)s)")
    arguments = parser.parse_args()
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.device import prepare_device

    device = prepare_device(threads=1)
    epoch = epoch_like_mq2007(arguments.queries, arguments.per_batch)

    def one_by_one() -> Any:
        position = epoch.start
        for number, plan in enumerate(epoch.plans):
            position, _ = epoch.take([plan], epoch.seeds[number : number + 1], position)
        return position

    ways = {"each step from Python": one_by_one, "an epoch in one call": epoch}
    ends = [way() for way in ways.values()]  # compiles
    for left, right in zip(*map(tf.nest.flatten, ends), strict=True):
        np.testing.assert_array_equal(left, right)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(arguments.repeat):
        for name, way in ways.items():
            seconds[name].append(seconds_of(way))
    medians = {name: float(np.median(times)) for name, times in seconds.items()}
    print(
        f"{len(epoch.plans)} steps, {epoch.documents:,} documents; {device}, one thread; "
        "same results\n"
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
