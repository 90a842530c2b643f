"""Estimators of the gradient of an expected loss with respect to categorical logits.

The paper has `arsm`, and `ar` and `ars` on the way to it. An estimator is found by its name once
its module is imported. All modules of this package are, so that a new estimator is one more file
(`docs/own-estimator.md`). None of this imports TensorFlow.
"""

from arsm_l2r.estimators.estimate import (
    Estimate,
    Estimator,
    averaged,
    sampled_levels,
    split_seed,
    standard_exponentials,
)
from arsm_l2r.estimators.registry import (
    AUTO,
    EstimatorRecord,
    check_combination,
    estimator,
    estimator_by_name,
    estimator_descriptions,
    estimator_for,
    estimator_names,
    estimator_record,
)
from arsm_l2r.registry import import_modules

# isort: split
# In the order of the derivation, which is that of the names and of studies over all of them.
from arsm_l2r.estimators.reinforce import reinforce, reinforce_leave_one_out

# isort: split
from arsm_l2r.estimators.arsm import ar, ars, arsm

# isort: split
from arsm_l2r.estimators.local_expectation import local_expectation

# isort: split
from arsm_l2r.estimators.entropy import with_entropy

import_modules(__name__, __path__)

__all__ = [
    "AUTO",
    "Estimate",
    "Estimator",
    "EstimatorRecord",
    "ar",
    "ars",
    "arsm",
    "averaged",
    "check_combination",
    "estimator",
    "estimator_by_name",
    "estimator_descriptions",
    "estimator_for",
    "estimator_names",
    "estimator_record",
    "local_expectation",
    "reinforce",
    "reinforce_leave_one_out",
    "sampled_levels",
    "split_seed",
    "standard_exponentials",
    "with_entropy",
]
