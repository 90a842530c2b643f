"""Scores do not depend on how many threads compute them."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from arsm_l2r.rankers.arsm import ARSMRanker
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.training.network import initial_weights


def ranker() -> ARSMRanker:
    """One with weights as large networks have them before training."""
    made = ARSMRanker(hidden=(500,))
    made._weights = initial_weights(46, (500,), 20, seed=0)
    made._scaling = fitted_scaling(np.zeros((1, 46), np.float32), "none")
    made.n_features_in_ = 46
    return made


@pytest.mark.parametrize("method", ["predict", "predict_logits"])
def test_scores_are_the_same_for_any_number_of_threads(method: str) -> None:
    features = np.random.default_rng(0).random((1270, 46), dtype=np.float32)
    found = []
    for threads in (1, 2, 4):
        with threadpool_limits(limits=threads, user_api="blas"):
            found.append(getattr(ranker(), method)(features).tobytes())
    assert len(set(found)) == 1


def test_the_number_of_threads_is_as_before_afterwards() -> None:
    before = [each["num_threads"] for each in threadpool_info()]
    ranker().predict(np.zeros((3, 46)))
    assert [each["num_threads"] for each in threadpool_info()] == before
