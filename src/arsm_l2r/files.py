"""Write files whole or not at all, and read them or say which cannot be read."""

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.errors import UserError
from arsm_l2r.locks import remove_abandoned, try_lock
from arsm_l2r.quiet import muted

BROKEN_TABLE = (OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars can raise on a damaged file: some damage makes it panic."""


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes `target` only if no error occurs.

    What a killed process left of an earlier try is removed.

    Raises:
        UserError: naming `target`, if it cannot be written.
    """
    prefix = f".{target.name}-"
    temporary = target.with_name(prefix + secrets.token_hex(8))
    with _told_of(target, temporary):
        _refuse_special(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_abandoned(target.parent, prefix)
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            try:
                try_lock(descriptor)
                yield temporary
            finally:
                os.close(descriptor)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def _refuse_special(target: Path) -> None:
    """Refuse to put a file in the place of a device or a pipe, which others use as such."""
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise UserError(f"{target}: cannot be written: a device or a pipe, not a file")


@contextmanager
def temporary_folder(beside: Path) -> Iterator[Path]:
    """Yield a new folder beside a path, and remove it at the end with all that is in it.

    What a killed process left of such a folder is removed.

    Raises:
        UserError: naming `beside`, if there can be no such folder.
    """
    prefix = f".{beside.name}-"
    folder = beside.with_name(prefix + secrets.token_hex(8))
    with _told_of(beside, folder):
        beside.parent.mkdir(parents=True, exist_ok=True)
        remove_abandoned(beside.parent, prefix)
        folder.mkdir()
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        try_lock(descriptor)
        yield folder
    finally:
        os.close(descriptor)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _told_of(target: Path, temporary: Path) -> Iterator[None]:
    """Tell an error in writing a temporary file as one of the file that it was to become."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        named = getattr(error, "filename", None)
        if named is not None and Path(str(named)) not in (temporary, *target.parents):
            raise  # of another file, which is named
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{target}: cannot be written: {reason}") from error


def write_json(target: Path, content: Any) -> None:
    """Write JSON the one way this project does: indented, keys in given order, no NaN."""
    with written_whole(target) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read JSON.

    Raises:
        UserError: if the file cannot be read or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not valid JSON: {error}") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file.

    Raises:
        UserError: if it cannot be read.
    """
    try:
        with muted():  # polars tells of damage on standard error, too, at length
            return pl.read_parquet(path, glob=False)
    except BROKEN_TABLE as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
