"""Each estimator draw by draw, against its equation written plainly."""

import numpy as np
import pytest

from arsm_l2r.estimators import (
    ar,
    ars,
    estimator_by_name,
    estimator_names,
    estimator_record,
    local_expectation,
    reinforce,
    reinforce_leave_one_out,
)
from arsm_l2r.estimators.estimate import sampled_levels, split_seed, standard_exponentials
from arsm_l2r.tensorflow import tf

from . import algorithm_1
from .problems import Problem, softmax, table_problem

PROBLEM = table_problem()
SEED = tf.constant([1, 2])
SIZES = [len(logits) for logits in PROBLEM.logits]
QUERY = np.repeat(np.arange(len(SIZES)), SIZES)
PHI = np.concatenate(PROBLEM.logits)


def losses(levels: np.ndarray, problem: Problem = PROBLEM) -> np.ndarray:
    """(queries,) by definition."""
    pieces = np.split(levels, np.cumsum(SIZES)[:-1])
    pairs = zip(problem.definition, pieces, strict=True)
    return np.array([definition(piece) for definition, piece in pairs])


def pi_of(seed: tf.Tensor) -> np.ndarray:
    exponentials = standard_exponentials(seed, tf.constant(PHI)).numpy()
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def estimate(estimator, **options) -> np.ndarray:
    logits, batch = PROBLEM.repeated(1)
    return estimator(logits, PROBLEM.loss(1), batch, SEED, **options)


def score(levels: np.ndarray) -> np.ndarray:
    return np.eye(PROBLEM.levels)[levels] - softmax(PHI)


def test_reinforce_is_the_loss_times_the_score_function() -> None:
    levels = algorithm_1.levels(PHI, pi_of(SEED))
    found = estimate(reinforce)
    np.testing.assert_allclose(found.gradient, losses(levels)[QUERY][:, None] * score(levels))
    np.testing.assert_allclose(found.losses, losses(levels))


def test_leave_one_out_takes_off_the_mean_of_the_other_samples() -> None:
    samples = [algorithm_1.levels(PHI, pi_of(each)) for each in split_seed(SEED, 3)]
    by_sample = np.array([losses(levels) for levels in samples])
    expected = np.zeros_like(PHI)
    for number, levels in enumerate(samples):
        others = np.delete(by_sample, number, axis=0).mean(axis=0)
        expected += (by_sample[number] - others)[QUERY][:, None] * score(levels) / 3
    found = estimate(reinforce_leave_one_out, samples=3)
    np.testing.assert_allclose(found.gradient, expected, atol=1e-12)
    np.testing.assert_allclose(found.losses, by_sample.mean(axis=0))


def test_ar_is_equation_3() -> None:
    pi = pi_of(SEED)
    loss = losses(algorithm_1.levels(PHI, pi))[QUERY]
    np.testing.assert_allclose(
        estimate(ar).gradient, loss[:, None] * (1 - PROBLEM.levels * pi), atol=1e-12
    )


@pytest.mark.parametrize("reference", range(3))
def test_ars_is_equation_4(reference: int) -> None:
    pi, count = pi_of(SEED), PROBLEM.levels
    by_category = np.array(
        [
            losses(algorithm_1.levels(PHI, algorithm_1.swapped(pi, c, reference)))
            for c in range(count)
        ]
    )
    difference = (by_category - by_category.mean(axis=0)).T[QUERY]  # (documents, C)
    found = estimate(ars, reference=reference)
    np.testing.assert_allclose(
        found.gradient, difference * (1 - count * pi[:, [reference]]), atol=1e-12
    )
    np.testing.assert_allclose(found.losses, by_category[reference])


def test_random_reference_takes_every_category() -> None:
    logits, batch = PROBLEM.repeated(1)
    loss, references = PROBLEM.loss(1), set()
    for number in range(30):
        seed = tf.constant([number, 0])
        found = ars(logits, loss, batch, seed).gradient.numpy()
        matches = [
            reference
            for reference in range(PROBLEM.levels)
            if np.allclose(found, ars(logits, loss, batch, seed, reference=reference).gradient)
        ]
        assert matches
        references |= {matches[0]} if len(matches) == 1 else set()
    assert references == set(range(PROBLEM.levels))


def test_local_expectation_sums_over_each_documents_own_level() -> None:
    levels = algorithm_1.levels(PHI, pi_of(SEED))
    probabilities = softmax(PHI)
    expected = np.empty_like(PHI)
    for document, own in enumerate(QUERY):
        by_level = []
        for level in range(PROBLEM.levels):
            moved = levels.copy()
            moved[document] = level
            by_level.append(losses(moved)[own])
        mean = probabilities[document] @ by_level
        expected[document] = probabilities[document] * (np.array(by_level) - mean)
    found = estimate(local_expectation)
    np.testing.assert_allclose(found.gradient, expected, atol=1e-12)
    np.testing.assert_allclose(found.losses, losses(levels))


@pytest.mark.parametrize(
    "name", [name for name in estimator_names() if estimator_record(name).least_samples == 1]
)
def test_samples_are_averaged(name: str) -> None:
    logits, batch = PROBLEM.repeated(1)
    estimator, loss = estimator_by_name(name), PROBLEM.loss(1)
    single = [estimator(logits, loss, batch, seed) for seed in split_seed(SEED, 3)]
    averaged = estimator(logits, loss, batch, SEED, samples=3)
    np.testing.assert_allclose(
        averaged.gradient, np.mean([one.gradient for one in single], axis=0), atol=1e-12
    )
    np.testing.assert_allclose(averaged.losses, np.mean([one.losses for one in single], axis=0))


def test_levels_are_drawn_with_the_probabilities_of_the_softmax() -> None:
    logits = np.log([0.5, 0.3, 0.15, 0.05]) + 3
    draws = 100_000
    levels = sampled_levels(SEED, tf.constant(np.tile(logits, (draws, 1)))).numpy()
    shares = np.bincount(levels, minlength=4) / draws
    np.testing.assert_allclose(shares, [0.5, 0.3, 0.15, 0.05], atol=4.5 * np.sqrt(0.25 / draws))


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_exponentials_are_positive_and_standard(dtype: tf.DType) -> None:
    values = standard_exponentials(SEED, tf.zeros((200_000, 2), dtype)).numpy()
    assert (values > 0).all()
    assert np.isfinite(values).all()
    error = 4.5 / np.sqrt(values.size)
    for limit in (0.1, 0.5, 1, 2, 5):
        assert np.mean(values > limit) == pytest.approx(np.exp(-limit), abs=error)
    assert np.mean(values[:, 0] * values[:, 1]) == pytest.approx(1, abs=4 * error)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_rarest_uniform_number_gives_a_finite_positive_exponential(
    dtype: tf.DType, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def uniform(shape, seed, minval, maxval, dtype, alg) -> tf.Tensor:
        below = np.nextafter(dtype.as_numpy_dtype(maxval), dtype.as_numpy_dtype(0))
        return tf.fill(shape, tf.constant(minval if end == "lowest" else below, dtype))

    monkeypatch.setattr(tf.random, "stateless_uniform", uniform)
    value = standard_exponentials(SEED, tf.zeros((1, 1), dtype)).numpy().item()
    assert 0 < value < np.inf
    assert np.isfinite(np.log(value))


@pytest.mark.parametrize("name", estimator_names())
def test_too_few_samples_are_refused(name: str) -> None:
    few = estimator_record(name).least_samples - 1
    with pytest.raises(ValueError, match=f"at least .*not {few}"):
        estimate(estimator_by_name(name), samples=few)


@pytest.mark.parametrize("reference", [-1, 3])
def test_reference_that_is_no_category_is_refused(reference: int) -> None:
    with pytest.raises(ValueError, match=f"reference category {reference} is not in 0 … 2"):
        estimate(ars, reference=reference)
