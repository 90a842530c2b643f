"""The scoring network T_θ: a multi-layer perceptron, as arrays and two pure functions."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from arsm_l2r.training.seeds import Use, generator, member_key

Weights = list[np.ndarray]
"""Matrix and bias of each layer in turn, float32."""

ROWS_AT_ONCE = 65_536
"""Documents whose outputs are computed together, for the sake of memory."""


def initial_weights(
    inputs: int, hidden: Sequence[int], outputs: int, seed: int, member: int = 0
) -> Weights:
    """Glorot's uniform initialisation (Glorot and Bengio 2010); biases are 0.

    Args:
        inputs: features of a document.
        hidden: units of each hidden layer.
        outputs: outputs of the network.
        seed: of the random numbers.
        member: which of several networks that are trained together, from 0.
    """
    draw = generator(seed, Use.WEIGHTS, *member_key(member))
    sizes = [inputs, *hidden, outputs]
    weights = []
    for width_in, width_out in pairwise(sizes):
        limit = np.sqrt(6.0 / (width_in + width_out))
        matrix = draw.uniform(-limit, limit, size=(width_in, width_out))
        weights += [matrix.astype(np.float32), np.zeros(width_out, dtype=np.float32)]
    return weights


def forward(features: Any, weights: Sequence[Any], tanh: Any) -> Any:
    """Outputs of the network: linear layers with tanh between them.

    Works on NumPy arrays and on TensorFlow tensors alike; `tanh` is that of the library.
    """
    values = features
    layers = list(zip(weights[::2], weights[1::2], strict=True))
    for matrix, bias in layers[:-1]:
        values = tanh(values @ matrix + bias)
    matrix, bias = layers[-1]
    return values @ matrix + bias


def by_member(weights: Sequence[Any], members: int) -> list[Sequence[Any]]:
    """The weights of each of several networks of one size."""
    size = len(weights) // members
    return [weights[start : start + size] for start in range(0, len(weights), size)]


def outputs(features: np.ndarray, weights: Weights, members: int = 1) -> np.ndarray:
    """Outputs of the networks for (documents, P) features, computed without TensorFlow.

    Returns:
        (members, documents, outputs).
    """
    pieces = [
        [
            forward(features[start : start + ROWS_AT_ONCE], each, np.tanh)
            for each in by_member(weights, members)
        ]
        for start in range(0, max(len(features), 1), ROWS_AT_ONCE)
    ]
    return np.concatenate(pieces, axis=1)
