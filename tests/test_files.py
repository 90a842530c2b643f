"""Files are written whole or not at all."""

import json
from pathlib import Path

import pytest

from arsm_l2r.files import write_json, written_whole


def write_then_fail(target: Path) -> None:
    with written_whole(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError("stopped")


def test_file_appears_when_it_is_done(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "a.txt"
    with written_whole(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
        assert temporary.parent == target.parent, "another disk could not be renamed from"
    assert target.read_text() == "whole"
    assert list(target.parent.iterdir()) == [target]


def test_failure_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stopped"):
        write_then_fail(tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


def test_failure_leaves_the_previous_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("previous")
    with pytest.raises(RuntimeError, match="stopped"):
        write_then_fail(target)
    assert target.read_text() == "previous"
    assert list(tmp_path.iterdir()) == [target]


def test_others_may_read_the_file(tmp_path: Path) -> None:
    with written_whole(tmp_path / "a.txt") as temporary:
        temporary.write_text("whole")
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o644


def test_json_keeps_the_order_of_keys_and_is_readable(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": ["é", None, 0.1]})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text == '{\n "b": 1,\n "a": [\n  "é",\n  null,\n  0.1\n ]\n}\n'
    assert json.loads(text) == {"b": 1, "a": ["é", None, 0.1]}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
def test_what_json_does_not_know_is_refused_and_nothing_written(
    tmp_path: Path, value: object
) -> None:
    with pytest.raises((ValueError, TypeError), match="JSON"):
        write_json(tmp_path / "a.json", {"a": value})
    assert list(tmp_path.iterdir()) == []
