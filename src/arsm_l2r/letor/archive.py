"""Take files out of zip, tar and RAR archives: not too many, and none that would land elsewhere."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from arsm_l2r.errors import FetchError
from arsm_l2r.files import temporary_folder
from arsm_l2r.letor.limits import DEFAULTS, Fetching
from arsm_l2r.letor.rar import unpack_rar
from arsm_l2r.letor.unpacking import Allowance, DamagedArchiveError, refuse_link, refuse_outside

ARCHIVE_ENDINGS = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".zip", ".rar")

_TARS: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
"""How compressed tar archives begin, and what decompresses them."""

_HEADER = 4_096
"""Bytes of headers for each member of a tar archive, and more than any needs."""

_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,  # a zip archive that is encrypted, or packed in a way Python does not know
    ValueError,  # … or with damaged names
    LookupError,
    struct.error,
    OverflowError,
    MemoryError,
)


class _NoArchiveError(Exception):
    """A file of another kind."""


class Archive(Protocol):
    """An open archive: the paths of its files, and a way to read one."""

    def paths(self) -> list[str]:
        """The files in the archive, as relative paths with `/`."""

    def size(self, path: str) -> int:
        """How many bytes one of those files has."""

    def open(self, path: str) -> IO[bytes]:
        """Open it."""


@contextmanager
def open_archive(
    path: Path, *, limits: Fetching = DEFAULTS, scratch: Path | None = None
) -> Iterator[Archive]:
    """Open an archive, of whatever kind its first bytes say.

    Args:
        path: the archive.
        limits: what it may be unpacked to.
        scratch: folder for what has to be unpacked meanwhile; the system's if not given.

    Raises:
        DamagedArchiveError: if it is no archive, is damaged, holds more than the limits allow,
            or a member whose path leads out of the folder it would be unpacked into. Nothing has
            been unpacked then (of a RAR archive, nothing is left).
        FetchError: if it cannot be unpacked here.
    """
    with path.open("rb") as file:
        start = file.read(8)
    allowance = Allowance(path, limits)
    try:
        if start.startswith(b"PK"):
            with zipfile.ZipFile(path) as zipped:
                yield _Zip(zipped, allowance)
        elif start.startswith(b"Rar!"):
            with temporary_folder((scratch or Path(tempfile.gettempdir())) / "unrar") as folder:
                yield Folder(unpack_rar(path, folder.resolve(), allowance))
        else:
            decompress = next((_TARS[kind] for kind in _TARS if start.startswith(kind)), open)
            with decompress(path, "rb") as unpacked:
                yield _Tar(_Stream(unpacked, allowance), allowance)
    except _NoArchiveError as error:
        raise DamagedArchiveError(
            f"{path.name} is not an archive; it begins with {start!r}"
        ) from error
    except _BROKEN as error:
        if getattr(error, "errno", None) is not None:  # the disk's fault, not the archive's
            raise FetchError(f"{path.name} could not be unpacked: {error}") from error
        reason = str(error).partition("\n")[0].removesuffix(":") or type(error).__name__
        raise DamagedArchiveError(f"{path.name} is damaged: {reason}") from error


class _Zip:
    def __init__(self, archive: zipfile.ZipFile, allowance: Allowance) -> None:
        self._archive = archive
        members = archive.infolist()
        # No more is read of a member than the size that counts here.
        allowance.check(members=len(members), size=sum(info.file_size for info in members))
        for info in members:
            refuse_outside(info.filename)

    def paths(self) -> list[str]:
        return [info.filename for info in self._archive.infolist() if not info.is_dir()]

    def size(self, path: str) -> int:
        return self._archive.getinfo(path).file_size

    def open(self, path: str) -> IO[bytes]:
        return self._archive.open(path)


class _Stream(io.BufferedIOBase):
    """A tar archive without its compression, of which no more is unpacked than is allowed."""

    def __init__(self, unpacked: IO[bytes], allowance: Allowance) -> None:
        self._unpacked, self._allowance = unpacked, allowance
        self._headers: int | None = _HEADER * (100 + allowance.limits.members)
        self._end = allowance.bytes + self._headers

    def walked(self) -> None:
        """From now on members are read; until now it was headers only, and not too long ones."""
        self._headers = None

    def read(self, size: int | None = -1) -> bytes:
        if self._headers is not None:
            wanted = self._end if size is None or size < 0 else size
            if wanted > self._headers:
                raise DamagedArchiveError("has headers that are longer than any data set needs")
            self._headers -= wanted
        return self._unpacked.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        if offset < 0:
            raise tarfile.ReadError("a member of negative size")
        if offset > self._end:
            self._allowance.check(size=offset)
        return self._unpacked.seek(offset, whence)

    def tell(self) -> int:
        return self._unpacked.tell()


class _Tar:
    def __init__(self, stream: _Stream, allowance: Allowance) -> None:
        try:
            self._archive = tarfile.TarFile(fileobj=stream)
        except tarfile.ReadError as error:
            raise _NoArchiveError from error
        self._files = {}
        size = 0
        # A member is refused at its header, before what follows is decompressed.
        for number, member in enumerate(self._archive, start=1):
            size += member.size
            allowance.check(members=number, size=size)
            refuse_outside(member.name)
            if member.issym() or member.islnk():
                refuse_link(member.name)
            if member.isfile():
                self._files[member.name] = member
        stream.walked()

    def paths(self) -> list[str]:
        return list(self._files)

    def size(self, path: str) -> int:
        return self._files[path].size

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

    def size(self, path: str) -> int:
        """Bytes of one of those files."""
        return (self._folder / path).stat().st_size

    def open(self, path: str) -> IO[bytes]:
        """Open one of those files."""
        return (self._folder / path).open("rb")
