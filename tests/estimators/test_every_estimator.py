"""What holds for every estimator."""

from dataclasses import replace

import numpy as np
import pytest

from arsm_l2r.estimators import Estimate, estimator_names, estimator_record
from arsm_l2r.losses import NDCGLoss
from arsm_l2r.tensorflow import tf

from .problems import ranking_problem

PROBLEM = ranking_problem(sizes=(3, 5), levels=4, cutoff=3)
LOSS = NDCGLoss(3)

every_estimator = pytest.mark.parametrize("name", estimator_names())


def estimate(name: str, seed: tuple[int, int] = (1, 2), **changes) -> Estimate:
    """With as many samples as it needs."""
    logits, batch = PROBLEM.repeated(1)
    batch = replace(batch, **changes.pop("batch", {}))
    logits = changes.pop("logits", logits)
    record = estimator_record(name)
    samples = max(2, record.least_samples)
    return record.function(logits, LOSS, batch, tf.constant(seed), samples=samples)


@every_estimator
def test_same_seed_gives_the_same_and_another_seed_another_draw(name: str) -> None:
    first, again, other = estimate(name), estimate(name), estimate(name, seed=(1, 3))
    np.testing.assert_array_equal(first.gradient, again.gradient)
    assert abs(first.gradient - other.gradient).numpy().max() > 1e-6


@every_estimator
def test_filling_documents_have_no_gradient(name: str) -> None:
    _, batch = PROBLEM.repeated(1)
    query = tf.where(batch.query == 1, 2, batch.query)  # five documents become filling ones
    found = estimate(name, batch={"query": query})
    whole = estimate(name)
    assert not found.gradient[3:].numpy().any()
    np.testing.assert_allclose(found.gradient[:3], whole.gradient[:3], atol=1e-12)
    np.testing.assert_allclose(found.losses, [whole.losses[0], 0], atol=1e-12)


@every_estimator
def test_gradient_of_a_query_without_relevant_document_is_0(name: str) -> None:
    _, batch = PROBLEM.repeated(1)
    labels = tf.where(batch.query == 1, 0, batch.labels)
    found = estimate(name, batch={"labels": labels})
    assert not found.gradient[3:].numpy().any()
    assert found.gradient[:3].numpy().any()


@every_estimator
def test_single_precision_stays_single(name: str) -> None:
    logits, _ = PROBLEM.repeated(1)
    found = estimate(name, logits=tf.cast(logits, tf.float32))
    assert found.gradient.dtype == found.losses.dtype == tf.float32


@every_estimator
def test_extreme_logits_give_finite_gradients(name: str) -> None:
    logits, _ = PROBLEM.repeated(1)
    found = estimate(name, logits=tf.cast(1e6 * logits, tf.float32))
    assert np.isfinite(found.gradient).all()
