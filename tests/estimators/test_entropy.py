"""The entropy bonus against differentiation of the whole objective, by enumeration."""

from dataclasses import replace

import numpy as np
import pytest

from arsm_l2r.estimators import Estimate, estimator_names, estimator_record, with_entropy
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf

from .problems import Problem, ranking_problem, softmax

PROBLEM = ranking_problem(sizes=(2, 3), levels=3, cutoff=2)


def objective(problem: Problem, logits: list[np.ndarray], weight: float) -> float:
    """Σ over queries of E[loss] - weight · mean entropy / ln C, by its definition."""
    total = 0.0
    for own, loss in zip(logits, problem.definition, strict=True):
        documents, count = own.shape
        p = softmax(own)
        for levels in np.ndindex(*[count] * documents):
            total += p[np.arange(documents), list(levels)].prod() * loss(levels)
        total -= weight * np.mean(-(p * np.log(p)).sum(axis=1)) / np.log(count)
    return total


def differentiated(problem: Problem, weight: float, step: float = 1e-5) -> np.ndarray:
    """(documents, C) central differences of the objective."""
    gradient = []
    for query, own in enumerate(problem.logits):
        for place in np.ndindex(own.shape):
            values = []
            for sign in (1, -1):
                moved = [each.copy() for each in problem.logits]
                moved[query][place] += sign * step
                values.append(objective(problem, moved, weight))
            gradient.append((values[0] - values[1]) / (2 * step))
    return np.array(gradient).reshape(-1, problem.levels)


def nothing(logits: tf.Tensor, batch: Batch) -> Estimate:
    """The estimate of a loss that is always 0."""
    return Estimate(tf.zeros_like(logits), tf.zeros([batch.queries], logits.dtype))


def equal_queries(documents: int, levels: int, entropy: float) -> tuple[tf.Tensor, Batch]:
    """A query whose documents are all certain (0) or all even (1)."""
    row = np.zeros(levels) if entropy else np.append(50.0, np.zeros(levels - 1))
    none = tf.zeros(documents, tf.int32)
    return tf.constant(np.tile(row, (documents, 1))), Batch(none, none, 1, levels, 3)


@pytest.mark.parametrize("weight", [0.0, 0.1, 2.0])
def test_gradient_is_the_derivative_of_the_whole_objective(weight: float) -> None:
    logits, batch = PROBLEM.repeated(1)
    exact = nothing(logits, batch)._replace(gradient=tf.constant(PROBLEM.exact_gradient))
    found = with_entropy(exact, logits, batch, weight)
    np.testing.assert_allclose(found.gradient, differentiated(PROBLEM, weight), atol=1e-8)


@pytest.mark.parametrize("name", estimator_names())
def test_every_estimator_plus_the_bonus_is_unbiased(name: str) -> None:
    record = estimator_record(name)
    logits, batch = PROBLEM.repeated(4000)
    loss, samples = PROBLEM.loss(4000), max(1, record.least_samples)
    estimate = record.function(logits, loss, batch, tf.constant([3, 4]), samples=samples)
    found = with_entropy(estimate, logits, batch, 1.0).gradient.numpy()
    draws = found.reshape(4000, -1, PROBLEM.levels)
    error = draws.std(axis=0) / np.sqrt(len(draws))
    off = draws.mean(axis=0) - differentiated(PROBLEM, 1.0)
    assert (abs(off) < 5 * error + 1e-8).all()


def test_losses_stay_apart_from_the_entropy() -> None:
    logits, batch = PROBLEM.repeated(1)
    losses = tf.constant([0.25, -0.5], tf.float64)
    found = with_entropy(nothing(logits, batch)._replace(losses=losses), logits, batch, 3.0)
    np.testing.assert_array_equal(found.losses, losses)
    means = [-(p * np.log(p)).sum(axis=1).mean() / np.log(3) for p in map(softmax, PROBLEM.logits)]
    np.testing.assert_allclose(found.noted["entropy"], means)


@pytest.mark.parametrize("levels", [2, 20])
@pytest.mark.parametrize("documents", [10, 150])
@pytest.mark.parametrize("entropy", [0.0, 1.0])
def test_entropy_lies_between_0_and_1_for_any_number_of_documents_and_levels(
    documents: int, levels: int, entropy: float
) -> None:
    logits, batch = equal_queries(documents, levels, entropy)
    found = with_entropy(nothing(logits, batch), logits, batch, 1.0)
    np.testing.assert_allclose(found.noted["entropy"], [entropy], atol=1e-12)


def test_a_weight_means_the_same_for_short_and_long_queries() -> None:
    """Ten times the documents share the same whole: each is pushed a tenth as much."""
    row = tf.constant([[0.3, -1.0, 2.0]], tf.float64)
    pushed = []
    for documents in (10, 100):
        none = tf.zeros(documents, tf.int32)
        logits, batch = tf.repeat(row, documents, axis=0), Batch(none, none, 1, 3, 3)
        pushed.append(with_entropy(nothing(logits, batch), logits, batch, 0.5).gradient.numpy())
    np.testing.assert_allclose(pushed[0].sum(axis=0), pushed[1].sum(axis=0))


def test_weight_0_leaves_the_gradient_alone() -> None:
    logits, batch = PROBLEM.repeated(1)
    estimate = nothing(logits, batch)._replace(gradient=logits)
    assert with_entropy(estimate, logits, batch, 0.0).gradient is logits


def test_filling_documents_are_pushed_nowhere_and_count_for_nothing() -> None:
    logits, batch = PROBLEM.repeated(1)
    filled = replace(batch, query=tf.where(batch.query == 1, 2, batch.query))
    found = with_entropy(nothing(logits, filled), logits, filled, 1.0)
    whole = with_entropy(nothing(logits, batch), logits, batch, 1.0)
    assert not found.gradient[2:].numpy().any()
    np.testing.assert_allclose(found.gradient[:2], whole.gradient[:2])
    np.testing.assert_allclose(found.noted["entropy"], [whole.noted["entropy"][0], 0])


def test_certain_levels_give_finite_gradients() -> None:
    logits, batch = PROBLEM.repeated(1, tf.float32)
    found = with_entropy(nothing(logits, batch), 1e6 * logits, batch, 1.0)
    assert np.isfinite(found.gradient).all()
    assert np.isfinite(found.noted["entropy"]).all()
    assert found.gradient.dtype == tf.float32
