"""Other scores from the same weights, random order, and gradients along training."""

from dataclasses import replace

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.estimators import estimator_names
from arsm_l2r.experiments.gradient_study import agreement, agreement_of_zero, gradients_in_training
from arsm_l2r.experiments.rescoring import chance, rescored, untrained
from arsm_l2r.experiments.scatter import Scatter
from arsm_l2r.letor.store import Fold, RankingData
from arsm_l2r.metrics import LETOR, Judgements, evaluate
from arsm_l2r.rankers.scoring import SCORINGS

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


@pytest.mark.slow
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


def test_the_best_of_many_untrained_networks_is_selected_on_validation_data() -> None:
    ranker = ARSMRanker(**SETTINGS)
    # Selected on the very documents that are measured, more to choose from cannot be worse.
    fold = Fold(train=DATA, vali=DATA, test=DATA)
    first, best = (untrained(ranker, fold, "untrained", count=count, seed=0) for count in (1, 40))
    assert best["qid"].to_list() == [5, 3, 9]
    assert set(best["name"]) == {"untrained"}
    means = [table.drop("name", "qid").to_numpy().mean() for table in (first, best)]
    assert means[1] > means[0]


@pytest.mark.slow
def test_gradients_are_measured_at_every_stage_for_every_estimator() -> None:
    found = gradients_in_training(DATA, SETTINGS, queries=2, draws=30, seed=0, threads=None)
    assert list(found["stage"].unique(maintain_order=True)) == ["start", "middle", "end"]
    for (_,), own in found.group_by("stage"):
        assert sorted(own["estimator"]) == sorted(estimator_names())
    values = dict(zip(found["estimator"], found["variance"], strict=True))
    assert values["local-expectation"] < values["arsm"] < values["reinforce"]
    assert (found.filter(estimator="arsm")["agreement"] < 2).all()


def scattered(mean: np.ndarray, draws: np.ndarray) -> Scatter:
    values = mean + draws
    return Scatter(1.0, 1.0, values.mean(axis=0), values.std(axis=0, ddof=1) / len(draws) ** 0.5)


def test_agreement_is_about_1_for_equal_means_and_large_for_others() -> None:
    draw = np.random.default_rng(1)
    mean = draw.normal(0, 0.1, 1000)
    # Most entries are hardly ever drawn: their errors are 0, or far too small.
    rare = draw.random((2, 300, 1000)) < np.geomspace(1e-5, 0.5, 1000)
    noise = np.where(rare, draw.normal(0, 1, rare.shape), 0)
    one, two = (scattered(mean, each) for each in noise)
    assert agreement(one, two) == pytest.approx(1.0, abs=0.25)
    assert agreement(replace(one, mean=0.8 * one.mean), two) > 1.2
    assert agreement(replace(one, mean=one.mean + 1), two) > 10
    assert agreement(one, one) == 0


def test_what_a_mean_of_zero_would_score_tells_whether_a_bias_could_be_seen() -> None:
    draw = np.random.default_rng(1)
    one, two = (
        scattered(np.zeros(1000), draw.normal(0, 1, (300, 1000))),
        scattered(draw.normal(0, 0.1, 1000), draw.normal(0, 0.1, (300, 1000))),
    )
    assert agreement(one, two) == pytest.approx(agreement_of_zero(one, two), rel=0.1)
    assert agreement_of_zero(one, two) > 2
    assert agreement_of_zero(one, replace(two, mean=two.mean / 100)) == pytest.approx(1, abs=0.01)


@pytest.mark.slow
def test_what_is_relevant_is_what_the_ranker_was_told(ranker: ARSMRanker) -> None:
    other = ARSMRanker(**SETTINGS, relevant_from=2).fit(DATA.features, DATA.labels, DATA.group)
    judgements = Judgements(DATA.labels, DATA.group, relevant_from=2)
    expected = evaluate(other.predict(DATA.features), judgements, LETOR)["map"]
    np.testing.assert_allclose(rescored(other, DATA, ["linear"])["map"], expected)
    assert (chance(DATA, "chance", 2)["map"] < chance(DATA, "chance")["map"]).all()
    fold = Fold(DATA, DATA, DATA)
    usual, from_2 = (
        untrained(each, fold, "untrained", count=1, seed=0) for each in (ranker, other)
    )
    assert usual["ndcg@10"].equals(from_2["ndcg@10"])  # the same network
    assert not usual["map"].equals(from_2["map"])
