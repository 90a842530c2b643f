"""RankSVM against explicit pairs."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from arsm_l2r.errors import Advice
from arsm_l2r.metrics import LETOR, Judgements, evaluate, means
from arsm_l2r.rankers.baselines.ranksvm import RankSVM, objective, pairwise_squared_hinge

from .queries import Problem, linear_problem


def explicit_pairs(scores: np.ndarray, judgements: Judgements) -> tuple[float, np.ndarray]:
    """The loss and its gradient, one pair at a time."""
    loss, slopes = 0.0, np.zeros_like(scores)
    for start, end in zip(judgements.offsets[:-1], judgements.offsets[1:], strict=True):
        for i in range(start, end):
            for j in range(start, end):
                if judgements.labels[i] > judgements.labels[j]:
                    hinge = max(0.0, 1.0 - (scores[i] - scores[j]))
                    loss += hinge**2
                    slopes[i] -= 2.0 * hinge
                    slopes[j] += 2.0 * hinge
    return loss, slopes


@settings(max_examples=150, deadline=None)
@given(
    group=st.lists(st.integers(1, 7), min_size=1, max_size=5),
    levels=st.integers(1, 5),
    spread=st.sampled_from([0.0, 0.3, 1.0, 10.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_loss_and_gradient_equal_explicit_pairs(
    group: list[int], levels: int, spread: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    judgements = Judgements(random.integers(0, levels, sum(group)), group)
    scores = spread * random.standard_normal(sum(group))
    loss, slopes = pairwise_squared_hinge(scores, judgements)
    expected_loss, expected_slopes = explicit_pairs(scores, judgements)
    assert loss == pytest.approx(expected_loss, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(slopes, expected_slopes, rtol=1e-9, atol=1e-9)


def test_pairs_of_different_queries_do_not_count() -> None:
    one = Judgements([1, 0], [1, 1])
    loss, slopes = pairwise_squared_hinge(np.array([0.0, 5.0]), one)
    assert loss == 0.0
    assert not slopes.any()


def test_objective_is_half_the_squared_norm_plus_cost_times_pairs() -> None:
    features = np.array([[1.0, 0.0], [0.0, 1.0]])
    judgements = Judgements([1, 0], [2])
    weights = np.array([0.25, 0.5])
    value, gradient = objective(weights, features, judgements, cost=3.0)
    hinge = 1.0 - (0.25 - 0.5)
    assert value == pytest.approx((0.25**2 + 0.5**2) / 2 + 3.0 * hinge**2)
    np.testing.assert_allclose(gradient, weights + 3.0 * 2.0 * hinge * np.array([-1.0, 1.0]))


def test_gradient_is_the_derivative_of_the_objective() -> None:
    problem = linear_problem(seed=1, queries=8)
    judgements = Judgements(problem.labels, problem.group)
    features = problem.features.astype(np.float64)
    point = np.random.default_rng(2).standard_normal(features.shape[1])
    error = check_grad(
        lambda w: objective(w, features, judgements, 0.1)[0],
        lambda w: objective(w, features, judgements, 0.1)[1],
        point,
    )
    assert error < 1e-4


def test_it_finds_the_feature_that_matters() -> None:
    problem = linear_problem(seed=3)
    ranker = RankSVM().fit(*problem)
    others = np.abs(ranker.weights_[1:])
    assert ranker.weights_[0] > 5 * others.max()


def test_the_cost_is_chosen_on_validation_data() -> None:
    train, vali = linear_problem(seed=4), linear_problem(seed=5)
    ranker = RankSVM(costs=(1e-3, 1.0, 10.0), select_on="map").fit(*train, eval_set=vali)
    best = ranker.history_["map"].arg_max()
    assert best is not None
    report = ranker.report()
    assert report["selected"] == {"cost": ranker.history_["cost"][best]}
    assert report["grid"] == {"cost": [1e-3, 1.0, 10.0]}
    assert report["epochs"] == 3


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ((), "costs: must have at least 1"),
        ((0.0,), "costs.0: 0.0 must be more than 0"),
        ((-1.0, 1.0), "costs.0: -1.0 must be more than 0"),
    ],
)
def test_costs_must_be_positive(costs: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RankSVM(costs=costs).fit(*linear_problem(seed=0))


def enlarged(problem: Problem, scale: float, features: slice) -> Problem:
    """The same with some features in other units."""
    values = problem.features.copy()
    values[:, features] *= scale
    return problem._replace(features=values)


def reached(ranker: RankSVM, problem: Problem) -> float:
    judgements = Judgements(problem.labels, problem.group)
    return means(evaluate(ranker.predict(problem.features), judgements, LETOR))["map"]


TRAIN, TEST = linear_problem(seed=6), linear_problem(seed=7)
SOME, ALL = slice(2, 3), slice(None)


@pytest.mark.filterwarnings("error")
def test_it_comes_to_the_end_on_scaled_features_without_a_word() -> None:
    assert reached(RankSVM().fit(*TRAIN), TEST) > 0.9


@pytest.mark.parametrize("scale", [1e6, 1e12])
@pytest.mark.parametrize("features", [SOME, ALL], ids=["one feature", "all features"])
def test_features_of_any_scale_are_ranked_as_well_once_they_are_scaled(
    scale: float, features: slice
) -> None:
    train, test = (enlarged(problem, scale, features) for problem in (TRAIN, TEST))
    ranker = RankSVM(feature_scaling="standard")
    expected = reached(ranker.fit(*TRAIN), TEST)
    assert reached(ranker.fit(*train), test) == pytest.approx(expected, abs=1e-3)
    with pytest.warns(Advice, match="has the value .* set feature_scaling to standard"):
        RankSVM().fit(*train)


@pytest.mark.parametrize(("scale", "lost"), [(1e6, 0.0), (1e12, 0.1)])
def test_an_end_that_is_none_is_told(scale: float, lost: float) -> None:
    train, test = (enlarged(problem, scale, SOME) for problem in (TRAIN, TEST))
    with pytest.warns(Advice) as warned:
        ranker = RankSVM(costs=(1e-2, 1e-1)).fit(*train)
    (told,) = (str(each.message) for each in warned if "stopped before" in str(each.message))
    assert re.search(r"C = 0.01 \(\d+ iterations, .*C = 0.1 \(\d+ iterations, ", told)
    assert "set feature_scaling to standard or quantile, or iterations to more than 1000" in told
    assert reached(ranker, test) < reached(RankSVM().fit(*TRAIN), TEST) - lost


def test_too_few_iterations_are_told() -> None:
    with pytest.warns(Advice, match=r"C = 0.1 \(1 iterations, .*iterations to more than 1"):
        RankSVM(costs=(0.1,), iterations=1).fit(*TRAIN)
