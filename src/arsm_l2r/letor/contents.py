"""The bytes of a file that a user names: plain or compressed, or standard input."""

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

from arsm_l2r.errors import ParseError

STANDARD_INPUT = Path("-")
"""What stands for standard input in place of a file."""

_COMPRESSED: dict[bytes, tuple[str, Callable[[bytes], bytes]]] = {
    b"\x1f\x8b": ("gzip", gzip.decompress),
    b"BZh": ("bzip2", bz2.decompress),
    b"\xfd7zXZ\x00": ("xz", lzma.decompress),
}
"""How compressed files begin, and what unpacks them."""

_DAMAGED = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)


def shown(path: Path) -> Path:
    """What a file is called in messages."""
    return Path("standard input") if path == STANDARD_INPUT else path


def read_content(path: Path) -> bytes:
    """Read a file, or standard input if the path is `-`, and unpack gzip, bzip2 and xz.

    What is compressed is told from how it begins, not from its name.

    Raises:
        ParseError: naming the file, if it cannot be read, or is damaged.
    """
    if path == STANDARD_INPUT and sys.stdin is None:
        raise ParseError(f"{shown(path)}: is closed")
    try:
        content = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise ParseError(f"{shown(path)}: cannot be read: {error.strerror or error}") from error
    for beginning, (name, unpack) in _COMPRESSED.items():
        if content.startswith(beginning):
            try:
                return unpack(content)
            except _DAMAGED as error:
                raise ParseError(
                    f"{shown(path)}: damaged or cut off, cannot be unpacked by {name}: {error}"
                ) from error
    return content
