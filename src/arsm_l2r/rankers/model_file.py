"""Saved models: arrays and JSON in one sealed file, so that loading a stranger's runs no code."""

from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.sealed import DamagedError, read_sealed, write_sealed

_TEXT = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F)) | frozenset(range(0x80, 0x100))
"""Bytes that stand in text."""


def write_model(path: Path, kind: str, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a model.

    Args:
        path: the file, replaced if it is there.
        kind: what kind of model it is; reading asks for the same kind.
        note: anything that JSON can hold.
        arrays: numbers by name.
    """
    write_sealed(path, {"kind": kind, **note}, arrays)


def read_model(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the note and arrays of a model of a kind.

    Raises:
        UserError: if there is no such file, or it is not a model of that kind.
    """
    try:
        note, arrays = read_sealed(path)
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such model file") from error
    except DamagedError as error:
        if text := _kind_of_text(path):
            raise UserError(
                f"{path}: looks like {text}, not a model; give the file that train saved"
            ) from error
        raise UserError(f"{path}: not a model file, or a damaged one: {error}") from error
    if note.get("kind") != kind:
        raise UserError(f"{path}: a model of kind {note.get('kind')!r}, not {kind!r}")
    return note, arrays


def _kind_of_text(path: Path) -> str | None:
    """What a file of text in place of a model seems to be, by its beginning; None if no text."""
    try:
        with path.open("rb") as file:
            beginning = file.read(4096)
    except OSError:
        return None
    if not beginning.strip() or not all(byte in _TEXT for byte in beginning):
        return None
    try:
        np.array(beginning.split(b"\n")[0].split(), dtype=float)
    except ValueError:
        return "text"
    return "a score file"
