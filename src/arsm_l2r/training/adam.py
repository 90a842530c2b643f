"""The Adam optimiser (Kingma and Ba 2015), as a pure function of arrays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arsm_l2r.tensorflow import tf


class AdamState(NamedTuple):
    """Running moments of the gradient, and the number of steps taken."""

    first: list[tf.Tensor]
    second: list[tf.Tensor]
    steps: tf.Tensor


def initial_state(weights: Sequence[np.ndarray]) -> AdamState:
    """The state before the first step."""
    zeros = [tf.zeros(weight.shape, tf.float32) for weight in weights]
    return AdamState(zeros, list(zeros), tf.constant(0, tf.int32))


def adam_step(
    weights: Sequence[tf.Tensor],
    gradients: Sequence[tf.Tensor],
    state: AdamState,
    learning_rate: float,
    *,
    weight_decay: float = 0.0,
    decay: tuple[float, float] = (0.9, 0.999),
    epsilon: float = 1e-8,
) -> tuple[list[tf.Tensor], AdamState]:
    """Take one step against the gradients.

    `weight_decay` is decoupled from the gradient (Loshchilov and Hutter 2019): a step shrinks
    every matrix by this share of the learning rate. Biases are left alone.
    """
    steps = state.steps + 1
    time = tf.cast(steps, tf.float32)
    first = [decay[0] * m + (1 - decay[0]) * g for m, g in zip(state.first, gradients, strict=True)]
    second = [
        decay[1] * v + (1 - decay[1]) * tf.square(g)
        for v, g in zip(state.second, gradients, strict=True)
    ]
    rate = learning_rate * tf.sqrt(1 - decay[1] ** time) / (1 - decay[0] ** time)
    moved = [
        weight - rate * m / (tf.sqrt(v) + epsilon)
        for weight, m, v in zip(weights, first, second, strict=True)
    ]
    if weight_decay:
        shrink = learning_rate * weight_decay
        moved = [
            new - shrink * old if len(old.shape) > 1 else new
            for old, new in zip(weights, moved, strict=True)
        ]
    return moved, AdamState(first, second, steps)
