#!/usr/bin/env python3
"""Measure what a gradient costs: against the network, against Algorithm 1 as it reads, and how
the cost grows.

One thread, a batch like one of MQ2007's (64 queries, about 2,650 documents, 46 features, 500
hidden units, 20 levels). What is compared is measured in turn, in one run, and medians count.
"""

import argparse
import importlib.util
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from made_up import Queries, queries_like_mq2007, queries_of

from arsm_l2r.command import run

PROJECT = Path(__file__).parent.parent
QUERIES, LEVELS, HIDDEN, CUTOFF = 64, 20, 500, 10
ESTIMATORS = ("arsm", "local-expectation")
_TURN = 0.02
"""Seconds that a turn lasts at least."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=30, help="turns (default: %(default)s)")
    parser.add_argument(
        "--literal-repeat", type=int, default=5, help="turns of Algorithm 1 (default: %(default)s)"
    )
    parser.add_argument("--no-growth", action="store_true", help="leave out the growth and figure")
    parser.add_argument(
        "--output",
        type=Path,
        default=PROJECT / "results" / "benchmarks-of-code",
        help="folder for the figure (default: results/benchmarks-of-code)",
    )
    arguments = parser.parse_args()

    from arsm_l2r.training.device import prepare_device

    device = prepare_device(threads=1)
    queries = queries_like_mq2007(QUERIES)
    documents = len(queries[1])
    print(f"{QUERIES} queries, {documents:,} documents, C = {LEVELS}; {device}, one thread\n")
    against_the_network(queries, arguments.repeat)
    against_algorithm_1(queries, arguments.literal_repeat)
    if not arguments.no_growth:
        growth(arguments.repeat, arguments.output)


def against_the_network(queries: Queries, repeat: int) -> None:
    batch, logits = batch_of(queries, LEVELS)
    functions = {"network, forward and backward": compiled_network(queries)}
    functions |= {name: compiled_gradient(name, batch, logits) for name in ESTIMATORS}
    seconds = medians(functions, repeat)
    network = seconds["network, forward and backward"]
    print(f"{'':<32}{'ms':>8}{'× network':>12}")
    for name, median in seconds.items():
        print(f"{name:<32}{1e3 * median:>8.2f}{median / network:>12.2f}")


def against_algorithm_1(queries: Queries, repeat: int) -> None:
    from arsm_l2r.estimators.arsm import arsm_of_draw
    from arsm_l2r.losses import NDCGLoss
    from arsm_l2r.tensorflow import tf

    batch, logits = batch_of(queries, LEVELS)
    exponentials = np.random.default_rng(2).exponential(size=logits.shape)
    pi = exponentials / exponentials.sum(axis=1, keepdims=True)
    algorithm_1 = load_algorithm_1()
    _, labels, group = queries
    ends = np.cumsum(group)

    def literal() -> np.ndarray:
        return np.concatenate(
            [
                algorithm_1.gradient(
                    logits[end - size : end],
                    pi[end - size : end],
                    minus_ndcg(labels[end - size : end]),
                )
                for size, end in zip(group, ends, strict=True)
            ]
        )

    loss = NDCGLoss(CUTOFF)
    fast = tf.function(
        lambda phi, labels, query, draws: (
            arsm_of_draw(phi, loss, replace(batch, labels=labels, query=query), draws).gradient
        ),
        jit_compile=True,
        autograph=False,
    )
    single = [tf.constant(array, tf.float32) for array in (logits, exponentials)]
    double = [tf.constant(array, tf.float64) for array in (logits, exponentials)]

    def vectorised(phi: Any, draws: Any) -> Any:
        return fast(phi, batch.labels, batch.query, draws)

    difference = abs(vectorised(*double).numpy()[: len(labels)] - literal()).max()
    seconds = medians({"Algorithm 1": literal, "arsm": lambda: vectorised(*single)}, repeat)
    print(f"\n{'the same draw':<32}{'ms':>8}{'× arsm':>12}")
    for name, median in seconds.items():
        print(f"{name:<32}{1e3 * median:>8.2f}{median / seconds['arsm']:>12.1f}")
    print(f"largest difference of the gradients in double precision: {difference:.1e}")


def growth(repeat: int, folder: Path) -> None:
    """Cost against the number of levels, and against the documents of a query."""
    by_levels: dict[str, dict[int, float]] = {name: {} for name in ESTIMATORS}
    for levels in (5, 10, 20, 40):
        for name, seconds in medians(
            gradients(queries_like_mq2007(QUERIES), levels), repeat
        ).items():
            by_levels[name][levels] = 1e3 * seconds
    by_length: dict[str, dict[int, float]] = {name: {} for name in ESTIMATORS}
    for length in (10, 30, 100, 300, 1000):
        queries = queries_of(np.full(16, length))
        for name, seconds in medians(gradients(queries, LEVELS), max(repeat // 2, 3)).items():
            by_length[name][length] = 1e3 * seconds
    print_growth(f"ms by levels C ({QUERIES} queries like MQ2007's)", by_levels)
    print_growth(f"ms by documents per query (16 queries, C = {LEVELS})", by_length)
    draw_growth(by_levels, by_length, folder)


def gradients(queries: Queries, levels: int) -> dict[str, Callable[[], Any]]:
    batch, logits = batch_of(queries, levels)
    return {name: compiled_gradient(name, batch, logits) for name in ESTIMATORS}


def print_growth(title: str, values: dict[str, dict[int, float]]) -> None:
    heads = next(iter(values.values()))
    print(f"\n{title:<46}" + "".join(f"{head:>9,}" for head in heads))
    for name, row in values.items():
        print(f"{name:<46}" + "".join(f"{value:>9.2f}" for value in row.values()))


def draw_growth(
    by_levels: dict[str, dict[int, float]], by_length: dict[str, dict[int, float]], folder: Path
) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FuncFormatter

    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for panel, values, label in (
        (panels[0], by_levels, f"levels C ({QUERIES} queries like MQ2007's)"),
        (panels[1], by_length, f"documents per query (16 queries, C = {LEVELS})"),
    ):
        for name, row in values.items():
            panel.plot(list(row), list(row.values()), marker="o", label=name)
        panel.set(xscale="log", yscale="log", xlabel=label)
        panel.set_xticks(list(next(iter(values.values()))))
        plain = FuncFormatter(lambda value, _: f"{value:,g}")
        panel.xaxis.set_major_formatter(plain)
        panel.yaxis.set_major_formatter(plain)
        panel.xaxis.set_minor_formatter("")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("ms per gradient, one thread")
    panels[0].legend(frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("png", "svg"):
        figure.savefig(folder / f"gradient-speed.{ending}", dpi=150)
    print(f"\nFigure: {folder / 'gradient-speed.png'}, and .svg")


def medians(functions: dict[str, Callable[[], Any]], repeat: int) -> dict[str, float]:
    """Median seconds of each, called in turn: so many turns, each long enough to be fair."""
    for function in functions.values():
        function()  # compiles
    calls = {name: int(_TURN / seconds_of(each)) + 1 for name, each in functions.items()}
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeat):
        for name, function in functions.items():
            seconds[name] += [seconds_of(function) for _ in range(calls[name])]
    return {name: float(np.median(times)) for name, times in seconds.items()}


def seconds_of(function: Callable[[], Any]) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def batch_of(queries: Queries, levels: int) -> tuple[Any, np.ndarray]:
    """A batch, and logits as a fresh network gives them."""
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.batches import aligned

    _, labels, group = queries
    # Filled up with documents that belong to no query, as the batches of training are.
    size = aligned(len(labels))
    filling = (0, size - len(labels))
    query = np.repeat(np.arange(len(group)), group)
    batch = Batch(
        labels=tf.constant(np.pad(labels, filling), tf.int32),
        query=tf.constant(np.pad(query, filling, constant_values=len(group)), tf.int32),
        queries=len(group),
        levels=levels,
        label_levels=3,
        longest=int(group.max()),
    )
    return batch, np.random.default_rng(1).normal(size=(size, levels))


def compiled_gradient(name: str, batch: Any, logits: np.ndarray) -> Callable[[], Any]:
    from arsm_l2r.estimators import estimator_by_name
    from arsm_l2r.losses import NDCGLoss
    from arsm_l2r.tensorflow import tf

    estimator, loss = estimator_by_name(name), NDCGLoss(CUTOFF)
    # Labels and queries are arguments, as in training: as constants they are folded in.
    function = tf.function(
        lambda phi, labels, query, seed: (
            estimator(phi, loss, replace(batch, labels=labels, query=query), seed).gradient
        ),
        jit_compile=True,
        autograph=False,
    )
    phi, seed = tf.constant(logits, tf.float32), tf.constant([1, 2])
    return lambda: function(phi, batch.labels, batch.query, seed)


def compiled_network(queries: Queries) -> Callable[[], Any]:
    """Forward and backward pass, given the gradient with respect to the outputs."""
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.network import forward, initial_weights

    features = tf.constant(queries[0])
    weights = [
        tf.constant(weight)
        for weight in initial_weights(features.shape[1], (HIDDEN,), LEVELS, seed=0)
    ]
    gradient = tf.constant(
        np.random.default_rng(3).normal(size=(len(queries[1]), LEVELS)), tf.float32
    )

    @tf.function(jit_compile=True, autograph=False)  # type: ignore[untyped-decorator]
    def step(features: Any, gradient: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            surrogate = tf.reduce_sum(gradient * forward(features, weights, tf.tanh))
        return tape.gradient(surrogate, weights)

    return lambda: step(features, gradient, weights)


def minus_ndcg(labels: np.ndarray) -> Callable[[np.ndarray], float]:
    """The loss of one query by its levels, ties in expectation, in a few lines of NumPy."""
    gains = 2.0**labels - 1
    discounts = 1 / np.log2(np.arange(2, len(labels) + 2))
    discounts[CUTOFF:] = 0
    cumulated = np.concatenate([[0], np.cumsum(discounts)])
    ideal = np.sort(gains)[::-1] @ discounts

    def loss(levels: np.ndarray) -> float:
        count = np.bincount(levels)[::-1]
        gain = np.bincount(levels, weights=gains)[::-1]
        end = np.cumsum(count)
        shares = gain / np.maximum(count, 1) * (cumulated[end] - cumulated[end - count])
        return -float(shares.sum() / ideal) if ideal else 0.0

    return loss


def load_algorithm_1() -> ModuleType:
    """Algorithm 1 as the paper has it, which the tests compare the estimator with."""
    path = PROJECT / "tests" / "estimators" / "algorithm_1.py"
    spec = importlib.util.spec_from_file_location("algorithm_1", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    run(main)
