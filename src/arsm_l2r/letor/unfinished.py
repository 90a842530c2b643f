"""The beginning of a file that is being downloaded, to go on with later."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arsm_l2r.errors import FetchError


class UselessError(FetchError):
    """What was received is nothing to go on with, or cannot be kept."""


@contextmanager
def _storing() -> Iterator[None]:
    """Tell trouble with the disk from trouble with the network, after which one tries again."""
    try:
        yield
    except OSError as error:
        raise UselessError(f"cannot be stored: {error}") from error


@dataclass(frozen=True)
class Unfinished:
    """What there is of a file, and beside it a note of which version of the file it is."""

    path: Path

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def version(self) -> str | None:
        """What the server named the version; without a name there is nothing to go on with."""
        version = self._noted.get("version")
        return version if self.size and _usable(version) else None

    @property
    def total(self) -> int | None:
        """How many bytes the server said the whole file has."""
        total = self._noted.get("total")
        return total if isinstance(total, int) else None

    @property
    def _noted(self) -> dict[str, Any]:
        try:
            noted = json.loads(self._note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return noted if isinstance(noted, dict) else {}

    @_storing()
    def begin(self, version: str | None, total: int | None) -> io.FileIO:
        """Start anew, with the beginning of a file of that version; opened to be written."""
        self.discard()
        if _usable(version):
            note = {"version": version, "total": total}
            self._note.write_text(json.dumps(note), encoding="utf-8")
        return self.path.open("wb", buffering=0)

    @_storing()
    def resume(self) -> io.FileIO:
        """Open it to write what follows."""
        return self.path.open("ab", buffering=0)

    @staticmethod
    @_storing()
    def write(file: io.FileIO, block: bytes) -> None:
        """Write all of a block."""
        rest = memoryview(block)
        while rest:
            rest = rest[file.write(rest) :]

    def become(self, target: Path) -> None:
        """Give the finished file its place."""
        self._note.unlink(missing_ok=True)
        self.path.replace(target)

    def discard(self) -> None:
        """Keep nothing."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    @property
    def _note(self) -> Path:
        return self.path.with_name(self.path.name + ".json")


def _usable(version: object) -> bool:
    """Whether it can be sent back to the server, and names one sequence of bytes (not weak)."""
    if not isinstance(version, str) or not version or version.startswith("W/"):
        return False
    return version.isascii() and version.isprintable()
