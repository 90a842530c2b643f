"""AdaRank against rounds worked by hand."""

import numpy as np
import polars as pl
import pytest

from arsm_l2r.metrics import Judgements
from arsm_l2r.rankers.baselines.adarank import AdaRankMAP, AdaRankNDCG, feature_weight

from .queries import linear_problem

# Two queries of two documents. Feature 1 ranks the first query right and the second wrong,
# feature 2 the other way round, feature 3 ranks both wrong.
FEATURES = np.array([[1.0, 0.2, 0.0], [0.0, 0.3, 1.0], [0.2, 1.0, 0.0], [0.3, 0.0, 1.0]])
LABELS = np.array([1, 0, 1, 0])
GROUP = np.array([2, 2])
RIGHT, WRONG = 1.0, 0.5  # average precision with the relevant document first, and second


def test_first_rounds_are_those_worked_by_hand() -> None:
    ranker = AdaRankMAP(rounds=2).fit(FEATURES, LABELS, GROUP)
    # Round 1: features 1 and 2 tie with 3/4, the first is taken.
    first = 0.5 * np.log((1 + (RIGHT + WRONG) / 2) / (1 - (RIGHT + WRONG) / 2))
    # The ensemble ranks query 1 right (1.0 against 0.0) and query 2 wrong (0.2 against 0.3).
    weights = np.exp([-RIGHT, -WRONG])
    weights /= weights.sum()
    # Round 2: feature 2, right on query 2 that now weighs more.
    performance = np.array([WRONG, RIGHT])
    second = 0.5 * np.log((weights @ (1 + performance)) / (weights @ (1 - performance)))
    assert ranker.history_["feature"].to_list() == [1, 2]
    np.testing.assert_allclose(ranker.history_["weight"], [first, second])
    np.testing.assert_allclose(ranker.history_["objective"], [0.75, 1.0])
    np.testing.assert_allclose(ranker.weights_, [first, second, 0.0])


def test_it_ends_when_no_feature_helps() -> None:
    ranker = AdaRankMAP(rounds=50).fit(FEATURES, LABELS, GROUP)
    assert ranker.history_.height == 2  # both queries are ranked right


def test_the_algorithm_as_published_may_take_one_feature_for_ever() -> None:
    problem = linear_problem(seed=1)
    ranker = AdaRankMAP(rounds=20, set_aside=False).fit(*problem)
    assert ranker.history_.height == 20
    assert ranker.history_["feature"].to_list() == [1] * 20


def test_setting_aside_never_lowers_the_training_performance() -> None:
    ranker = AdaRankNDCG(rounds=30).fit(*linear_problem(seed=2))
    raised = ranker.history_["objective"].diff().drop_nulls()
    assert (raised > 0).all()


def test_the_round_is_selected_on_validation_data() -> None:
    train, vali = linear_problem(seed=3), linear_problem(seed=4)
    ranker = AdaRankMAP(select_on="ndcg@5").fit(*train, eval_set=vali)
    best = ranker.history_["ndcg@5"].arg_max()
    assert best is not None
    assert ranker.selected_epoch_ == best + 1
    chosen = ranker.history_.head(best + 1).group_by("feature").agg(pl.col("weight").sum())
    for feature, weight in chosen.iter_rows():
        assert ranker.weights_[feature - 1] == pytest.approx(weight)


def test_weight_of_a_feature_is_finite_even_if_it_is_perfect() -> None:
    assert np.isfinite(feature_weight(np.ones(3), np.full(3, 1 / 3)))
    assert feature_weight(np.zeros(3), np.full(3, 1 / 3)) == 0.0


def test_ndcg_is_boosted_at_its_cutoff() -> None:
    # Feature 2 puts the best document first; feature 1 puts it second, but has the rest right.
    features = np.array([[0.9, 1.0], [1.0, 0.1], [0.8, 0.2], [0.1, 0.9]])
    labels = np.array([2, 1, 1, 0])
    assert Judgements(labels, [4]).queries == 1
    at_one = AdaRankNDCG(cutoff=1, rounds=1).fit(features, labels, [4])
    assert at_one.history_["feature"].to_list() == [2]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measure": "err"}, "measure: must be one of map, not 'err'"),
        ({"rounds": 0}, "rounds: 0 is less than the minimum of 1"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AdaRankMAP(**settings).fit(FEATURES, LABELS, GROUP)  # type: ignore[arg-type]


def test_map_is_boosted_by_what_is_relevant() -> None:
    # Feature 1 puts the document of label 2 first, feature 2 the two of label 1.
    features = np.array([[1.0, 0.1], [0.2, 1.0], [0.1, 0.9]])
    labels = np.array([2, 1, 1])
    features = np.vstack([features, [[0.5, 0.0]]])
    labels = np.append(labels, 0)
    from_1 = AdaRankMAP(rounds=1).fit(features, labels, [4])
    from_2 = AdaRankMAP(rounds=1, relevant_from=2).fit(features, labels, [4])
    assert from_1.history_["feature"].to_list() == [2]
    assert from_1.history_["objective"].to_list() == [1]
    assert from_2.history_["feature"].to_list() == [1]
    assert from_2.history_["objective"].to_list() == [1]
