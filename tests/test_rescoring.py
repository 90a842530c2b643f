"""Other scores from the same weights, random order, and gradients along training."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.estimators import ESTIMATORS
from arsm_l2r.estimators.variance import Scatter
from arsm_l2r.gradient_study import agreement, gradients_in_training
from arsm_l2r.letor.store import RankingData
from arsm_l2r.metrics import LETOR, Judgements, evaluate
from arsm_l2r.rescoring import chance, rescored
from arsm_l2r.scoring import SCORINGS

DRAW = np.random.default_rng(0)
GROUP = np.array([12, 15, 11])
FEATURES = DRAW.random((GROUP.sum(), 4), dtype=np.float32)
DATA = RankingData(
    features=FEATURES,
    labels=np.digitize(FEATURES[:, 0], [0.5, 0.8]),
    group=GROUP,
    qids=np.array([5, 3, 9]),
    fingerprint="",
)
SETTINGS = {"epochs": 2, "hidden": (8,), "levels": 5, "learning_rate": 1e-2}


@pytest.fixture(scope="module")
def ranker() -> ARSMRanker:
    return ARSMRanker(**SETTINGS).fit(DATA.features, DATA.labels, DATA.group)


def test_each_scoring_is_measured_as_a_ranker_with_it_would_be(ranker: ARSMRanker) -> None:
    found = rescored(ranker, DATA, list(SCORINGS))
    for scoring in SCORINGS:
        other = ARSMRanker(**SETTINGS, scoring=scoring)
        other.fit(DATA.features, DATA.labels, DATA.group)
        judgements = Judgements(DATA.labels, DATA.group)
        expected = evaluate(other.predict(DATA.features), judgements, LETOR)
        own = found.filter(name=scoring)
        assert own["qid"].to_list() == [5, 3, 9]
        for measure, values in expected.items():
            np.testing.assert_allclose(own[measure], values)


def test_chance_is_the_mean_over_random_orders() -> None:
    found = chance(DATA, "chance")
    judgements = Judgements(DATA.labels, DATA.group)
    draws = [
        evaluate(DRAW.random(len(DATA.labels)), judgements, LETOR)["ndcg@10"] for _ in range(2000)
    ]
    error = np.std(draws, axis=0) / np.sqrt(len(draws))
    assert (abs(found["ndcg@10"].to_numpy() - np.mean(draws, axis=0)) < 4 * error).all()


def test_gradients_are_measured_at_every_stage_for_every_estimator() -> None:
    found = gradients_in_training(DATA, SETTINGS, queries=2, draws=30, seed=0, threads=None)
    assert list(found["stage"].unique(maintain_order=True)) == ["start", "middle", "end"]
    for (_,), own in found.group_by("stage"):
        assert sorted(own["estimator"]) == sorted(ESTIMATORS)
    values = dict(zip(found["estimator"], found["variance"], strict=True))
    assert values["local-expectation"] < values["arsm"] < values["reinforce"]
    assert (found["agreement"] < inf).all()


def test_agreement_is_about_1_for_equal_means_and_large_for_others() -> None:
    mean = np.zeros((200, 5))
    error = np.full_like(mean, 0.1)
    draw = np.random.default_rng(1)
    one, two = (Scatter(1.0, 1.0, mean + draw.normal(0, 0.1, mean.shape), error) for _ in range(2))
    assert agreement(one, two) == pytest.approx(1.0, abs=0.2)
    assert agreement(replace(one, mean=one.mean + 1), two) > 10
    assert agreement(one, one) == 0
