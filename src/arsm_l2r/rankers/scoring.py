"""From the probabilities of the levels to one score per document (the paper's section 2.4)."""

from collections.abc import Callable

import numpy as np

from arsm_l2r.errors import ConfigError

TINY = 1e-300

SCORINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "linear": lambda p: p @ _levels(p),
    "squared": lambda p: p @ _levels(p) ** 2,
    "exponential": lambda p: p @ np.exp2(_levels(p) * (4.0 / p.shape[1])),
    "rank": lambda p: p @ _expected_ranks(p),
    "top": lambda p: p[:, -max(1, p.shape[1] // 4) :].sum(axis=1),
    "log-odds": lambda p: np.log(_half(p, 1) + TINY) - np.log(_half(p, 0) + TINY),
}
"""How probabilities (documents, C) become scores (documents,).

`linear`: Σ c · p_c with c = 1 … C, the paper's. `squared`: Σ c² · p_c. `exponential`: Σ 2^(4c/C)
· p_c, which grows like a gain over four labels. `rank`: the expected share of the documents scored
together that have a lower level, half of those with the same. `top`: the probability of the upper
quarter of the levels. `log-odds`: the log-odds of the upper half.
"""


def scores(logits: np.ndarray, scoring: str) -> np.ndarray:
    """Score documents from (documents, C) logits."""
    check_scoring(scoring)
    return SCORINGS[scoring](_softmax(logits))


def mixture(logits: np.ndarray) -> np.ndarray:
    """Logits (documents, C) of the mean of several members' probabilities.

    Args:
        logits: (members, documents, C). A single member's are left as they are.
    """
    if len(logits) == 1:
        return np.asarray(logits[0])
    return np.asarray(np.log(_softmax(logits).mean(axis=0) + TINY))


def check_scoring(scoring: str) -> None:
    """Raise ConfigError unless there is such a way of scoring."""
    if scoring not in SCORINGS:
        raise ConfigError(f"no scoring {scoring!r}; there are {', '.join(SCORINGS)}")


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp((logits - logits.max(axis=-1, keepdims=True)).astype(np.float64))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def _levels(probabilities: np.ndarray) -> np.ndarray:
    return np.arange(1.0, probabilities.shape[1] + 1)


def _expected_ranks(probabilities: np.ndarray) -> np.ndarray:
    """(C,) the share of all documents below each level, and half of those in it."""
    shares = probabilities.mean(axis=0) if len(probabilities) else probabilities.sum(axis=0)
    return np.asarray(np.cumsum(shares) - shares / 2)


def _half(probabilities: np.ndarray, upper: int) -> np.ndarray:
    """The probability of the lower (0) or upper (1) half of the levels."""
    middle = probabilities.shape[1] // 2
    return np.asarray((probabilities[:, :middle], probabilities[:, middle:])[upper].sum(axis=1))
