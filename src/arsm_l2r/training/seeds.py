"""The one place where a seed turns into random numbers.

Every use has its own stream, keyed by the seed, the use, and where in training it happens. A
stream does not depend on what was drawn before, so a resumed run draws what an undisturbed one
would have drawn.
"""

from enum import IntEnum

import numpy as np


class Use(IntEnum):
    """What random numbers are for."""

    WEIGHTS = 0
    ORDER = 1
    DRAWS = 2


def generator(seed: int, use: Use, *where: int) -> np.random.Generator:
    """A NumPy generator for one use."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, use, *where])))


def member_key(member: int, worker: int = 0) -> tuple[int, ...]:
    """What tells the streams of several networks, and of several workers, apart.

    The first network has those of a single one, and the first worker those of a single one.
    """
    if worker:
        return (member, worker)
    return (member,) if member else ()


def stateless_seed(seed: int, use: Use, *where: int) -> np.ndarray:
    """(2,) int32 seed for TensorFlow's stateless generators."""
    state = np.random.SeedSequence([seed, use, *where]).generate_state(2, np.uint32)
    return state.view(np.int32)
