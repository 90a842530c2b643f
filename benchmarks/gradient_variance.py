#!/usr/bin/env python3
"""Measure how much each estimator's gradient scatters on a ranking problem.

Queries with a fresh network's logits (Glorot, 46-500-20), NDCG@10. For each estimator: the
variance of a gradient entry, on average over all entries, from independent draws; and what the
variance would be if all were given the time that one ARSM gradient takes.
"""

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from made_up import Queries, first_queries, queries_like_mq2007, stored_queries

from arsm_l2r.command import run

PROJECT = Path(__file__).parent.parent
LEVELS, HIDDEN = 20, 500
SAMPLES = {"reinforce-loo": 2}
"""Samples per draw where one is not enough."""


class Scatter(NamedTuple):
    """What was measured of an estimator."""

    variance: float
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, help="folder that prepare.py filled, for real data")
    parser.add_argument("--fold", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--queries", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--draws", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--loss", default="ndcg@10", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--output",
        type=Path,
        default=PROJECT / "results" / "benchmarks-of-code",
        help="folder for the figure (default: results/benchmarks-of-code)",
    )
    arguments = parser.parse_args()

    from arsm_l2r.training.device import prepare_device

    prepare_device(threads=1)
    if arguments.parts:
        queries = stored_queries(arguments.parts, arguments.fold)
    else:
        queries = queries_like_mq2007(arguments.queries, arguments.seed)
    queries = first_queries(queries, arguments.queries)
    found = measured(queries, arguments.loss, arguments.draws, arguments.seed)
    documents = f"{len(queries[2])} queries, {len(queries[1]):,} documents, C = {LEVELS}"
    print(f"{documents}, {arguments.loss}; {arguments.draws:,} draws\n")
    print_table(found)
    draw(found, f"{documents}, {arguments.loss}", arguments.output)


def measured(queries: Queries, loss_name: str, draws: int, seed: int) -> dict[str, Scatter]:
    from arsm_l2r.estimators import ESTIMATORS
    from arsm_l2r.losses import Batch, loss_by_name
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.network import initial_weights, outputs

    features, labels, group = queries
    weights = initial_weights(features.shape[1], (HIDDEN,), LEVELS, seed)
    logits = tf.constant(outputs(features, weights)[0], tf.float32)
    batch = Batch(
        labels=tf.constant(labels, tf.int32),
        query=tf.constant(np.repeat(np.arange(len(group)), group), tf.int32),
        queries=len(group),
        levels=LEVELS,
        label_levels=int(labels.max()) + 1,
    )
    loss = loss_by_name(loss_name)

    def gradient_of(name: str) -> Any:
        estimator, samples = ESTIMATORS[name], SAMPLES.get(name, 1)
        return tf.function(
            lambda at: estimator(logits, loss, batch, at, samples=samples).gradient,
            jit_compile=True,
            autograph=False,
        )

    functions = {name: gradient_of(name) for name in ESTIMATORS}
    for function in functions.values():
        function(tf.constant([0, 0]))  # compiles
    sums = {name: np.zeros((2, *logits.shape)) for name in functions}
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for number in range(draws):
        at = tf.constant([number, seed + 1])
        for name, function in functions.items():
            started = time.perf_counter()
            gradient = function(at).numpy().astype(np.float64)
            seconds[name].append(time.perf_counter() - started)
            sums[name] += gradient, gradient**2
    return {
        name: Scatter(variance_of(sums[name], draws), float(np.median(seconds[name])))
        for name in functions
    }


def variance_of(sums: np.ndarray, draws: int) -> float:
    """Mean over entries, from the sums of values and of their squares."""
    mean, square = sums / draws
    return float((square - mean**2).mean() * draws / (draws - 1))


def at_equal_time(found: dict[str, Scatter], name: str) -> float:
    """The variance of a mean over as many draws as ARSM's time allows."""
    return found[name].variance * found[name].seconds / found["arsm"].seconds


def print_table(found: dict[str, Scatter]) -> None:
    arsm = found["arsm"].variance
    print(f"{'':<20}{'variance':>12}{'× ARSM':>12}{'ms':>8}{'× ARSM at equal time':>24}")
    for name, scatter in found.items():
        equal = at_equal_time(found, name) / arsm
        print(
            f"{name:<20}{scatter.variance:>12.3e}{scatter.variance / arsm:>12.4g}"
            f"{1e3 * scatter.seconds:>8.2f}{equal:>24.4g}"
        )


def draw(found: dict[str, Scatter], title: str, folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panel = plt.subplots(figsize=(7, 3.2), layout="constrained")
    names = list(found)[::-1]
    places = np.arange(len(names))
    for values, marker, label in (
        ([found[name].variance for name in names], "o", "of one gradient"),
        ([at_equal_time(found, name) for name in names], "D", "in the time of an ARSM gradient"),
    ):
        panel.plot(values, places, marker, label=label)
    panel.set(xscale="log", xlabel="variance of a gradient entry", title=title)
    panel.set_yticks(places, names)
    panel.grid(alpha=0.3)
    figure.legend(frameon=False, loc="outside lower center", ncols=2)
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("png", "svg"):
        figure.savefig(folder / f"gradient-variance.{ending}", dpi=150)
    print(f"\nFigure: {folder / 'gradient-variance.png'}, and .svg")


if __name__ == "__main__":
    run(main)
