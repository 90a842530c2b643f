"""How much the estimates scatter, which is what swapping and merging are for."""

from functools import partial

import numpy as np
import pytest

from arsm_l2r.estimators import (
    ar,
    ars,
    arsm,
    estimator_names,
    estimator_record,
    local_expectation,
    reinforce,
    reinforce_leave_one_out,
)

from .problems import ranking_problem

PROBLEM = ranking_problem(sizes=(12,), levels=8, cutoff=5)
DRAWS = 4000


def variance(estimator) -> float:
    """The mean over all entries of the gradient."""
    return PROBLEM.draws(estimator, DRAWS).var(axis=0, ddof=1).mean()


def test_each_step_of_the_derivation_lowers_the_variance_and_local_expectation_further() -> None:
    steps = [variance(estimator) for estimator in (reinforce, ars, arsm, local_expectation)]
    assert (np.array(steps[:-1]) > 2 * np.array(steps[1:])).all()


def test_augmenting_alone_raises_the_variance() -> None:
    # REINFORCE is AR averaged over π given the levels: E[1 - C π_c | z] = 1[z = c] - p_c.
    # So by Rao and Blackwell AR cannot have the lower variance; only swaps bring it down.
    assert variance(ar) > 1.5 * variance(reinforce)


def test_mean_of_ar_given_the_levels_is_reinforce() -> None:
    # A query of one document, so that draws with the same level can be gathered.
    problem = ranking_problem(sizes=(1,), levels=3, cutoff=1)
    ar_draws = problem.draws(ar, 200_000)[:, 0]
    reinforce_draws = problem.draws(reinforce, 200_000)[:, 0]  # the same seed, so the same levels
    for value in np.unique(reinforce_draws.round(9), axis=0):
        same = np.isclose(reinforce_draws, value).all(axis=1)
        error = ar_draws[same].std(axis=0) / np.sqrt(same.sum())
        assert (abs(ar_draws[same].mean(axis=0) - value) < 4.5 * error).all()


def test_leave_one_out_baseline_lowers_the_variance_of_reinforce() -> None:
    assert variance(reinforce_leave_one_out) < 0.7 * variance(partial(reinforce, samples=2))


@pytest.mark.parametrize(
    "name", [name for name in estimator_names() if estimator_record(name).least_samples == 1]
)
def test_averaging_over_four_samples_quarters_the_variance(name: str) -> None:
    # Which it would not if the samples were not independent.
    estimator = estimator_record(name).function
    if estimator is ars:
        # A random reference is drawn once for all queries of a batch, so for all draws here.
        estimator = partial(ars, reference=1)
    ratio = variance(partial(estimator, samples=4)) / variance(estimator)
    assert ratio == pytest.approx(1 / 4, rel=0.15)
