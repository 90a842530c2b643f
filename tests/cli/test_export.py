from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from arsm_l2r import ARSMRanker

from ..rankers.exported import arsm, unseen_features
from .conftest import Command


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A saved model, as if it were trained."""
    ranker = arsm(feature_scaling="quantile")
    ranker.selected_epoch_, ranker.epochs_done_ = 1, 1
    ranker.seconds_, ranker.device_, ranker.choices_ = 0.0, "cpu", {}
    ranker.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def test_saved_model_becomes_an_onnx_file_with_the_same_scores(
    command: Command, model: Path, tmp_path: Path
) -> None:
    path, features = tmp_path / "new" / "model.onnx", unseen_features()
    done = command("export", "--model", model, "--onnx", path)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Saved {path}: from 5 features, as they are, to scores\n"
    found = onnxruntime.InferenceSession(path).run(["scores"], {"features": features})[0]
    np.testing.assert_allclose(found, ARSMRanker.load(model).predict(features), rtol=1e-5)


@pytest.mark.slow
def test_saved_model_becomes_tensorflows(command: Command, model: Path, tmp_path: Path) -> None:
    done = command("export", "--model", model, "--saved-model", tmp_path / "folder")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Saved {tmp_path / 'folder'}: from 5 features, as they are, to scores\n"
    assert (tmp_path / "folder" / "saved_model.pb").is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "nothing to write: name a file with --onnx, or a folder with --saved-model"),
        (("--onnx", "."), ".: is a folder, not a file to write"),
        (("--saved-model", "."), ".: holds model.npz, which is no part of a SavedModel"),
    ],
)
def test_what_cannot_be_written_is_told(
    command: Command,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(model.parent)
    done = command("export", "--model", model, *options)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: {message}")


def test_missing_model_is_told(command: Command, tmp_path: Path) -> None:
    done = command("export", "--model", tmp_path / "none.npz", "--onnx", tmp_path / "model.onnx")
    assert (done.code, done.out) == (1, "")
    assert "none.npz: there is no such model file" in done.err
    assert list(tmp_path.iterdir()) == []
