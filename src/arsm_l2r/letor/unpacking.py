"""What may be unpacked: where members of an archive may lie, how many and how large they may be."""

from pathlib import Path, PurePosixPath

from arsm_l2r.errors import FetchError
from arsm_l2r.letor.limits import Fetching


class DamagedArchiveError(FetchError):
    """An archive that cannot be read or must not be unpacked, or a file that is no archive."""


def refuse_outside(path: str) -> None:
    """Refuse a member whose path leads out of the folder that it is unpacked into."""
    normal = path.replace("\\", "/")
    pure = PurePosixPath(normal)
    if pure.is_absolute() or ".." in pure.parts or normal[1:2] == ":":
        raise DamagedArchiveError(f"holds a member that would land outside its folder: {path!r}")


def refuse_link(path: str) -> None:
    """Refuse a member that is a link."""
    raise DamagedArchiveError(f"holds a link, which no data set needs: {path!r}")


class Allowance:
    """What an archive may be unpacked to.

    Attributes:
        limits: the limits of all archives.
        size: of this one, in bytes.
    """

    def __init__(self, archive: Path, limits: Fetching) -> None:
        self.limits, self.size = limits, archive.stat().st_size
        self._name = archive.name

    @property
    def bytes(self) -> int:
        """How many bytes it may be unpacked to."""
        return int(min(self.limits.unpacked, self.limits.ratio * self.size))

    def check(self, *, members: int = 0, size: int = 0) -> None:
        """Refuse an archive that holds so many members, or unpacks to so many bytes, or more."""
        if members > self.limits.members:
            allowed = f"more than {self.limits.members:,} members (fetching.members)"
            raise DamagedArchiveError(f"{self._name} is not unpacked: it holds {allowed}")
        if size > self.limits.unpacked:
            allowed = f"{self.limits.unpacked:,} are allowed (fetching.unpacked)"
        elif size > self.bytes:
            allowed = f"{self.limits.ratio:g} times its {self.size:,} are allowed (fetching.ratio)"
        else:
            return
        raise DamagedArchiveError(
            f"{self._name} is not unpacked: it would become {size:,} bytes or more, and {allowed}"
        )
