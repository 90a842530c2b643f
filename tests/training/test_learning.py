"""Training learns what a linear model cannot."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV

from arsm_l2r import ARSMRanker
from arsm_l2r.letor.store import Fold, RankingData, read_fold
from arsm_l2r.metrics import PAPER, Judgements, evaluate, means


@pytest.fixture(scope="module")
def fold(synthetic_parts: Path) -> Fold:
    return read_fold(synthetic_parts, 1)


def ndcg_at_10(scores: np.ndarray, data: RankingData) -> float:
    return means(evaluate(scores, Judgements(data.labels, data.group), PAPER))["ndcg@10"]


# The numbers of epochs were chosen on the validation part: there ARSM still gains after 60.
@pytest.mark.parametrize(("estimator", "epochs"), [("arsm", 120), ("local-expectation", 60)])
def test_network_ranks_better_than_linear_regression(
    fold: Fold, estimator: str, epochs: int
) -> None:
    train, vali, test = fold.train, fold.vali, fold.test
    ranker = ARSMRanker(estimator=estimator, epochs=epochs, learning_rate=3e-3)
    ranker.fit(
        train.features,
        train.labels,
        train.group,
        eval_set=(vali.features, vali.labels, vali.group),
    )
    linear = RidgeCV(alphas=np.logspace(-3, 3, 7)).fit(train.features, train.labels)
    margin = ndcg_at_10(ranker.predict(test.features), test) - ndcg_at_10(
        linear.predict(test.features), test
    )
    assert margin > 0.05
