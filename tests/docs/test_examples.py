"""The examples in the documentation run, and what they promise holds."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.estimators.registry import ESTIMATORS
from arsm_l2r.losses.loss import LOSSES
from arsm_l2r.metrics import PAPER, Judgements, evaluate, means
from arsm_l2r.metrics.measure import MEASURES

from ..estimators.agreement import agrees
from ..estimators.problems import ranking_problem, table_problem
from ..registries import forget_what_is_added
from .pages import ROOT, run_examples


@pytest.fixture(autouse=True)
def _forget_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (LOSSES, ESTIMATORS, MEASURES):
        forget_what_is_added(registry, monkeypatch)


def test_own_losses_train_rankers_that_rank() -> None:
    done = run_examples("own-loss.md")
    judgements = Judgements(done["labels"], done["group"])

    def quality(scores: np.ndarray) -> float:
        return means(evaluate(scores, judgements, PAPER))["map"]

    best = quality(done["features"][:, 0])  # what the labels were made from
    trained = [done[name].predict(done["features"]) for name in ("ranker", "plain")]
    for scores in (done["scores"], *trained):
        assert quality(scores) > 0.95 * best


def test_own_precision_loss_is_minus_precision_relative_to_the_best() -> None:
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf

    loss = run_examples("own-loss.md")["PrecisionLoss"](2)
    batch = Batch(tf.constant([0, 1, 1, 1]), tf.zeros(4, tf.int32), 1, 3, 2)
    levels = tf.constant([[2, 1, 0, 0], [2, 2, 2, 0]])
    values = loss.losses(levels, batch, tf.float64)
    # One relevant document among the first two; then two of the three that share two places.
    np.testing.assert_allclose(values, [[-1 / 2], [-(2 * 2 / 3) / 2]])


@pytest.mark.parametrize("problem", [table_problem(), ranking_problem((2, 3), levels=3, cutoff=2)])
def test_own_estimator_is_unbiased(problem) -> None:
    own = run_examples("own-estimator.md")["second_draw"]
    assert agrees(problem.draws(own, 40_000), problem.exact_gradient)


def test_library_page_ranks_searches_explains_and_exports() -> None:
    done = run_examples("library.md")
    assert done["quality"] > 0.8
    assert done["search"].best_params_ == {"learning_rate": 1e-2}
    assert done["folds"].min() > 0.7
    assert done["importance"].importances_mean.argmax() == 0
    np.testing.assert_allclose(done["again"].predict(done["X_test"]), done["scores"])
    np.testing.assert_allclose(done["same"], done["scores"], rtol=1e-4)


def test_tutorial_runs_from_first_cell_to_last_and_shows_what_it_says() -> None:
    executed = runpy.run_path(str(ROOT / "tools" / "notebook.py"))["executed"]
    executed(
        "assert results.mean().idxmax() == 'ARSMRanker, the rule'",
        "assert holm(p_values)[0] < 0.01",
        "assert np.abs(exported - ranker.predict(test[features])).max() < 1e-4",
    )


def test_own_measure_is_what_the_page_says() -> None:
    values = run_examples("own-measure.md")["values"]
    assert values["f1@2"].tolist() == [1 / 2, 2 / 3]
    np.testing.assert_allclose(values["map"], [(1 / 2 + 2 / 3) / 2, 1])


def test_own_method_learns_and_predicts(tmp_path: Path) -> None:
    best_feature = run_examples("own-method.md")["BestFeature"]
    random = np.random.default_rng(0)
    features = random.random((60, 4), dtype=np.float32)
    labels = (features[:, 2] > 0.7).astype(int)
    ranker = best_feature().fit(features, labels, [20, 20, 20])
    np.testing.assert_allclose(ranker.predict(features), features[:, 2])
    ranker.save(tmp_path / "model.npz")
    assert ranker.report()["selected"] == {"feature": 3}


def test_own_setting_is_an_argument_that_is_checked() -> None:
    kind = run_examples("own-method.md")["BestOfTheFirst"]
    assert kind().first == 10
    given = kind(first=3).get_params()
    assert (given["first"], given["select_on"]) == (3, "ndcg@10")
    with pytest.raises(ValueError, match="first"):
        kind(first=0).fit(np.ones((2, 1)), [0, 1], [2])


def test_the_picture_of_the_workflow_has_every_rule() -> None:
    targets = {"all", "data", "tables", "figures", "search", "ablations"}
    rules = {
        name
        for path in (ROOT / "workflow").rglob("*.smk")
        for name in re.findall(r"^rule (\w+):", path.read_text(encoding="utf-8"), re.M)
    }
    for picture in ("dag.dot", "dag.svg"):
        drawn = (ROOT / "docs" / picture).read_text(encoding="utf-8")
        for rule in rules - targets:
            assert rule in drawn, (picture, rule)
