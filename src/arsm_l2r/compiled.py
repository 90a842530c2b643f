"""Compiled programs kept on disk, so that the next process need not compile them again.

TensorFlow writes and reads them: one file per program, written beside its place and then renamed,
so that two processes can write at once. A program is found by what it computes, so that changed
code is another one. The folder is in the user's cache directory; the environment variable
`ARSM_L2R_CACHE` names another, or is `off`.
"""

import hashlib
import importlib.metadata
import os
import platform
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arsm_l2r.errors import UserError

VARIABLE = "ARSM_L2R_CACHE"
_FLAGS, _FLAG = "TF_XLA_FLAGS", "--tf_xla_persistent_cache_directory="
_MOST_BYTES = 2**30
_LEAST_FREE = 2**28

T = TypeVar("T")


def keep_programs_on_disk() -> Path | None:
    """Tell TensorFlow, before it compiles anything, where to keep programs.

    Returns:
        The folder; None if there is none, because it is not wanted, cannot be written, has no room,
        or can be written by others, whose programs must not be run.
    """
    if _FLAG in os.environ.get(_FLAGS, ""):
        return None  # somebody has decided already
    folder = _folder()
    if folder is None or not _usable(folder):
        return None
    _drop_oldest(folder)
    os.environ[_FLAGS] = f"{os.environ.get(_FLAGS, '')} {_FLAG}{folder}".strip()
    return folder


def with_programs_on_disk(compute: Callable[[], T]) -> T:
    """Compute something that may read or write programs on disk.

    Raises:
        UserError: if that fails. The programs are then gone: a damaged one fails only once. (Within
            this process TensorFlow would not try again.)
    """
    from arsm_l2r.tensorflow import tf

    try:
        return compute()
    except tf.errors.OpError as error:
        folder = _folder()
        if folder is None or str(folder) not in os.environ.get(_FLAGS, "") or not _told_of(error):
            raise
        for path in folder.glob("*.pb"):
            path.unlink(missing_ok=True)
        raise UserError(
            f"compiled programs in {folder} were damaged, or could not be written; they have been "
            f"removed, and the same command will compile them anew. {VARIABLE}=off does without "
            f"them, {VARIABLE}=FOLDER keeps them elsewhere"
        ) from error


def _told_of(error: Exception) -> bool:
    """Whether an error is about a file of a program."""
    text = str(error)
    signs = ("xla_compile_cache", "Serialized cache key", "Read less bytes", "binary proto")
    return any(sign in text for sign in signs)


def _folder() -> Path | None:
    told = os.environ.get(VARIABLE, "")
    if told.lower() in ("off", "0", "no", "false"):
        return None
    if told:
        base = Path(told).absolute()
    else:
        try:
            folder = "Library/Caches" if sys.platform == "darwin" else ".cache"
            home = os.environ.get("XDG_CACHE_HOME") or Path.home() / folder
        except RuntimeError:  # a user without a home, as in containers
            return None
        base = Path(home) / "arsm-l2r"
    return base / "compiled" / this_machine()


def _usable(folder: Path) -> bool:
    if any(letter.isspace() for letter in str(folder)):
        return False  # flags are parted at white space
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
        room = shutil.disk_usage(folder).free > _LEAST_FREE
    except OSError:
        return False
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return room and found.st_uid == os.getuid() and not others and os.access(folder, os.W_OK)


def _drop_oldest(folder: Path) -> None:
    """Make room if the programs have become many."""
    try:
        kept = sorted(
            (path.stat().st_mtime, path.stat().st_size, path) for path in folder.iterdir()
        )
    except OSError:  # another process is doing it
        return
    total = sum(size for _, size, _ in kept)
    for _, size, path in kept:
        if total <= _MOST_BYTES:
            break
        path.unlink(missing_ok=True)
        total -= size


def this_machine() -> str:
    """Names what compiled programs may depend on: the processor and TensorFlow."""
    processor = Path("/proc/cpuinfo")
    told = processor.read_text() if processor.exists() else platform.processor()
    kept = {line for line in told.splitlines() if line.startswith(("model name", "flags"))}
    facts = [*sorted(kept), platform.machine(), importlib.metadata.version("tensorflow")]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
