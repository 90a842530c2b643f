import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.rankers.model_file import read_model, write_model
from arsm_l2r.sealed import sealed

NOTE = {"levels": 3, "name": "größer", "list": [1, None, True]}
ARRAYS = {"weight0": np.arange(6, dtype=np.float32).reshape(2, 3), "scale": np.array([0.1 + 0.2])}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_model(tmp_path / "model.npz", "ranker", NOTE, ARRAYS)
    return tmp_path / "model.npz"


def test_note_and_arrays_are_read_back(model: Path) -> None:
    note, arrays = read_model(model, "ranker")
    assert note == {"kind": "ranker", **NOTE}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)
        assert arrays[name].dtype == array.dtype


def test_file_is_the_same_for_the_same_model(model: Path) -> None:
    before = model.read_bytes()
    write_model(model, "ranker", NOTE, ARRAYS)
    assert model.read_bytes() == before


def test_nothing_in_the_file_needs_pickle(model: Path) -> None:
    with np.load(model, allow_pickle=False) as content:
        assert {name: content[name].dtype.kind for name in content.files} == {
            "note": "U",
            "weight0": "f",
            "scale": "f",
        }


def test_objects_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"[Oo]bject arrays cannot be saved"):
        write_model(tmp_path / "model.npz", "ranker", {}, {"any": np.array([object()])})
    assert not list(tmp_path.iterdir())


class Trap:
    """Leaves a trace when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("place", ["note", "weight0"])
def test_pickle_in_an_array_is_refused_and_does_not_run(model: Path, place: str) -> None:
    trace = model.with_name("trace")
    members = {"note": np.array('{"kind": "ranker"}'), **ARRAYS}
    members[place] = np.array([Trap(trace)], dtype=object)
    np.savez(model, allow_pickle=True, **members)
    model.write_bytes(sealed(model.read_bytes()))
    with pytest.raises(UserError, match=r"not a model file.*allow_pickle=False"):
        read_model(model, "ranker")
    assert not trace.exists()


@pytest.mark.parametrize("member", [None, "note.npy", "note"])
def test_bare_pickle_is_refused_and_does_not_run(model: Path, member: str | None) -> None:
    trace = model.with_name("trace")
    trap = pickle.dumps(Trap(trace))
    if member is None:
        model.write_bytes(trap)
    else:
        with zipfile.ZipFile(model, "w") as archive:
            archive.writestr(member, trap)
    with pytest.raises(UserError, match="not a model file, or a damaged one"):
        read_model(model, "ranker")
    assert not trace.exists()


def test_missing_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.npz: there is no such model file"):
        read_model(tmp_path / "model.npz", "ranker")


def test_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a model file"):
        read_model(tmp_path, "ranker")


def test_model_of_another_kind_is_refused(model: Path) -> None:
    with pytest.raises(UserError, match="a model of kind 'ranker', not 'trees'"):
        read_model(model, "trees")


@pytest.mark.parametrize("note", ["[1, 2]", '"ranker"', "null", "{", "{}"])
def test_note_that_names_no_kind_is_refused(model: Path, note: str) -> None:
    np.savez(model, note=np.array(note))
    model.write_bytes(sealed(model.read_bytes()))
    with pytest.raises(UserError, match=r"a model of kind|not a model file"):
        read_model(model, "ranker")


def test_array_file_is_no_model(tmp_path: Path) -> None:
    np.save(tmp_path / "model.npy", np.arange(3))
    with pytest.raises(UserError, match="not a model file"):
        read_model(tmp_path / "model.npy", "ranker")


def test_any_damaged_byte_is_told(model: Path) -> None:
    good = model.read_bytes()
    for place in range(0, len(good), 3):
        model.write_bytes(good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :])
        with pytest.raises(UserError, match="not a model file, or a damaged one"):
            read_model(model, "ranker")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(model: Path, value: float) -> None:
    write_model(model, "ranker", NOTE, {**ARRAYS, "scale": np.array([1.0, value])})
    with pytest.raises(UserError, match="scale holds something else than finite numbers"):
        read_model(model, "ranker")


def test_compressed_model_is_refused_unread(model: Path) -> None:
    np.savez_compressed(model, note=np.array('{"kind": "ranker"}'), weight0=np.zeros(10**6))
    model.write_bytes(sealed(model.read_bytes()))
    with pytest.raises(UserError, match="compressed, which such files never are"):
        read_model(model, "ranker")


def test_file_cut_short_anywhere_is_refused(model: Path) -> None:
    good = model.read_bytes()
    for length in range(0, len(good), 17):
        model.write_bytes(good[:length])
        with pytest.raises(UserError, match="not a model file, or a damaged one"):
            read_model(model, "ranker")
