import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.training import checkpoint
from arsm_l2r.training.checkpoint import TrainingState, load_checkpoint, save_checkpoint


def state(epoch: int = 2) -> TrainingState:
    draw = np.random.default_rng(epoch)

    def arrays() -> list[np.ndarray]:
        return [draw.normal(size=shape).astype(np.float32) for shape in [(3, 2), (2,)] * 6]

    return TrainingState(
        epoch=epoch,
        weights=arrays(),
        average=arrays(),
        first=arrays(),
        second=arrays(),
        steps=7,
        best_weights=arrays(),
        best_value=0.1 + 0.2,
        best_epoch=1,
        history=[{"epoch": each, "objective": -1 / 3 / each} for each in range(1, epoch + 1)],
        seconds=1.5,
    )


def assert_same(found: TrainingState | None, expected: TrainingState) -> None:
    assert found is not None
    one, two = asdict(found), asdict(expected)
    for name in ("weights", "average", "first", "second", "best_weights"):
        for left, right in zip(one.pop(name), two.pop(name), strict=True):
            np.testing.assert_array_equal(left, right)
            assert left.dtype == right.dtype
    assert one == two


@pytest.mark.parametrize("epoch", [0, 1, 12])
def test_what_is_saved_is_read_back_to_the_last_bit(tmp_path: Path, epoch: int) -> None:
    save_checkpoint(tmp_path / "state", state(epoch), "mine")
    assert_same(load_checkpoint(tmp_path / "state", "mine"), state(epoch))


def test_state_before_any_selection_is_read_back(tmp_path: Path) -> None:
    fresh = state()
    fresh.best_value, fresh.best_epoch = -np.inf, 0
    save_checkpoint(tmp_path / "state", fresh, "mine")
    assert_same(load_checkpoint(tmp_path / "state", "mine"), fresh)


def test_no_checkpoint_means_a_fresh_start_without_a_word(tmp_path: Path, capsys) -> None:
    assert load_checkpoint(tmp_path / "state", "mine") is None
    assert capsys.readouterr() == ("", "")


def test_checkpoint_of_other_data_or_settings_is_not_used_and_that_is_said(
    tmp_path: Path, capsys
) -> None:
    path = tmp_path / "state"
    save_checkpoint(path, state(), "other")
    before = path.read_bytes()
    assert load_checkpoint(path, "mine") is None
    assert f"{path} is of other data, settings or code and is not used" in capsys.readouterr().err
    assert path.read_bytes() == before


def _truncated(good: bytes) -> bytes:
    return good[: len(good) // 2]


def _scribbled(good: bytes) -> bytes:
    middle = len(good) // 2
    return good[:middle] + bytes(64) + good[middle + 64 :]


def _unsupported(good: bytes) -> bytes:
    """Marked as compressed in a way that no program knows."""
    at = good.rindex(b"PK\x01\x02") + 10
    return good[:at] + b"\x63" + good[at + 1 :]


DAMAGES = {
    "cut in half": _truncated,
    "cut short by a byte": lambda good: good[:-1],
    "empty": lambda good: b"",
    "text": lambda good: b"not a checkpoint\n",
    "overwritten in the middle": _scribbled,
    "unknown compression": _unsupported,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_checkpoint_is_set_aside_and_that_is_said(tmp_path: Path, capsys, damage) -> None:
    path = tmp_path / "state"
    save_checkpoint(path, state(), "mine")
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    assert load_checkpoint(path, "mine") is None
    said = capsys.readouterr().err
    assert f"{path} is damaged" in said
    assert "set aside as state.damaged" in said
    assert [each.name for each in tmp_path.iterdir()] == ["state.damaged"]
    assert (tmp_path / "state.damaged").read_bytes() == damaged


def test_arrays_of_something_else_are_a_damaged_checkpoint(tmp_path: Path, capsys) -> None:
    for name, content in {"a": np.arange(3), "b": {"note": np.array(json.dumps([1]))}}.items():
        path = tmp_path / name
        with path.open("wb") as file:
            np.savez(file, **content) if isinstance(content, dict) else np.save(file, content)
        assert load_checkpoint(path, "mine") is None
        assert f"{path} is damaged" in capsys.readouterr().err


def test_interrupted_save_leaves_the_checkpoint_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_checkpoint(tmp_path / "state", state(1), "mine")

    def dies(file, **content) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint.np, "savez", dies)
        with pytest.raises(KeyboardInterrupt):
            save_checkpoint(tmp_path / "state", state(2), "mine")
    assert_same(load_checkpoint(tmp_path / "state", "mine"), state(1))
    assert [each.name for each in tmp_path.iterdir()] == ["state"]
