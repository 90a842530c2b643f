"""`ARSMRanker` where scikit-learn, LightGBM and PyTerrier expect a ranker."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
import sklearn
from lightgbm import LGBMRanker
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from arsm_l2r import ARSMRanker
from arsm_l2r.metrics import PAPER, Judgements, evaluate, means

pytestmark = pytest.mark.slow

SMALL = {"epochs": 6, "hidden": (8,), "levels": 4, "learning_rate": 0.05}


def queries(seed: int, count: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of which the second tells the labels, the labels, and each document's query."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(4, 9, count)
    features = draw.random((sizes.sum(), 3))
    return features, np.digitize(features[:, 1], [0.5, 0.8]), np.repeat(np.arange(count), sizes)


class OneQuery(ARSMRanker):
    """What scikit-learn's checks call: they know of no queries, so all documents are of one.

    Left out of `fit` on purpose in `ARSMRanker` itself: to forget the queries is an error.
    """

    def fit(self, X: Any, y: Any, group: Any = None, **options: Any) -> "OneQuery":  # noqa: N803
        known = group is not None or options.get("qid") is not None
        sizes = group if known or y is None else [np.shape(y)[0]]
        return super().fit(X, y, sizes, **{**options, "verbose": False})

    def score(self, X: Any, y: Any, group: Any = None, **options: Any) -> float:  # noqa: N803
        return super().score(X, y, [np.shape(y)[0]] if group is None else group, **options)


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([OneQuery(epochs=1, hidden=(4,), levels=3)])
def test_every_check_of_scikit_learn_passes(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def test_queries_that_are_forgotten_are_an_error() -> None:
    features, labels, qid = queries(0)
    with pytest.raises(ValueError, match="give either group or qid"):
        ARSMRanker(**SMALL).fit(features, labels)
    with pytest.raises(ValueError, match="give either group or qid"):
        ARSMRanker(**SMALL).fit(features, labels, qid=qid, verbose=False).score(features, labels)


def test_score_is_the_mean_ndcg_at_10() -> None:
    features, labels, qid = queries(0)
    ranker = ARSMRanker(**SMALL).fit(features, labels, qid=qid, verbose=False)
    group = np.unique(qid, return_counts=True)[1]
    expected = evaluate(ranker.predict(features), Judgements(labels, group), PAPER, ["ndcg@10"])
    assert ranker.score(features, labels, qid=qid) == means(expected)["ndcg@10"]
    assert ranker.score(features, labels, group) == means(expected)["ndcg@10"]


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_a_grid_is_searched_with_queries_kept_whole(routing: None) -> None:
    features, labels, qid = queries(0)
    ranker = ARSMRanker(**SMALL).set_fit_request(qid=True, verbose=True)
    search = GridSearchCV(
        ranker.set_score_request(qid=True),
        {"learning_rate": [1e-6, 0.05]},
        cv=GroupKFold(3),
        error_score="raise",
    )
    search.fit(features, labels, qid=qid, groups=qid, verbose=False)
    assert search.best_params_ == {"learning_rate": 0.05}
    assert search.best_score_ > 0.8


def test_a_grid_may_have_numbers_of_numpy(routing: None) -> None:
    features, labels, qid = queries(0)
    ranker = ARSMRanker(**SMALL).set_fit_request(qid=True).set_score_request(qid=True)
    grid = {"epochs": np.arange(1, 3), "entropy": np.linspace(0, 0.2, 2, dtype=np.float32)}
    search = GridSearchCV(ranker, grid, cv=GroupKFold(2), error_score="raise")
    assert search.fit(features, labels, qid=qid, groups=qid).best_score_ > 0.5


def test_scores_of_cross_validation(routing: None) -> None:
    features, labels, qid = queries(0)
    ranker = ARSMRanker(**SMALL).set_fit_request(qid=True).set_score_request(qid=True)
    params = {"qid": qid, "groups": qid}
    found = cross_val_score(ranker, features, labels, cv=GroupKFold(3), params=params)
    assert found.shape == (3,)
    assert found.min() > 0.6


def test_importance_is_that_of_the_feature_which_tells_the_labels() -> None:
    features, labels, qid = queries(0)
    ranker = ARSMRanker(**SMALL).fit(features, labels, qid=qid, verbose=False)

    def ndcg(fitted: Any, table: Any, y: Any) -> float:
        return float(fitted.score(table, y, qid=qid))

    found = permutation_importance(ranker, features, labels, scoring=ndcg, random_state=0)
    assert found.importances_mean.argmax() == 1


def test_it_stands_where_lightgbms_ranker_stands() -> None:
    train, vali, test = queries(0, 40), queries(1), queries(2, 30)
    groups = [np.unique(each[2], return_counts=True)[1] for each in (train, vali, test)]
    rankers = [
        LGBMRanker(n_estimators=20, min_child_samples=2, verbose=-1),
        ARSMRanker(**SMALL),
    ]
    for ranker in rankers:
        ranker.fit(
            train[0],
            train[1],
            group=groups[0],
            eval_set=[(vali[0], vali[1])],
            eval_group=[groups[1]],
        )
        scores = ranker.predict(test[0])
        judged = evaluate(scores, Judgements(test[1], groups[2]), PAPER, ["ndcg@10"])
        assert means(judged)["ndcg@10"] > 0.9, type(ranker).__name__


def test_it_is_the_last_stage_of_a_pipeline_of_pyterrier() -> None:

    def frames(seed: int) -> tuple[Any, Any]:
        """What a pipeline hands on: results with features, and judgements; labels of some only."""
        features, labels, qid = queries(seed)
        names = [f"d{number}" for number in range(len(labels))]
        results = pd.DataFrame({"qid": qid.astype(str), "docno": names, "query": "some words"})
        results["score"] = results["rank"] = 0.0
        results["features"] = list(features)
        qrels = results[["qid", "docno"]].assign(label=labels)
        return results, qrels[qrels["label"] > 0]

    learner = pt.ltr.apply_learned_model(ARSMRanker(**SMALL), form="ltr")
    learner.fit(*frames(0), *frames(1))
    results, _ = frames(2)
    ranked = learner.transform(results)
    scores = learner.learner.predict(np.stack(ranked["features"]))
    np.testing.assert_array_equal(ranked["score"], scores)
    first = ranked[ranked["rank"] == ranked["rank"].min()]
    assert np.stack(first["features"])[:, 1].mean() > 0.7
