"""The lines of a LETOR file as text: what stands before `#`, and the comment after it."""

import hashlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import polars as pl

from arsm_l2r.errors import ParseError

BYTES_AT_ONCE = 2**23
"""How much text is read at a time: files may be larger than memory."""


@dataclass(frozen=True)
class TextPiece:
    """Some whole lines of a file.

    Attributes:
        path: the file.
        text: the lines.
        number: of the first of them in the file, from 1.
    """

    path: Path
    text: bytes
    number: int


def text_pieces(path: Path, content: bytes | None = None) -> Iterator[TextPiece]:
    """The text of a file, some whole lines at a time; without a leading byte-order mark.

    Args:
        path: the file.
        content: what is in it, if that has been read already.

    Raises:
        ParseError: if the file cannot be read.
    """
    try:
        with _opened(path, content) as file:
            if file.read(len(BOM_UTF8)) != BOM_UTF8:
                file.seek(0)
            number, rest = 1, b""
            while block := file.read(BYTES_AT_ONCE):
                end = block.rfind(b"\n") + 1
                if not end:  # a line that is longer than a block
                    rest += block
                    continue
                text, rest = rest + block[:end], block[end:]
                yield TextPiece(path, text, number)
                number += text.count(b"\n")
            if rest:
                yield TextPiece(path, rest, number)
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror or error}") from error


def lines_of(piece: TextPiece) -> pl.DataFrame:
    """The non-blank lines of some text; line ends may be LF or CRLF.

    Returns:
        One row per line: `number` (1-based position in the file), `body` (the text before
        the first `#`, trailing white space removed) and `comment` (the text after it, or null).

    Raises:
        ParseError: naming file and line of what is not UTF-8.
    """
    try:
        lines = pl.read_lines(
            BytesIO(piece.text),
            name="line",
            row_index_name="number",
            row_index_offset=piece.number,
        )
    except pl.exceptions.ComputeError as error:
        raise _encoding_error(piece) from error
    halves = pl.col("line").str.splitn("#", 2)
    return (
        lines.with_columns(halves.struct.rename_fields(["body", "comment"]))
        .unnest("line")
        .with_columns(pl.col("body").str.strip_chars_end(" \t\r"))
        .filter((pl.col("body") != "") | pl.col("comment").is_not_null())
    )


class Fingerprint:
    """Hashes the text that carries labels, queries and features: sha256 over the lines' bodies.

    Line ends, comments and trailing white space do not count, so that copies of a data set
    that differ only in those have one fingerprint.
    """

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, bodies: pl.Series) -> None:
        """Go on with the bodies of further lines."""
        for piece in bodies.to_frame("body").iter_slices(8192):
            joined: str = piece["body"].str.join("\n").item()
            self._digest.update(joined.encode())
            self._digest.update(b"\n")

    def __str__(self) -> str:
        return self._digest.hexdigest()


def ends_without_newline(path: Path, content: bytes | None = None) -> bool:
    """Whether text follows the file's last line end."""
    with _opened(path, content) as file:
        file.seek(max(0, file.seek(0, 2) - 4096))
        return not file.read().rstrip(b" \t\r").endswith(b"\n")


def _opened(path: Path, content: bytes | None) -> BinaryIO:
    # An open file, because polars takes a path with * ? or [ in it for a pattern.
    return path.open("rb") if content is None else BytesIO(content)


def _encoding_error(piece: TextPiece) -> ParseError:
    try:
        piece.text.decode()
    except UnicodeDecodeError as error:
        line = piece.number + piece.text.count(b"\n", 0, error.start)
        start = piece.text.rfind(b"\n", 0, error.start) + 1
        text = piece.text[start : error.start + 20]
        return ParseError(f"{piece.path}:{line}: not UTF-8 text: {text[-60:]!r}")
    return ParseError(f"{piece.path}: cannot be read as lines of text")
