"""The paper's Algorithm 1 as it reads, for one query: what the fast path is compared with.

It imports nothing of the project; `benchmarks/gradient_speed.py` takes it as the slow end.
"""

from collections.abc import Callable

import numpy as np

Loss = Callable[[np.ndarray], float]
"""From the levels (documents,) of a query's documents, from 0, to its loss."""


def gradient(phi: np.ndarray, pi: np.ndarray, loss: Loss) -> np.ndarray:
    """g of Algorithm 1.

    Args:
        phi: (documents, C) logits.
        pi: (documents, C) draws from Dirichlet(1, …, 1), one per document.
        loss: the loss of the query.

    Returns:
        (documents, C) the estimate of the gradient of the expected loss.
    """
    return merged(loss_matrix(phi, pi, loss), pi)


def loss_matrix(phi: np.ndarray, pi: np.ndarray, loss: Loss) -> np.ndarray:
    """L: the loss after swapping categories c and k in every document; (C, C), symmetric."""
    count = phi.shape[1]
    matrix = np.empty((count, count))
    np.fill_diagonal(matrix, loss(levels(phi, pi)))
    for c in range(count):
        for k in range(c):
            matrix[c, k] = matrix[k, c] = loss(levels(phi, swapped(pi, c, k)))
    return matrix


def levels(phi: np.ndarray, pi: np.ndarray) -> np.ndarray:
    """z_j = argmin_k (ln π_jk - φ_jk)."""
    return np.argmin(np.log(pi) - phi, axis=1)


def swapped(pi: np.ndarray, c: int, k: int) -> np.ndarray:
    """π with entries c and k of every document exchanged."""
    exchanged = pi.copy()
    exchanged[:, [c, k]] = pi[:, [k, c]]
    return exchanged


def merged(matrix: np.ndarray, pi: np.ndarray) -> np.ndarray:
    """g_jc = Σ_k (L_ck - mean_c L_ck) (1/C - π_jk)."""
    centred = matrix - matrix.mean(axis=0)
    return (1 / pi.shape[1] - pi) @ centred.T
