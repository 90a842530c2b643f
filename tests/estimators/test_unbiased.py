"""The mean of every estimator is the exact gradient, and a wrong estimator would be noticed."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from arsm_l2r.estimators import (
    Estimator,
    ars,
    arsm,
    estimator_names,
    estimator_record,
    reinforce,
)
from arsm_l2r.tensorflow import tf

from . import algorithm_1
from .agreement import agrees
from .problems import Problem, ranking_problem, table_problem

PROBLEMS = {
    "one and three documents, any loss": table_problem(),
    "two and three documents, NDCG@2": ranking_problem(sizes=(2, 3), levels=3, cutoff=2),
}
RECORDS = [estimator_record(name) for name in estimator_names()]
UNBIASED: dict[str, Estimator] = {
    **{
        f"{record.name}, samples: {samples}": partial(record.function, samples=samples)
        for record in RECORDS
        for samples in (record.least_samples, record.least_samples + 2)
    },
    "ars, reference 0": partial(ars, reference=0),
    "ars, reference 2": partial(ars, reference=2),
}

every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


def draws_of(problem: Problem, estimator: Estimator) -> np.ndarray:
    """40,000 draws; several seeds, because a random reference is drawn once per seed."""
    return np.concatenate([problem.draws(estimator, 8000, seed) for seed in range(5)])


@every_problem
@pytest.mark.parametrize("name", UNBIASED)
def test_mean_of_many_draws_is_the_exact_gradient(name: str, problem: Problem) -> None:
    assert agrees(draws_of(problem, UNBIASED[name]), problem.exact_gradient)


@pytest.mark.parametrize("name", estimator_names())
def test_compiled_mean_over_many_seeds_is_the_exact_gradient(name: str) -> None:
    # Training compiles, and XLA draws other numbers from a seed than TensorFlow does by itself.
    problem = table_problem()
    logits, batch = problem.repeated(1)
    loss, record = problem.loss(1), estimator_record(name)
    samples = max(2, record.least_samples)

    @tf.function(jit_compile=True, autograph=False)
    def over(seeds: tf.Tensor) -> tf.Tensor:
        return tf.map_fn(
            lambda seed: record.function(logits, loss, batch, seed, samples=samples).gradient,
            seeds,
            fn_output_signature=tf.TensorSpec(logits.shape, logits.dtype),
        )

    seeds = np.stack([np.arange(20_000), np.full(20_000, 11)], axis=1).astype(np.int32)
    assert agrees(over(tf.constant(seeds)).numpy(), problem.exact_gradient)


Mutation = Callable[[np.ndarray], np.ndarray]

MUTATIONS: dict[str, Mutation] = {
    "wrong sign": np.negative,
    "1/C missing": lambda draws: draws * draws.shape[2],
    "1/C twice": lambda draws: draws / draws.shape[2],
    "another document's gradient": lambda draws: np.roll(draws, 1, axis=1),
    "another level's gradient": lambda draws: np.roll(draws, 1, axis=2),
    "half of the documents": lambda draws: draws * (np.arange(draws.shape[1]) % 2)[:, None],
    "a quarter too long": lambda draws: draws * 1.25,
}


@every_problem
@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_wrong_estimates_are_noticed(mutation: Mutation, problem: Problem) -> None:
    draws = problem.draws(arsm, 40_000)
    assert agrees(draws, problem.exact_gradient)
    assert not agrees(mutation(draws), problem.exact_gradient)


def literal_draws(problem: Problem, count: int = 8000) -> np.ndarray:
    """Draws of Algorithm 1 as it reads, of the problem's last query."""
    draw = np.random.default_rng(5)
    logits, definition = problem.logits[-1], problem.definition[-1]
    pis = draw.dirichlet(np.ones(problem.levels), size=(count, len(logits)))
    return np.array([algorithm_1.gradient(logits, pi, definition) for pi in pis])


def _no_swap(pi: np.ndarray, c: int, k: int) -> np.ndarray:
    return pi


def _swap_in_one_document(pi: np.ndarray, c: int, k: int) -> np.ndarray:
    exchanged = pi.copy()
    exchanged[0, [c, k]] = pi[0, [k, c]]
    return exchanged


def _one_way(pi: np.ndarray, c: int, k: int) -> np.ndarray:
    exchanged = pi.copy()
    exchanged[:, c] = pi[:, k]
    return exchanged


def _argmax(phi: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return np.argmax(np.log(pi) - phi, axis=1)


def _plus_phi(phi: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return np.argmin(np.log(pi) + phi, axis=1)


def _no_logarithm(phi: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return np.argmin(pi - phi, axis=1)


BROKEN = {
    "no swap": ("swapped", _no_swap),
    "swap in one document": ("swapped", _swap_in_one_document),
    "copied instead of swapped": ("swapped", _one_way),
    "argmax": ("levels", _argmax),
    "plus φ": ("levels", _plus_phi),
    "no logarithm": ("levels", _no_logarithm),
}


def test_literal_algorithm_1_passes() -> None:
    problem = table_problem()
    assert agrees(literal_draws(problem), problem.exact_gradient[1:])


@pytest.mark.parametrize("name", BROKEN)
def test_broken_algorithm_1_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = table_problem()
    monkeypatch.setattr(algorithm_1, *BROKEN[name])
    assert not agrees(literal_draws(problem), problem.exact_gradient[1:])


def test_mean_over_the_wrong_axis_changes_no_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    # Σ_k of the column means times (1/C - π_jk) has mean 0 for every document, so leaving it
    # out costs no bias. That is why test_algorithm_1.py compares draw by draw.
    def wrong(matrix: np.ndarray, pi: np.ndarray) -> np.ndarray:
        return (1 / pi.shape[1] - pi) @ (matrix - matrix.mean(axis=1, keepdims=True)).T

    problem = table_problem()
    monkeypatch.setattr(algorithm_1, "merged", wrong)
    assert agrees(literal_draws(problem), problem.exact_gradient[1:])


def test_too_few_draws_to_tell_anything_are_refused() -> None:
    problem = table_problem()
    with pytest.raises(ValueError, match="too few draws"):
        agrees(problem.draws(reinforce, 100), problem.exact_gradient)
