"""Unpack RAR archives, with whatever program is installed that can, and keep an eye on it."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from arsm_l2r.errors import FetchError
from arsm_l2r.letor.disk import need_room
from arsm_l2r.letor.unpacking import Allowance, refuse_link, refuse_outside

RAR_PROGRAMS: dict[str, tuple[list[str], list[str]]] = {
    "unrar": (["lb", "{archive}"], ["x", "-inul", "-y", "{archive}", "{folder}/"]),
    "7zz": (["l", "-ba", "-slt", "{archive}"], ["x", "-y", "-o{folder}", "{archive}"]),
    "7z": (["l", "-ba", "-slt", "{archive}"], ["x", "-y", "-o{folder}", "{archive}"]),
    "bsdtar": (["-tf", "{archive}"], ["-xf", "{archive}", "-C", "{folder}"]),
    "unar": (
        ["{archive}"],
        ["-quiet", "-no-directory", "-output-directory", "{folder}", "{archive}"],
    ),
}
"""Programs that read RAR: their arguments to list an archive and to unpack it."""

_LOOK_EVERY = 0.1
_SPARE = 100_000_000
_LISTED = 4_096
"""Bytes of a listing for each member; what is longer lists more members than are allowed."""


class _UnreadableError(FetchError):
    """A program that could not read an archive; another one may."""


def unpack_rar(archive: Path, folder: Path, allowance: Allowance) -> Path:
    """Unpack with the first program that can: not every build reads every kind of RAR.

    Returns:
        The folder below the given one that has the files.
    """
    installed = [name for name in RAR_PROGRAMS if shutil.which(name)]
    if not installed:
        raise FetchError(
            f"{archive.name} is a RAR archive, which needs a program to unpack: install one of "
            f"{', '.join(RAR_PROGRAMS)} (Debian and Ubuntu: apt install libarchive-tools; "
            "macOS: brew install unar)"
        )
    need_room(folder, allowance.size)
    problems = []
    for program in installed:
        target = folder / program
        target.mkdir()
        try:
            _unpack(program, archive, target, allowance)
            return target
        except _UnreadableError as error:
            problems.append(str(error))
            shutil.rmtree(target)
    raise FetchError("; ".join(problems))


def _unpack(program: str, archive: Path, folder: Path, allowance: Allowance) -> None:
    listing, unpacking = RAR_PROGRAMS[program]
    lister = "lsar" if program == "unar" else program
    for line in _run(lister, listing, archive, folder, allowance).splitlines():
        refuse_outside(line.strip().removeprefix("Path = "))
    _run(program, unpacking, archive, folder, allowance)
    _look_at(folder, allowance)
    links = [path.name for path in folder.rglob("*") if path.is_symlink()]
    if links:
        refuse_link(links[0])


def _run(
    program: str, arguments: list[str], archive: Path, folder: Path, allowance: Allowance
) -> str:
    """Run a program, and kill it when it unpacks more than is allowed, or never ends."""
    # From the archive's folder, because some programs list the archive's own path too.
    name = f"./{archive.name}"
    command = [program, *(word.format(archive=name, folder=folder) for word in arguments)]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        started = time.monotonic()
        with subprocess.Popen(
            command,
            cwd=archive.parent,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=complained,
            process_group=0,  # some of these programs are scripts that start another
        ) as process:
            try:
                while process.poll() is None:
                    allowance.check(members=os.fstat(said.fileno()).st_size // _LISTED)
                    _look_at(folder, allowance)
                    if time.monotonic() - started > allowance.limits.seconds:
                        raise _UnreadableError(
                            f"{program} was not done with {archive.name} after "
                            f"{allowance.limits.seconds:g} s (fetching.seconds)"
                        )
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_LOOK_EVERY)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        said.seek(0)
        complained.seek(0)
        if process.returncode != 0:
            lines = complained.read(10_000).decode(errors="replace").strip().splitlines()
            reason = lines[0] if lines else f"exit code {process.returncode}"
            raise _UnreadableError(f"{program} could not read {archive.name}: {reason}")
        return said.read().decode(errors="replace")


def _look_at(folder: Path, allowance: Allowance) -> None:
    """Refuse what has been unpacked so far if it is too much, or hardly leaves room on the disk."""
    members = size = 0
    for place, folders, files in os.walk(folder):
        members += len(folders) + len(files)
        for file in files:
            with suppress(FileNotFoundError):  # renamed meanwhile
                size += Path(place, file).lstat().st_size
        allowance.check(members=members, size=size)
    need_room(folder, _SPARE)
