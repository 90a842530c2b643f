"""Refuse files that cannot be written before the work that would fill them."""

import os
from pathlib import Path

from arsm_l2r.errors import UserError


def check_output(path: Path | None) -> None:
    """Raise UserError if no file can be written to `path`."""
    if path is None:
        return
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        raise UserError(f"{path}: is {kind}, not a file to write")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise UserError(f"{path}: cannot be written, because {folder} is not a folder")
    if not os.access(folder, os.W_OK):
        raise UserError(f"{path}: cannot be written, because {folder} must not be changed")
