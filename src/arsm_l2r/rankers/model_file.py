"""Saved models: arrays and JSON in one file, so that loading a stranger's cannot run code."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.files import UNREADABLE, written_whole

_NOTE = "note"


def write_model(path: Path, kind: str, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a model.

    Args:
        path: the file, replaced if it is there.
        kind: what kind of model it is; reading asks for the same kind.
        note: anything that JSON can hold.
        arrays: numbers by name.
    """
    text = json.dumps({"kind": kind, **note}, sort_keys=True)
    with written_whole(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **{_NOTE: np.array(text)}, **arrays)


def read_model(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the note and arrays of a model of a kind.

    Raises:
        UserError: if there is no such file, or it is not a model of that kind.
    """
    try:
        with np.load(path, allow_pickle=False) as content:
            note = json.loads(str(content[_NOTE]))
            arrays = {name: content[name] for name in content.files if name != _NOTE}
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such model file") from error
    except UNREADABLE as error:
        raise UserError(f"{path}: not a model file, or a damaged one: {error}") from error
    if not isinstance(note, dict) or note.get("kind") != kind:
        found = note.get("kind") if isinstance(note, dict) else note
        raise UserError(f"{path}: a model of kind {found!r}, not {kind!r}")
    return note, arrays
