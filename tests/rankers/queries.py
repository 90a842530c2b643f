"""Small problems for baselines to learn."""

from typing import NamedTuple

import numpy as np


class Problem(NamedTuple):
    """Features, labels and documents per query."""

    features: np.ndarray
    labels: np.ndarray
    group: np.ndarray


def linear_problem(seed: int, queries: int = 30, features: int = 5, levels: int = 3) -> Problem:
    """Labels that follow the first feature, with some noise; the others say nothing."""
    random = np.random.default_rng(seed)
    group = random.integers(5, 20, queries)
    values = random.random((int(group.sum()), features), dtype=np.float32)
    worth = values[:, 0] + 0.1 * random.standard_normal(len(values))
    labels = np.clip((worth * levels).astype(int), 0, levels - 1)
    return Problem(values, labels, group)
