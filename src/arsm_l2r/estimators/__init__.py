"""Estimators of the gradient of an expected loss with respect to categorical logits."""

from arsm_l2r.errors import ConfigError
from arsm_l2r.estimators.arsm import ar, ars, arsm
from arsm_l2r.estimators.estimate import Estimate, Estimator
from arsm_l2r.estimators.local_expectation import local_expectation
from arsm_l2r.estimators.reinforce import reinforce, reinforce_leave_one_out

ESTIMATORS: dict[str, Estimator] = {
    "reinforce": reinforce,
    "reinforce-loo": reinforce_leave_one_out,
    "ar": ar,
    "ars": ars,
    "arsm": arsm,
    "local-expectation": local_expectation,
}
"""The estimators by name. The paper has `arsm`, and `ar` and `ars` on the way to it."""


def estimator_by_name(name: str) -> Estimator:
    """Find an estimator by its name in the configuration."""
    if name not in ESTIMATORS:
        raise ConfigError(f"no estimator {name!r}; there are {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name]


__all__ = [
    "ESTIMATORS",
    "Estimate",
    "Estimator",
    "ar",
    "ars",
    "arsm",
    "estimator_by_name",
    "local_expectation",
    "reinforce",
    "reinforce_leave_one_out",
]
