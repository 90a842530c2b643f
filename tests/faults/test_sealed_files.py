"""Damaged models and checkpoints: none is misread, and none keeps a job from starting."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.rankers.arsm import ARSMRanker
from arsm_l2r.rankers.baselines.adarank import AdaRankMAP
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.sealed import read_sealed, sealed, write_sealed
from arsm_l2r.training.checkpoint import TrainingState, load_checkpoint, save_checkpoint
from arsm_l2r.training.network import initial_weights

TRIES = 1200


def damaged(good: bytes, draw: np.random.Generator) -> bytes:
    """A flipped bit, a piece cut out, doubled, zeroed or scribbled over, or another length."""
    at, length = int(draw.integers(len(good))), int(draw.integers(1, 200))
    bad = bytearray(good)
    kinds: list[Callable[[], bytes]] = [
        lambda: (
            bytes(bad[:at]) + bytes([bad[at] ^ 1 << int(draw.integers(8))]) + bytes(bad[at + 1 :])
        ),
        lambda: bytes(bad[:at]),
        lambda: bytes(bad[:at]) + bytes(bad[at + length :]),
        lambda: bytes(bad[: at + length]) + bytes(bad[at:]),
        lambda: bytes(bad[:at]) + bytes(length) + bytes(bad[at + length :]),
        lambda: bytes(bad[:at]) + draw.bytes(length) + bytes(bad[at + length :]),
        lambda: bytes(bad) + draw.bytes(length),
    ]
    return kinds[int(draw.integers(len(kinds)))]()


def state() -> TrainingState:
    draw = np.random.default_rng(1)
    lists = [
        [draw.normal(size=(4, 3)).astype(np.float32), np.zeros(3, np.float32)] for _ in range(5)
    ]
    weights, average, first, second, best = lists
    history = [{"epoch": 1, "objective": -0.5}]
    return TrainingState(1, weights, average, first, second, 7, best, 0.25, 1, history, 1.5)


def test_no_damaged_model_is_read(tmp_path: Path) -> None:
    draw, path = np.random.default_rng(0), tmp_path / "model.npz"
    features = draw.random((12, 3))
    ranker = AdaRankMAP(rounds=2).fit(features, (features[:, 0] > 0.5).astype(int), [4, 4, 4])
    ranker.save(path)
    good, misread, bugs, told = path.read_bytes(), 0, 0, set()
    for _ in range(TRIES):
        bad = damaged(good, draw)
        path.write_bytes(bad)
        try:
            AdaRankMAP.load(path)
            misread += bad != good
        except UserError as error:
            told.add(str(error).partition(": ")[0])
        except Exception:
            bugs += 1
    print(f"{TRIES} damaged models, {misread} read, {bugs} tracebacks")
    assert (misread, bugs, told) == (0, 0, {str(path)})
    path.write_bytes(good)
    np.testing.assert_array_equal(AdaRankMAP.load(path).predict(features), ranker.predict(features))


def test_no_damaged_checkpoint_is_read_and_each_is_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw, path = np.random.default_rng(0), tmp_path / "state.npz"
    save_checkpoint(path, state(), "mine")
    good, misread = path.read_bytes(), 0
    for _ in range(TRIES):
        bad = damaged(good, draw)
        path.write_bytes(bad)
        found = load_checkpoint(path, "mine")
        if bad == good:
            continue
        misread += found is not None
        assert not path.exists(), "the next checkpoint takes its place"
        assert f"{path} is damaged" in capsys.readouterr().err
    with capsys.disabled():
        print(f"\n{TRIES} damaged checkpoints, {misread} read, each set aside")
    assert misread == 0


@pytest.mark.parametrize(
    "note",
    [
        {},
        {"identity": "mine"},
        {"identity": "mine", "history": 3},
        {"identity": "mine", "epoch": []},
    ],
)
def test_checkpoint_that_was_made_up_is_set_aside(tmp_path: Path, note: dict) -> None:
    path = tmp_path / "state.npz"
    write_sealed(path, note, {"weights0": np.zeros(2)})
    assert load_checkpoint(path, "mine") is None


def test_checkpoint_that_cannot_be_set_aside_does_not_stop_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "state.npz"
    path.write_text("damaged")
    (tmp_path / "state.npz.damaged" / "in the way").mkdir(parents=True)
    assert load_checkpoint(path, "mine") is None
    assert f"{path} is damaged" in capsys.readouterr().err
    save_checkpoint(path, state(), "mine")
    assert load_checkpoint(path, "mine") is not None


@pytest.mark.parametrize(
    ("arrays", "note"),
    [
        ({"weights": np.zeros(4)}, {}),
        ({"weights": np.zeros((3, 2))}, {}),
        ({}, {}),
        ({"weights": np.zeros(3)}, {"settings": {"rounds": -1}}),
        ({"weights": np.zeros(3)}, {"settings": []}),
        ({"weights": np.zeros(3)}, {"features": "3"}),
        ({"weights": np.zeros(3)}, {"features": 3.5}),
        ({"weights": np.zeros(3)}, {"report": {}}),
        (
            {"weights": np.zeros(3)},
            {"report": {"selected_epoch": 1, "epochs": 1, "seconds": "x", "device": "cpu"}},
        ),
    ],
)
def test_model_that_was_made_up_is_refused(tmp_path: Path, arrays: dict, note: dict) -> None:
    path = tmp_path / "model.npz"
    report = {"selected_epoch": 1, "epochs": 1, "seconds": 1.0, "device": "cpu"}
    whole = {"kind": "AdaRankMAP", "settings": {}, "features": 3, "report": report, **note}
    write_sealed(path, whole, arrays)
    with pytest.raises(UserError, match=r"not a model that this version can read"):
        AdaRankMAP.load(path)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers_give_no_scores(tmp_path: Path, value: float) -> None:
    path = tmp_path / "model.npz"
    features = np.random.default_rng(0).random((12, 3))
    AdaRankMAP(rounds=2).fit(features, (features[:, 0] > 0.5).astype(int), [4, 4, 4]).save(path)
    note, arrays = read_sealed(path)
    write_sealed(path, note, {**arrays, "weights": np.array([value, 1, 1])})
    with pytest.raises(UserError, match="weights holds something else than finite numbers"):
        AdaRankMAP.load(path)


def test_scores_that_are_not_finite_are_an_error_and_not_written(tmp_path: Path) -> None:
    features = np.random.default_rng(0).random((12, 3))
    ranker = AdaRankMAP(rounds=2).fit(features, (features[:, 0] > 0.5).astype(int), [4, 4, 4])
    ranker.weights_ = np.array([1e300, 1e300, 1e300])
    with pytest.raises(ValueError, match="the score of document 1 is inf: its features are too"):
        ranker.predict([[0, 0, 0], [1e38, 0, 0]])


def network(**changes: object) -> ARSMRanker:
    """A ranker that was never trained, with what it takes to be saved."""
    made = ARSMRanker(**{"hidden": (6,), "levels": 4, **changes})
    made._scaling = fitted_scaling(np.random.default_rng(0).random((9, 3)), made.feature_scaling)
    inputs = made._scaling(np.zeros((1, 3), np.float32)).shape[1]
    made._weights = initial_weights(inputs, (6,), 4, seed=0)
    made.n_features_in_, made.selected_epoch_, made.epochs_done_ = 3, 1, 1
    made.seconds_, made.device_, made.choices_ = 1.0, "cpu", {}
    return made


@pytest.mark.parametrize(
    ("settings", "arrays"),
    [
        ({"levels": 400}, {}),
        ({"hidden": [7]}, {}),
        ({"feature_scaling": "standard"}, {}),
        ({}, {"weight1": np.zeros(1, np.float32)}),
        ({}, {"weight2": np.zeros((6, 9), np.float32), "weight3": np.zeros(9, np.float32)}),
        ({}, {"knots": np.zeros((11, 1))}),
    ],
)
def test_a_network_whose_arrays_and_settings_do_not_fit_is_refused(
    tmp_path: Path, settings: dict, arrays: dict
) -> None:
    path = tmp_path / "model.npz"
    network(feature_scaling="quantile").save(path)
    assert ARSMRanker.load(path).predict(np.zeros((2, 3))).shape == (2,)
    note, content = read_sealed(path)
    note["settings"] |= settings
    write_sealed(path, note, {**content, **arrays})
    with pytest.raises(UserError, match=r"not a model that this version can read"):
        ARSMRanker.load(path)


def _npy(header: str) -> bytes:
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    "member",
    [
        _npy("{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}"),
        _npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,"),
        b"no array at all",
    ],
)
def test_made_up_arrays_are_no_tracebacks(tmp_path: Path, member: bytes) -> None:
    path, buffer = tmp_path / "model.npz", BytesIO()
    np.savez(buffer, note=np.array('{"kind": "AdaRankMAP", "identity": "mine"}'))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("weights.npy", member)
    path.write_bytes(sealed(buffer.getvalue()))
    with pytest.raises(UserError):
        AdaRankMAP.load(path)
    assert load_checkpoint(path, "mine") is None


def test_the_seal_is_of_every_byte() -> None:
    whole = sealed(b"any archive" + bytes(2))
    assert sealed(b"any archivf" + bytes(2))[-64:] != whole[-64:]
