"""Queries of any number and length are no special cases."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.errors import Advice
from arsm_l2r.metrics import PAPER, Judgements, evaluate, means
from arsm_l2r.rankers.baselines.adarank import AdaRankMAP, AdaRankNDCG
from arsm_l2r.rankers.baselines.lambdamart import LambdaMART
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.rankers.baselines.ranksvm import RankSVM

from .queries import Problem

MAKERS: dict[str, Callable[[], Any]] = {
    "ranksvm": lambda: RankSVM(costs=(1e-2,), iterations=20, select_by="paper"),
    "adarank-map": lambda: AdaRankMAP(rounds=2, select_by="paper"),
    "adarank-ndcg": lambda: AdaRankNDCG(rounds=2, select_by="paper"),
    "lambdamart": lambda: LambdaMART(trees=10, least_in_leaf=5, select_by="paper"),
    "listnet": lambda: ListNet(
        epochs=10, learning_rate=0.05, queries_per_batch=16, select_by="paper"
    ),
    "arsm": lambda: ARSMRanker(
        estimator="arsm", hidden=(8,), levels=5, epochs=2, learning_rate=0.01
    ),
    "local-expectation": lambda: ARSMRanker(hidden=(8,), levels=5, epochs=2, learning_rate=0.01),
}
NETWORKS = ("listnet", "arsm", "local-expectation")

every_ranker = pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name, marks=pytest.mark.slow if name in NETWORKS else ())
        for name, make in MAKERS.items()
    ],
)


def easy(group: np.ndarray) -> Problem:
    """Labels that the first of three features tells, but for some noise."""
    draw = np.random.default_rng(0)
    features = draw.random((int(group.sum()), 3), dtype=np.float32)
    worth = features[:, 0] + 0.1 * draw.normal(size=len(features))
    return Problem(features, np.digitize(worth, [0.6, 0.9]), group)


def ndcg_of(ranker: Any, problem: Problem) -> float:
    scores = ranker.predict(problem.features)
    judged = Judgements(problem.labels, problem.group)
    return means(evaluate(scores, judged, PAPER))["ndcg@10"]


@every_ranker
def test_a_query_of_5000_documents_stands_beside_short_ones(make: Callable[[], Any]) -> None:
    problem = easy(np.array([20] * 30 + [5000] + [1, 2, 20, 20]))
    ranker = make().fit(*problem, eval_set=problem)
    assert ndcg_of(ranker, problem) > 0.8


@every_ranker
def test_twenty_thousand_queries_of_three_documents(make: Callable[[], Any]) -> None:
    problem = easy(np.full(20_000, 3))
    ranker = make().fit(*problem, eval_set=problem)
    # In random order: about 0.5, since a third of the queries have no relevant document.
    best = means(evaluate(problem.labels, Judgements(problem.labels, problem.group), PAPER))
    assert ndcg_of(ranker, problem) > 0.97 * best["ndcg@10"]


def test_lists_too_short_for_letors_measures_are_told() -> None:
    problem = easy(np.full(200, 3))
    with pytest.warns(Advice, match="validation ndcg@10 of every candidate is 0.* select_by"):
        LambdaMART(trees=3, least_in_leaf=5).fit(*problem, eval_set=problem)
