from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.rankers.feature_scaling import Kind
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.scoring import SCORINGS
from arsm_l2r.tensorflow import tf

from .exported import arsm, listnet, run_alone, unseen_features

pytestmark = pytest.mark.slow

# Scorings and scalings do not touch each other in a graph: each in one case.
RANKERS = {
    **{f"{each}": {"scoring": each, "members": 2} for each in SCORINGS},
    **{f"{each}": {"feature_scaling": each} for each in get_args(Kind)},
}


def run(folder: Path, features: np.ndarray) -> np.ndarray:
    score = tf.saved_model.load(str(folder)).signatures["serving_default"]
    return np.asarray(score(features=tf.constant(features))["scores"])


def same(ranker: NetworkRanker, folder: Path) -> None:
    features = unseen_features()
    ranker.export_saved_model(folder)
    np.testing.assert_allclose(
        run(folder, features), ranker.predict(features), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("given", RANKERS.values(), ids=RANKERS)
def test_scores_are_those_of_predict(given: dict[str, object], tmp_path: Path) -> None:
    same(arsm(**given), tmp_path / "model")


def test_scores_of_listnet_are_those_of_predict(tmp_path: Path) -> None:
    same(listnet(feature_scaling="standard"), tmp_path / "model")


def test_tensorflow_alone_runs_it(tmp_path: Path) -> None:
    ranker, features = arsm(feature_scaling="quantile"), unseen_features()
    ranker.export_saved_model(tmp_path / "model")
    program = (
        "import tensorflow as tf\n"
        "score = tf.saved_model.load('model').signatures['serving_default']\n"
        "scores = score(tf.constant(features))['scores'].numpy()"
    )
    found = run_alone(program, tmp_path, features)
    np.testing.assert_allclose(found, ranker.predict(features), rtol=1e-5)


def test_earlier_export_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for scoring in ("linear", "top"):
        same(arsm(scoring=scoring), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_folder_with_anything_else_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(UserError, match=r"holds thesis\.tex, which .* would be lost"):
        arsm().export_saved_model(tmp_path)
    with pytest.raises(UserError, match="is no folder"):
        arsm().export_saved_model(tmp_path / "thesis.tex")
    arsm().export_saved_model(tmp_path / "model")
    (tmp_path / "model" / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"holds notes\.txt"):
        arsm().export_saved_model(tmp_path / "model")
    assert (tmp_path / "model" / "notes.txt").read_text() == "mine"


def test_failed_export_leaves_the_folder_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arsm().export_saved_model(tmp_path / "model")
    before = (tmp_path / "model" / "saved_model.pb").read_bytes()

    def full(*given: object, **options: object) -> None:
        raise tf.errors.ResourceExhaustedError(None, None, "No space left on device")

    monkeypatch.setattr(tf.saved_model, "save", full)
    with pytest.raises(UserError, match="model: cannot be written: No space left"):
        arsm(scoring="top").export_saved_model(tmp_path / "model")
    assert (tmp_path / "model" / "saved_model.pb").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
