import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from arsm_l2r import ARSMRanker, numpy_loss
from arsm_l2r.errors import UserError
from arsm_l2r.losses import NDCGLoss
from arsm_l2r.metrics import LETOR, Judgements, evaluate, means
from arsm_l2r.rankers.arsm import _description
from arsm_l2r.sealed import write_sealed

GROUP = np.full(6, 12)
"""Documents per query: more than the 10 that NDCG@10 wants of a query."""


def queries(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, labels that depend on them, documents per query."""
    draw = np.random.default_rng(seed)
    features = draw.normal(size=(GROUP.sum(), 4))
    return (
        features,
        np.digitize(features[:, 0] + 0.3 * draw.normal(size=len(features)), [0, 1]),
        GROUP,
    )


TRAIN, VALI, OTHER = queries(0), queries(1), queries(2)
SMALL = {"levels": 4, "hidden": (6,), "epochs": 20, "learning_rate": 0.1}


@pytest.fixture(scope="module")
def fitted() -> ARSMRanker:
    return ARSMRanker.paper(**SMALL).fit(*TRAIN, eval_set=VALI)


def validation_measure(ranker: ARSMRanker, measure: str = "ndcg@10") -> float:
    features, labels, group = VALI
    return means(evaluate(ranker.predict(features), Judgements(labels, group), LETOR))[measure]


@pytest.mark.slow
def test_weights_of_the_best_validation_epoch_are_kept(fitted: ARSMRanker) -> None:
    history = fitted.history_
    assert history["epoch"].to_list() == list(range(1, 21))
    best = int(history["ndcg@10"].arg_max())
    assert 1 < best + 1 < 20  # neither the first nor the last, which could be kept by mistake
    assert fitted.selected_epoch_ == best + 1
    assert validation_measure(fitted) == pytest.approx(history["ndcg@10"][best], abs=1e-9)


@pytest.mark.slow
def test_another_measure_selects_by_that_measure() -> None:
    ranker = ARSMRanker.paper(**SMALL, select_on="map").fit(*TRAIN, eval_set=VALI)
    best = int(ranker.history_["map"].arg_max())
    assert ranker.selected_epoch_ == best + 1
    assert validation_measure(ranker, "map") == pytest.approx(ranker.history_["map"][best])
    for row in ranker.history_.iter_rows(named=True):
        found = [row[name] for name in ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map")]
        assert row["mean"] == pytest.approx(np.mean(found))


@pytest.mark.slow
def test_same_seed_gives_the_same_scores_and_qid_the_same_as_group(fitted: ARSMRanker) -> None:
    features, labels, group = TRAIN
    again = ARSMRanker.paper(**SMALL).fit(
        features, labels, qid=np.repeat(np.arange(9, 3, -1), group), eval_set=VALI
    )
    np.testing.assert_array_equal(again.predict(OTHER[0]), fitted.predict(OTHER[0]))
    assert again.history_.drop("seconds").equals(fitted.history_.drop("seconds"))


@pytest.mark.slow
def test_another_seed_gives_other_scores(fitted: ARSMRanker) -> None:
    other = ARSMRanker.paper(**SMALL, seed=1).fit(*TRAIN, eval_set=VALI)
    assert (other.predict(OTHER[0]) != fitted.predict(OTHER[0])).all()


@pytest.mark.slow
def test_saved_and_loaded_it_gives_the_same_scores(fitted: ARSMRanker, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model.npz")
    loaded = ARSMRanker.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(OTHER[0]), fitted.predict(OTHER[0]))
    assert loaded.get_params() == fitted.get_params()
    assert loaded.report() == fitted.report()


@pytest.mark.parametrize("scaling", ["standard", "quantile", "values-and-quantiles"])
@pytest.mark.slow
def test_scaling_is_part_of_the_saved_model(scaling: str, tmp_path: Path) -> None:
    features, labels, group = TRAIN
    features = 100 + 7 * np.column_stack([features, np.full(len(features), 0.1)])
    ranker = ARSMRanker.paper(**SMALL, feature_scaling=scaling).fit(features, labels, group)
    ranker.save(tmp_path / "model.npz")
    loaded = ARSMRanker.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(features), ranker.predict(features))


@pytest.mark.slow
def test_scaled_features_have_mean_0_and_variance_1_and_constant_ones_do_nothing() -> None:
    features, labels, group = TRAIN
    standard = (features - features.mean(axis=0)) / features.std(axis=0)
    by_hand = ARSMRanker.paper(**SMALL).fit(
        np.column_stack([standard, np.zeros(72)]), labels, group
    )
    shifted = np.column_stack([1000 + 5 * features, np.full(72, 0.1)])
    ranker = ARSMRanker.paper(**SMALL, feature_scaling="standard").fit(shifted, labels, group)
    np.testing.assert_allclose(
        ranker.predict(shifted),
        by_hand.predict(np.column_stack([standard, np.zeros(72)])),
        atol=0.02,
    )
    np.testing.assert_array_equal(
        ranker.predict(shifted), ranker.predict(np.add(shifted, [0, 0, 0, 0, 100]))
    )


@pytest.mark.slow
def test_constant_feature_of_many_documents_is_recognised() -> None:
    documents = 50_000  # single-precision sums of so many have a deviation of their own
    features = np.column_stack([np.arange(documents) / documents, np.full(documents, 0.7)])
    ranker = ARSMRanker.paper(**SMALL | {"epochs": 1}, feature_scaling="standard", loss="zero-one")
    ranker.fit(features, np.arange(documents) % 2, [documents])
    changed = np.add(features, [0, 1])
    np.testing.assert_array_equal(ranker.predict(features), ranker.predict(changed))


@pytest.mark.slow
def test_unseen_queries_are_ranked_better_than_by_chance(
    fitted: ARSMRanker,
) -> None:
    features, labels, group = OTHER
    judgements = Judgements(labels, group)
    learnt = means(evaluate(fitted.predict(features), judgements, LETOR))["map"]
    chance = means(evaluate(np.random.default_rng(0).random(len(labels)), judgements, LETOR))["map"]
    assert learnt > chance + 0.1


@pytest.mark.slow
def test_entropy_keeps_levels_uncertain_and_is_recorded_beside_the_loss(fitted: ARSMRanker) -> None:
    held = ARSMRanker.paper(**SMALL, entropy=0.5).fit(*TRAIN, eval_set=VALI)
    for ranker in (fitted, held):
        assert ranker.history_["entropy"].is_between(0, 1).all()
        assert ranker.history_["objective"].is_between(-1, 0).all()  # negative NDCG, and no more
    assert held.history_["entropy"][-1] > fitted.history_["entropy"][-1] + 0.1
    logits = held.predict_logits(TRAIN[0])
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    entropy = -(shares * np.log(shares)).sum(axis=1).mean() / np.log(SMALL["levels"])
    # Of the selected epoch's weights, after it; recorded is the mean over its steps.
    assert entropy == pytest.approx(held.history_["entropy"][held.selected_epoch_ - 1], abs=0.15)


@pytest.mark.slow
def test_patience_ends_training_early() -> None:
    ranker = ARSMRanker.paper(**SMALL | {"epochs": 500}, patience=3).fit(*TRAIN, eval_set=VALI)
    assert ranker.epochs_done_ == ranker.selected_epoch_ + 3 < 500
    assert ranker.history_.height == ranker.epochs_done_


@pytest.mark.slow
def test_without_validation_the_last_weights_are_kept() -> None:
    ranker = ARSMRanker.paper(**SMALL | {"epochs": 2}).fit(*TRAIN)
    assert ranker.selected_epoch_ == 2
    names = ["epoch", "objective", "entropy", "gradient_norm", "seconds"]
    assert ranker.history_.columns == names


@pytest.mark.slow
def test_a_function_of_ones_own_is_a_loss(tmp_path: Path) -> None:
    from arsm_l2r.tensorflow import tf

    def upside_down(levels, batch):
        """The mean level of relevant documents: trains the worst of rankings."""
        relevant = tf.cast(batch.labels > 0, tf.float32)
        return batch.per_query(tf.cast(levels, tf.float32) * relevant) / 12

    ranker = ARSMRanker.paper(**SMALL | {"epochs": 60}, loss=upside_down).fit(*TRAIN)
    first, last = ranker.history_["objective"][0], ranker.history_["objective"][-1]
    assert last < 0.5 * first
    ranker.save(tmp_path / "model.npz")
    loaded = ARSMRanker.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(OTHER[0]), ranker.predict(OTHER[0]))
    assert "upside_down" in loaded.loss


@pytest.mark.slow
def test_loss_that_becomes_nan_ends_training_and_leaves_an_earlier_fit_as_it_was(
    tmp_path: Path,
) -> None:
    from arsm_l2r.tensorflow import tf

    def brittle(levels, batch):
        """Not a number as soon as one query has all of its documents in the highest level."""
        values = batch.per_query(tf.cast(batch.levels - 1 - levels, tf.float32))
        return tf.where(values == 0, np.nan, values)

    ranker = ARSMRanker.paper(**SMALL, loss=brittle, feature_scaling="standard")
    ranker.set_params(epochs=1).fit(*TRAIN)
    before = ranker.predict(OTHER[0])
    ranker.set_params(epochs=500, checkpoint=tmp_path / "state", checkpoint_every=1)
    features, labels, group = TRAIN
    with pytest.raises(UserError, match=r"epoch \d+, step 1: .*nan") as told:
        ranker.fit(10 + 3 * features, labels, group)
    with np.load(tmp_path / "state", allow_pickle=False) as kept:
        epoch = json.loads(str(kept["note"]))["epoch"]
        assert f"epoch {epoch + 1}, " in str(told.value)
        assert all(np.isfinite(kept[name]).all() for name in kept.files if name != "note")
    np.testing.assert_array_equal(ranker.predict(OTHER[0]), before)


@pytest.mark.slow
def test_interrupted_fit_goes_on_from_its_checkpoint(
    fitted: ARSMRanker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    from arsm_l2r.training.checkpoint import save_checkpoint

    checkpoint = tmp_path / "state"
    ranker = ARSMRanker.paper(**SMALL, checkpoint=checkpoint, checkpoint_every=5)

    def save_and_stop(*arguments) -> None:
        save_checkpoint(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("arsm_l2r.training.loop.save_checkpoint", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            ranker.fit(*TRAIN, eval_set=VALI)
    assert checkpoint.exists()
    ranker.fit(*TRAIN, eval_set=VALI)
    assert "Training: epoch 5 of 20" in capsys.readouterr().err
    np.testing.assert_array_equal(ranker.predict(OTHER[0]), fitted.predict(OTHER[0]))
    assert ranker.history_.drop("seconds").equals(fitted.history_.drop("seconds"))


ONE_EPOCH = SMALL | {"epochs": 1, "estimator": "reinforce"}


@pytest.fixture(scope="module")
def checkpoint_of_one_epoch(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("one-epoch") / "state"
    ARSMRanker.paper(**ONE_EPOCH, checkpoint=path).fit(*TRAIN, eval_set=VALI)
    return path.read_bytes()


@pytest.fixture
def one_epoch(checkpoint_of_one_epoch: bytes, tmp_path: Path) -> Path:
    """The checkpoint of a fit of one epoch."""
    path = tmp_path / "state"
    path.write_bytes(checkpoint_of_one_epoch)
    return path


@pytest.mark.slow
def test_checkpoint_of_a_finished_fit_is_its_result(one_epoch: Path, capsys) -> None:
    before = one_epoch.read_bytes()
    ranker = ARSMRanker.paper(**ONE_EPOCH, checkpoint=one_epoch).fit(*TRAIN, eval_set=VALI)
    assert "Training: epoch 1 of 1" in capsys.readouterr().err
    assert ranker.history_.height == 1
    assert len(one_epoch.read_bytes()) == len(before)


def _other_labels(data):
    features, labels, group = data
    return features, np.roll(labels, 1), group


@pytest.mark.parametrize(
    ("changes", "train", "vali"),
    [
        ({"seed": 1}, TRAIN, VALI),
        ({"loss": "ndcg@5"}, TRAIN, VALI),
        ({}, _other_labels(TRAIN), VALI),
        ({}, TRAIN, _other_labels(VALI)),
        ({}, TRAIN, None),
    ],
    ids=["seed", "loss", "training labels", "validation labels", "no validation"],
)
@pytest.mark.slow
def test_checkpoint_of_other_data_or_settings_is_not_used(
    one_epoch: Path, capsys, changes, train, vali
) -> None:
    settings = ONE_EPOCH | {"checkpoint": one_epoch}
    ARSMRanker.paper(**settings | changes).fit(*train, eval_set=vali)
    assert "is of other data, settings or code and is not used" in capsys.readouterr().err


@pytest.mark.slow
def test_checkpoint_of_other_code_is_not_used(one_epoch: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("arsm_l2r.rankers.network_ranker.code_of", lambda *_: "changed")
    ARSMRanker.paper(**ONE_EPOCH, checkpoint=one_epoch).fit(*TRAIN, eval_set=VALI)
    assert "is of other data, settings or code and is not used" in capsys.readouterr().err


def test_scikit_learn_can_clone_it_and_change_its_settings() -> None:
    ranker = ARSMRanker(levels=7, hidden=(3, 2), loss="ndcg@5", patience=4)
    copy = clone(ranker)
    assert copy is not ranker
    assert copy.get_params() == ranker.get_params()
    assert copy.set_params(levels=9).levels == 9
    assert ranker.levels == 7
    with pytest.raises(ValueError, match="Invalid parameter 'layers'"):
        ranker.set_params(layers=3)


def test_the_papers_settings_can_be_had_by_name() -> None:
    ranker = ARSMRanker.paper()
    assert (ranker.levels, ranker.hidden, ranker.estimator) == (20, (500,), "arsm")
    assert (ranker.learning_rate, ranker.epochs, ranker.scoring) == (1e-4, 2000, "linear")
    assert (ranker.entropy, ranker.averaging, ranker.feature_scaling) == (0, 0, "none")
    assert ARSMRanker.paper(epochs=3).epochs == 3


FEATURES, LABELS, _ = TRAIN


def _with(array: np.ndarray, value: float) -> np.ndarray:
    changed = array.astype(np.float64)
    changed.flat[5] = value
    return changed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FEATURES[:-1], LABELS, GROUP), "71 documents, but 72 labels"),
        ((FEATURES, LABELS[:-1], GROUP), "72 documents, but there are 71 labels"),
        ((FEATURES, LABELS, GROUP[:-1]), "60 documents, but there are 72 labels"),
        ((FEATURES, LABELS), "give either group or qid"),
        ((_with(FEATURES, np.nan), LABELS, GROUP), "feature 1 of document 1 is nan"),
        ((_with(FEATURES, np.inf), LABELS, GROUP), "feature 1 of document 1 is inf"),
        ((FEATURES[:, 0], LABELS, GROUP), r"not of shape \(72,\)"),
        ((FEATURES, _with(LABELS, -1), GROUP), "label -1 of document 5"),
        ((FEATURES, _with(LABELS, 31), GROUP), "label 31 of document 5 is above 30"),
        ((FEATURES, _with(LABELS, 0.5), GROUP), r"labels\[5\] is 0.5"),
        ((FEATURES, LABELS, [72, 0]), r"query 1 \(from 0\) has 0 documents"),
        ((FEATURES, 0 * LABELS, GROUP), "no document is relevant"),
    ],
)
def test_data_that_do_not_fit_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ARSMRanker.paper(**SMALL).fit(*arguments)


def test_validation_data_are_checked_too() -> None:
    features, labels, group = VALI
    with pytest.raises(ValueError, match="3 features, but there must be 4"):
        ARSMRanker.paper(**SMALL).fit(*TRAIN, eval_set=(features[:, :3], labels, group))
    with pytest.raises(ValueError, match="label -1 of document 5"):
        ARSMRanker.paper(**SMALL).fit(*TRAIN, eval_set=(features, _with(labels, -1), group))


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("levels", 1, "levels: 1 is less than the minimum of 2"),
        ("samples", 0, "samples: 0 is less than the minimum of 1"),
        ("epochs", 0, "epochs: 0 is less than the minimum of 1"),
        ("queries_per_batch", -3, "queries_per_batch: -3 is less than the minimum of 1"),
        ("checkpoint_every", 0, "checkpoint_every: 0 is less than the minimum of 1"),
        ("learning_rate", 0.0, "learning_rate: 0.0 must be more than 0"),
        ("learning_rate", float("nan"), "learning_rate: must be a finite number, not nan"),
        ("hidden", 16, r"hidden: must be a list, such as \[16\], not 16"),
        ("hidden", (500, 0), "hidden.1: 0 is less than the minimum of 1"),
        ("patience", 0, "patience: 0 is less than the minimum of 1"),
        ("select_on", "ndcg", "select_on: must be `mean` or a measure: no measure 'ndcg'; there"),
        ("feature_scaling", "minmax", "must be one of none, standard, quantile, .*not 'minmax'"),
        ("entropy", -0.1, "entropy: -0.1 is less than the minimum of 0"),
        ("entropy", float("nan"), "entropy: must be a finite number, not nan"),
        ("entropy", float("inf"), "entropy: must be a finite number, not inf"),
        ("entropy", "much", "entropy: must be number, not 'much'"),
        ("estimator", "reinforce-loo", "reinforce-loo needs at least 2 samples"),
    ],
)
def test_settings_out_of_range_are_refused(setting: str, value, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ARSMRanker.paper(**SMALL | {setting: value}).fit(*TRAIN)


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("loss", "ndgc", "no loss 'ndgc'; there are"),
        ("estimator", "arms", "estimator: must be one of auto, reinforce, .*not 'arms'"),
        ("scoring", "cubic", "scoring: must be one of linear, .*not 'cubic'"),
    ],
)
def test_unknown_names_are_refused_with_the_names_there_are(setting, value, message) -> None:
    with pytest.raises(ValueError, match=message):
        ARSMRanker.paper(**SMALL | {setting: value}).fit(*TRAIN)


def test_what_has_not_been_trained_neither_predicts_nor_saves(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError, match="call fit first, or load"):
        ARSMRanker().predict(FEATURES)
    with pytest.raises(NotFittedError, match="call fit first, or load"):
        ARSMRanker().save(tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (FEATURES[:, :3], "X has 3 features, but ARSMRanker is expecting 4"),
        (FEATURES[0], r"not of shape \(4,\)"),
        (_with(FEATURES, np.nan), "feature 1 of document 1 is nan"),
    ],
)
@pytest.mark.slow
def test_features_that_do_not_fit_the_model_are_refused(
    fitted: ARSMRanker, features: np.ndarray, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        fitted.predict(features)


@pytest.mark.slow
def test_no_documents_have_no_scores(fitted: ARSMRanker) -> None:
    assert fitted.predict(FEATURES[:0]).shape == (0,)


@pytest.mark.slow
def test_scores_are_a_combination_of_the_probabilities_of_the_levels(fitted: ARSMRanker) -> None:
    powers = np.exp(fitted.predict_logits(FEATURES).astype(np.float64))
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.predict(FEATURES), probabilities @ [1, 2, 3, 4])


@pytest.mark.slow
def test_file_that_is_no_ranker_is_refused(fitted: ARSMRanker, tmp_path: Path) -> None:
    write_sealed(tmp_path / "other.npz", {"kind": "ARSMRanker"}, {})
    with pytest.raises(UserError, match=r"other\.npz: not a model that this version can read"):
        ARSMRanker.load(tmp_path / "other.npz")
    write_sealed(tmp_path / "trees.npz", {"kind": "trees"}, {})
    with pytest.raises(UserError, match="a model of kind 'trees', not 'ARSMRanker'"):
        ARSMRanker.load(tmp_path / "trees.npz")


@pytest.mark.slow
def test_saved_model_holds_arrays_and_json_only(fitted: ARSMRanker, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as content:
        kinds = {name: content[name].dtype.kind for name in content.files}
        note = json.loads(str(content["note"]))
    assert set(kinds.values()) == {"f", "U"}
    assert note["settings"]["levels"] == 4
    assert "checkpoint" not in note["settings"]  # which would tell where it was trained


@pytest.mark.slow
def test_predicting_needs_no_tensorflow(fitted: ARSMRanker, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model.npz")
    np.save(tmp_path / "features.npy", FEATURES)
    program = (
        "import sys, numpy as np\n"
        "from arsm_l2r import ARSMRanker\n"
        "scores = ARSMRanker.load('model.npz').predict(np.load('features.npy'))\n"
        "assert 'tensorflow' not in sys.modules\n"
        "np.save('scores.npy', scores)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(
        np.load(tmp_path / "scores.npy"), fitted.predict(FEATURES), rtol=1e-12
    )


def _times(factor: float) -> Callable[[Any, Any], float]:
    return lambda levels, labels: factor * float((levels * labels).sum())


def _above(least: int) -> Callable[[Any, Any], float]:
    def loss(levels: Any, labels: Any, *, least: int) -> float:
        return float((levels >= least).sum())

    return functools.partial(loss, least=least)


@pytest.mark.parametrize("make", [_times, _above])
def test_own_losses_that_differ_in_a_value_are_told_apart(make: Callable[[Any], Any]) -> None:
    one, same, other = (_description(numpy_loss(make(value))) for value in (1, 1, 2))
    assert one == same
    assert one != other


def test_what_cannot_be_hashed_is_never_taken_for_the_same() -> None:
    class Local:
        """Cannot be pickled."""

    own = Local()
    loss = numpy_loss(lambda levels, labels: float(own is None))
    assert _description(loss) != _description(loss)


@pytest.mark.slow
def test_a_checkpoint_of_another_value_inside_a_loss_is_not_used(tmp_path: Path) -> None:
    settings = {**SMALL, "epochs": 10, "learning_rate": 0.05, "checkpoint": tmp_path / "state"}
    low, high = (
        ARSMRanker(**settings, loss=numpy_loss(_times(sign))).fit(*TRAIN).predict(TRAIN[0])
        for sign in (1.0, -1.0)
    )
    assert low.mean() < high.mean()


def test_the_class_of_a_loss_is_refused_with_what_to_write() -> None:
    with pytest.raises(ValueError, match=r"not the class of one; write NDCGLoss\(…\)"):
        ARSMRanker(loss=NDCGLoss).fit(*TRAIN)
