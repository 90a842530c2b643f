"""Which GPUs are taken, by locks that end with their process, however it ends.

The lock files lie in a folder that anybody could have made before: it is used only if nobody else
can write to it.
"""

import errno
import fcntl
import os
import pwd
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from urllib.parse import quote

from arsm_l2r.errors import UserError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def least_busy(names: Sequence[str], folder: Path) -> Iterator[str]:
    """Keep a lock on the GPU with the fewest jobs, and yield its name.

    Args:
        names: of the GPUs.
        folder: of the lock files; made if it is not there.

    Raises:
        UserError: if others may write to the folder, or a lock file is a link.
    """
    with _own(folder) as opened:
        name, lock = _locked(names, folder, opened)
    try:
        yield name
    finally:
        os.close(lock)


@contextmanager
def _own(folder: Path) -> Iterator[int]:
    """Open a folder that only this user can write to."""
    advice = "remove it, or set TMPDIR to a folder of your own"
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700, parents=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise UserError(f"{folder}: a link, or no folder, where locks of GPUs belong; {advice}")
        if found.st_uid != os.getuid():
            raise UserError(
                f"{folder}: the folder for locks of GPUs belongs to {_user(found.st_uid)}, not to "
                f"{_user(os.getuid())}; {advice}"
            )
        opened = os.open(folder, _FOLDER)
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be made a folder for locks of GPUs: {error.strerror}; {advice}"
        ) from error
    try:
        # What was opened, should it not be what was looked at.
        now = os.fstat(opened)
        if now.st_uid != os.getuid() or now.st_mode & _OTHERS_WRITE:
            raise UserError(
                f"{folder}: others may write to the folder for locks of GPUs "
                f"(mode {stat.S_IMODE(now.st_mode):o}); {advice}"
            )
        yield opened
    finally:
        os.close(opened)


def _locked(names: Sequence[str], folder: Path, opened: int) -> tuple[str, int]:
    """The GPU with the fewest jobs, and the locked file of one more job on it."""
    for jobs in count():
        for name in names:
            file = f"{quote(name, safe='')}.{jobs}"
            lock = _open(folder / file, opened)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(lock)
                if not isinstance(error, BlockingIOError):
                    raise UserError(f"{folder / file}: no lock: {error.strerror}") from error
            else:
                return name, lock
    raise AssertionError("unreachable")


def _open(file: Path, folder: int) -> int:
    """Open a lock file, and leave what is in it."""
    try:
        return os.open(file.name, _FILE, 0o600, dir_fd=folder)
    except OSError as error:
        why = "a link" if error.errno == errno.ELOOP else error.strerror
        raise UserError(f"{file}: no lock file: {why}; remove it") from error


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
