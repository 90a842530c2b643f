"""Write files whole or not at all, and read them or say which cannot be read."""

import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.errors import UserError

UNREADABLE = (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile)
"""What reading arrays from a file that is damaged, or of another kind, can raise."""


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes `target` only if no error occurs."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


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
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path}: not valid JSON: {error}") from error


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file.

    Raises:
        UserError: if it cannot be read.
    """
    try:
        return pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
