"""What belongs to a process for as long as it lives, by locks that end with it, however it ends.

Where a file system has no locks, nothing is locked, and nothing is taken for abandoned.
"""

import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover: Windows
    fcntl = None  # type: ignore[assignment]

_NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe would else wait for somebody who writes to it."""

_FRESH = 60.0
"""Seconds for which nothing is taken for abandoned: its owner may be about to lock it."""

_SAY_AGAIN = 300.0
"""Seconds after which somebody who waits says so again."""


def lock(descriptor: int) -> bool:
    """Lock an open file or folder for this process; whether nobody else has locked it.

    The lock ends when the file is closed, or with the process.

    Raises:
        OSError: if the file system has no locks.
    """
    if fcntl is None:
        raise OSError("no locks on this system")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def try_lock(descriptor: int) -> None:
    """Lock an open file or folder where that is possible."""
    try:
        lock(descriptor)
    except OSError:
        return


def remove_abandoned(folder: Path, prefix: str) -> None:
    """Remove files and folders that a killed process has left.

    Args:
        folder: where to look.
        prefix: what their names begin with; 16 hexadecimal digits follow, and nothing else is
            touched. Their owners lock them for as long as they live.
    """
    made = re.compile(re.escape(prefix) + "[0-9a-f]{16}")
    for path in folder.iterdir():
        if made.fullmatch(path.name) and _abandoned(path):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _abandoned(path: Path) -> bool:
    """Whether a file or folder is old, and no living process has locked it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NOT_A_LINK | _NO_WAIT)
    except OSError:  # gone, or not ours
        return False
    try:
        return time.time() - os.fstat(descriptor).st_mtime > _FRESH and lock(descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)


@contextmanager
def alone(path: Path, doing: str, *, pause: float = 0.5) -> Iterator[None]:
    """Do something that two processes must not do at the same time; the second waits.

    Args:
        path: what they would both write to. Its lock is a file beside it.
        doing: what this process wants to do, for messages, such as `train`.
        pause: seconds between two looks.
    """
    place = path.with_name(f"{path.name}.lock")
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor = _acquired(place, doing, pause)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
        os.close(descriptor)


def _acquired(place: Path, doing: str, pause: float) -> int:
    """An open lock file that is locked, and still the one of that name."""
    told = -_SAY_AGAIN
    while True:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | _NOT_A_LINK, 0o666)
        try:
            ours = lock(descriptor)
        except OSError as error:
            _say(f"{place}: no locks here ({error}); nothing else may {doing} at the same time")
            return descriptor
        if ours and _is(place, descriptor):
            with suppress(OSError):  # on a full disk it stays unsaid
                os.truncate(descriptor, 0)
                os.pwrite(descriptor, f"process {os.getpid()} on {platform.node()}".encode(), 0)
            return descriptor
        if not ours and time.monotonic() - told >= _SAY_AGAIN:
            owner = os.pread(descriptor, 200, 0).decode(errors="replace") or "another process"
            _say(f"{owner} has {place} and is at the same work; waiting to {doing} until it ends")
            told = time.monotonic()
        os.close(descriptor)
        time.sleep(pause)


def _is(place: Path, descriptor: int) -> bool:
    """Whether a name still stands for an open file: its last owner may have removed it."""
    try:
        return os.path.samestat(place.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
