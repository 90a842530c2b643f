"""Take files out of zip, tar and RAR archives, and nothing that would land elsewhere."""

import lzma
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from arsm_l2r.errors import FetchError

ARCHIVE_ENDINGS = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".zip", ".rar")

_COMPRESSED_TAR = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,  # a zip archive that is encrypted, or packed in a way Python does not know
    UnicodeDecodeError,  # … or with damaged names
)

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


class Archive(Protocol):
    """An open archive: the paths of its files, and a way to read one."""

    def paths(self) -> list[str]:
        """The files in the archive, as relative paths with `/`."""

    def open(self, path: str) -> IO[bytes]:
        """Open one of those files."""


class DamagedArchiveError(FetchError):
    """An archive that cannot be read, or a file that is no archive."""


@contextmanager
def open_archive(path: Path, *, scratch: Path | None = None) -> Iterator[Archive]:
    """Open an archive, of whatever kind its first bytes say.

    Args:
        path: the archive.
        scratch: folder for what has to be unpacked meanwhile; the system's if not given.

    Raises:
        DamagedArchiveError: if it is no archive, or is damaged.
        FetchError: if it cannot be unpacked here, or has a member whose path leads out of the
            folder it would be unpacked into. Nothing has been unpacked then.
    """
    with path.open("rb") as file:
        start = file.read(8)
    try:
        if start.startswith(b"PK"):
            with zipfile.ZipFile(path) as zipped:
                yield _Zip(zipped)
        elif start.startswith(b"Rar!"):
            with tempfile.TemporaryDirectory(prefix=".unrar-", dir=scratch) as folder:
                yield _unpacked_rar(path, Path(folder).resolve())
        elif start.startswith(_COMPRESSED_TAR) or tarfile.is_tarfile(path):
            with tarfile.open(path) as tarred:
                yield _Tar(tarred)
        else:
            raise DamagedArchiveError(f"{path.name} is not an archive; it begins with {start!r}")
    except _BROKEN as error:
        if getattr(error, "errno", None) is not None:  # the disk's fault, not the archive's
            raise FetchError(f"{path.name} could not be unpacked: {error}") from error
        reason = str(error).partition("\n")[0].removesuffix(":")
        raise DamagedArchiveError(f"{path.name} is damaged: {reason}") from error


def refuse_outside(path: str) -> None:
    """Refuse a member whose path leads out of the folder that it is unpacked into."""
    normal = path.replace("\\", "/")
    pure = PurePosixPath(normal)
    if pure.is_absolute() or ".." in pure.parts or normal[1:2] == ":":
        raise FetchError(f"holds a member that would land outside its folder: {path!r}")


class _Zip:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        for name in archive.namelist():
            refuse_outside(name)

    def paths(self) -> list[str]:
        return [info.filename for info in self._archive.infolist() if not info.is_dir()]

    def open(self, path: str) -> IO[bytes]:
        return self._archive.open(path)


class _Tar:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._files = {}
        for member in archive.getmembers():
            refuse_outside(member.name)
            if member.issym() or member.islnk():
                raise FetchError(f"holds a link, which no data set needs: {member.name!r}")
            if member.isfile():
                self._files[member.name] = member

    def paths(self) -> list[str]:
        return list(self._files)

    def open(self, path: str) -> IO[bytes]:
        opened = self._archive.extractfile(self._files[path])
        assert opened is not None, "regular files can be opened"
        return opened


class Folder:
    """An unpacked archive, or any folder, seen as an archive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def paths(self) -> list[str]:
        """The files below the folder; links to other folders are not followed."""
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return [path.relative_to(self._folder).as_posix() for path in files]

    def open(self, path: str) -> IO[bytes]:
        """Open one of those files."""
        return (self._folder / path).open("rb")


class _UnreadableError(FetchError):
    """A program that could not read an archive; another one may."""


def _unpacked_rar(archive: Path, folder: Path) -> Folder:
    """Unpack with the first program that can: not every build reads every kind of RAR."""
    installed = [name for name in RAR_PROGRAMS if shutil.which(name)]
    if not installed:
        raise FetchError(
            f"{archive.name} is a RAR archive, which needs a program to unpack: install one of "
            f"{', '.join(RAR_PROGRAMS)} (Debian and Ubuntu: apt install libarchive-tools; "
            "macOS: brew install unar)"
        )
    problems = []
    for program in installed:
        target = folder / program
        target.mkdir()
        try:
            _unpack_rar(program, archive, target)
            return Folder(target)
        except _UnreadableError as error:
            problems.append(str(error))
    raise FetchError("; ".join(problems))


def _unpack_rar(program: str, archive: Path, folder: Path) -> None:
    listing, unpacking = RAR_PROGRAMS[program]
    lister = "lsar" if program == "unar" else program
    for line in _run(lister, listing, archive, folder).splitlines():
        refuse_outside(line.strip().removeprefix("Path = "))
    _run(program, unpacking, archive, folder)
    links = [path.name for path in folder.rglob("*") if path.is_symlink()]
    if links:
        raise FetchError(f"holds a link, which no data set needs: {links[0]!r}")


def _run(program: str, arguments: list[str], archive: Path, folder: Path) -> str:
    # From the archive's folder, because some programs list the archive's own path too.
    name = f"./{archive.name}"
    command = [program, *(word.format(archive=name, folder=folder) for word in arguments)]
    done = subprocess.run(
        command, cwd=archive.parent, capture_output=True, text=True, errors="replace"
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        reason = said[0] if said else f"exit code {done.returncode}"
        raise _UnreadableError(f"{program} could not read {archive.name}: {reason}")
    return done.stdout
