"""Whether draws of an estimator have the right mean: one check for right and wrong ones."""

import numpy as np

_BOUND = 4.5
"""Standard errors: a right estimator exceeds this for one entry in 150,000."""

_ROUNDING = 1e-9


def standard_errors(draws: np.ndarray) -> np.ndarray:
    return draws.std(axis=0, ddof=1) / np.sqrt(len(draws))


def agrees(draws: np.ndarray, exact: np.ndarray) -> bool:
    """Whether the mean of (draws, …) estimates is the (…) exact value, as far as they can tell.

    Raises:
        ValueError: if they can tell too little: a standard error above 5 % of the largest
            value there is to estimate.
    """
    errors = standard_errors(draws)
    if errors.max() > 0.05 * abs(exact).max():
        raise ValueError(f"too few draws: standard error {errors.max()} of {abs(exact).max()}")
    return bool((abs(draws.mean(axis=0) - exact) <= _BOUND * errors + _ROUNDING).all())
