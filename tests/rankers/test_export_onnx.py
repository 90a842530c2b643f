import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import arsm_l2r
from arsm_l2r import ARSMRanker
from arsm_l2r.errors import UserError
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.rankers.feature_scaling import Kind, Quantiles, SideBySide
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.scoring import SCORINGS

from .exported import arsm, listnet, run_alone, unseen_features


def run(path: Path, features: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(path)
    return np.asarray(session.run(["scores"], {"features": features})[0])


def exported(ranker: NetworkRanker, folder: Path, features: np.ndarray) -> np.ndarray:
    ranker.export_onnx(folder / "model.onnx")
    return run(folder / "model.onnx", features)


@pytest.mark.filterwarnings("ignore::arsm_l2r.errors.Advice")
@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("scaling", get_args(Kind))
def test_scores_are_those_of_predict(
    scaling: str, scoring: str, members: int, tmp_path: Path
) -> None:
    ranker = arsm(feature_scaling=scaling, scoring=scoring, members=members)
    features = unseen_features()
    found = exported(ranker, tmp_path, features)
    assert found.shape == (len(features),)
    np.testing.assert_allclose(found, ranker.predict(features), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("scaling", get_args(Kind))
def test_scores_of_listnet_are_those_of_predict(scaling: str, tmp_path: Path) -> None:
    ranker, features = listnet(feature_scaling=scaling), unseen_features()
    np.testing.assert_allclose(
        exported(ranker, tmp_path, features), ranker.predict(features), rtol=1e-5, atol=1e-5
    )


def test_certain_levels_have_the_scores_of_predict(tmp_path: Path) -> None:
    """Where probabilities are so near to 0 that the logarithm needs its smallest number."""
    for members in (1, 2):
        ranker = arsm(scoring="log-odds", members=members)
        ranker._weights = [weight * 1000 for weight in ranker._weights]
        features = unseen_features()
        expected = ranker.predict(features)
        assert np.abs(expected).max() > 500
        np.testing.assert_allclose(exported(ranker, tmp_path, features), expected, rtol=1e-3)


numbers = st.floats(-(2**20), 2**20, width=32)


@settings(deadline=None, max_examples=40)
@given(data=st.data(), columns=st.integers(1, 3))
def test_places_among_quantiles_are_those_of_the_scaling(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, columns: int
) -> None:
    """With a network that hands on one of its inputs."""
    length = data.draw(st.integers(2, 40))
    column = st.lists(numbers, min_size=length, max_size=length).map(sorted)
    knots = np.array(data.draw(st.lists(column, min_size=columns, max_size=columns)), np.float32).T
    more = data.draw(st.lists(numbers, min_size=columns, max_size=columns))
    between = (knots[:-1] / 2 + knots[1:] / 2).astype(np.float32)
    features = np.concatenate([knots, between, np.array([more], np.float32)])
    scaling = data.draw(st.sampled_from([Quantiles(knots), SideBySide(Quantiles(knots))]))
    expected = scaling(features)
    inputs = expected.shape[1]
    which = data.draw(st.integers(0, inputs - 1))
    ranker = ListNet(hidden=())
    ranker._scaling, ranker.n_features_in_ = scaling, columns
    ranker._weights = [np.eye(inputs, dtype=np.float32)[:, [which]], np.zeros(1, np.float32)]
    found = exported(ranker, tmp_path_factory.mktemp("places"), features)
    np.testing.assert_allclose(found, expected[:, which], rtol=1e-7, atol=1e-7)


def test_any_number_of_documents_can_be_scored(tmp_path: Path) -> None:
    ranker = arsm(feature_scaling="quantile", scoring="rank")
    ranker.export_onnx(tmp_path / "model.onnx")
    for count in (0, 1, 7):
        assert run(tmp_path / "model.onnx", unseen_features()[:count]).shape == (count,)


def test_what_is_no_number_gets_no_score(tmp_path: Path) -> None:
    features = np.zeros((2, 5), np.float32)
    features[1, 0] = np.nan
    for scaling in ("standard", "quantile"):
        found = exported(arsm(feature_scaling=scaling), tmp_path, features)
        assert np.isnan(found).tolist() == [False, True]


def test_onnxruntime_alone_runs_it(tmp_path: Path) -> None:
    ranker, features = arsm(feature_scaling="values-and-quantiles"), unseen_features()
    ranker.export_onnx(tmp_path / "model.onnx")
    program = (
        "import onnxruntime; session = onnxruntime.InferenceSession('model.onnx')\n"
        "scores = session.run(['scores'], {'features': features})[0]"
    )
    found = run_alone(program, tmp_path, features)
    np.testing.assert_allclose(found, ranker.predict(features), rtol=1e-5)


def test_file_says_what_wrote_it_and_what_the_features_are(tmp_path: Path) -> None:
    ranker = arsm()
    ranker.feature_names_in_ = np.array(["a", "b", "ü", "d", "e"], dtype=object)
    ranker.export_onnx(tmp_path / "model.onnx")
    made = onnx.load(tmp_path / "model.onnx")
    assert (made.producer_name, made.producer_version) == ("arsm-l2r", arsm_l2r.__version__)
    notes = {each.key: each.value for each in made.metadata_props}
    assert notes["ranker"] == "ARSMRanker"
    assert json.loads(notes["feature_names"]) == ["a", "b", "ü", "d", "e"]


def test_missing_package_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UserError, match=r'pip install "arsm-l2r\[onnx\]"'):
        arsm().export_onnx(tmp_path / "model.onnx")
    assert list(tmp_path.iterdir()) == []


def test_failed_export_leaves_the_file_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arsm().export_onnx(tmp_path / "model.onnx")
    before = (tmp_path / "model.onnx").read_bytes()

    def full(path: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match=r"model\.onnx: cannot be written: No space left"):
        arsm(scoring="top").export_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_ranker_that_has_not_learnt_cannot_be_exported(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        ARSMRanker().export_onnx(tmp_path / "model.onnx")


def test_ranker_that_does_not_say_how_it_scores_is_refused(tmp_path: Path) -> None:
    class Own(ListNet):
        _scoring = NetworkRanker._scoring

    ranker = listnet()
    ranker.__class__ = Own
    with pytest.raises(UserError, match="Own cannot be exported"):
        ranker.export_onnx(tmp_path / "model.onnx")


def test_scoring_that_nobody_has_expressed_is_refused(tmp_path: Path) -> None:
    from arsm_l2r.rankers.export.onnx_file import write_onnx

    model = replace(arsm()._exported(), scoring="median")
    with pytest.raises(UserError, match="'median' cannot be exported"):
        write_onnx(tmp_path / "model.onnx", model)
