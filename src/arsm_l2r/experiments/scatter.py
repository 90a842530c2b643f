"""How much the gradients of the estimators scatter, and whether they agree on average."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arsm_l2r.estimators.registry import estimator_names, estimator_record
from arsm_l2r.losses import Batch, loss_by_name
from arsm_l2r.tensorflow import tf


@dataclass(frozen=True)
class Scatter:
    """What was measured of an estimator.

    Attributes:
        variance: of a gradient entry, the mean over all entries.
        seconds: the median time of one gradient.
        mean: (documents, C) mean gradient.
        error: (documents, C) its standard error.
    """

    variance: float
    seconds: float
    mean: np.ndarray
    error: np.ndarray


def scatter(
    logits: np.ndarray,
    labels: np.ndarray,
    group: np.ndarray,
    *,
    loss: str = "ndcg@10",
    relevant_from: int = 1,
    draws: int = 1000,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> dict[str, Scatter]:
    """Draw gradients of the estimators in turn.

    Args:
        logits: (documents, C).
        labels: (documents,) true relevance from 0.
        group: (queries,) how many documents each query has.
        loss: name of the loss.
        relevant_from: the lowest label that it counts as relevant.
        draws: how many gradients to draw of each.
        seed: of the draws.
        names: of the estimators; None for all.
    """
    outputs = tf.constant(logits, tf.float32)
    batch = Batch(
        labels=tf.constant(labels, tf.int32),
        query=tf.constant(np.repeat(np.arange(len(group)), group), tf.int32),
        queries=len(group),
        levels=logits.shape[1],
        label_levels=int(labels.max()) + 1,
        longest=int(group.max()),
    )
    judged = loss_by_name(loss, relevant_from)
    names = estimator_names() if names is None else names

    def gradient_of(name: str) -> tf.types.experimental.PolymorphicFunction:
        record = estimator_record(name)
        return tf.function(
            lambda at: (
                record.function(outputs, judged, batch, at, samples=record.least_samples).gradient
            ),
            jit_compile=True,
            autograph=False,
        )

    functions = {name: gradient_of(name) for name in names}
    for function in functions.values():
        function(tf.constant([0, 0]))  # compiles
    sums = {name: np.zeros((2, *logits.shape)) for name in names}
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in range(draws):
        for place, (name, function) in enumerate(functions.items()):
            # Draws of their own, so that means can be compared as independent ones.
            at = tf.constant([number, seed * len(names) + place + 1])
            started = time.perf_counter()
            gradient = function(at).numpy().astype(np.float64)
            seconds[name].append(time.perf_counter() - started)
            sums[name] += gradient, gradient**2
    found = {}
    for name in names:
        mean, square = sums[name] / draws
        variance = np.maximum(square - mean**2, 0) * draws / (draws - 1)
        median = float(np.median(seconds[name]))
        found[name] = Scatter(float(variance.mean()), median, mean, np.sqrt(variance / draws))
    return found
