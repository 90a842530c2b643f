"""The lines of a LETOR file as text: what stands before `#`, and the comment after it."""

import hashlib
from codecs import BOM_UTF8
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import polars as pl

from arsm_l2r.errors import ParseError


def read_lines(path: Path, content: bytes | None = None) -> pl.DataFrame:
    """Read the non-blank lines of a LETOR or SVMlight text file.

    Accepts LF and CRLF line ends and a leading byte-order mark.

    Args:
        path: the file.
        content: what is in it, if that has been read already.

    Returns:
        One row per line: `number` (1-based position in the file), `body` (the text before
        the first `#`, trailing white space removed) and `comment` (the text after it, or null).
    """
    try:
        # An open file, because polars takes a path with * ? or [ in it for a pattern.
        with _opened(path, content) as file:
            if file.read(len(BOM_UTF8)) != BOM_UTF8:
                file.seek(0)
            lines = pl.read_lines(file, name="line", row_index_name="number", row_index_offset=1)
    except pl.exceptions.ComputeError as error:
        raise _encoding_error(path, content) from error
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror or error}") from error
    halves = pl.col("line").str.splitn("#", 2)
    return (
        lines.with_columns(halves.struct.rename_fields(["body", "comment"]))
        .unnest("line")
        .with_columns(pl.col("body").str.strip_chars_end(" \t\r"))
        .filter((pl.col("body") != "") | pl.col("comment").is_not_null())
    )


def fingerprint(bodies: pl.Series) -> str:
    """Hash the text that carries labels, queries and features: sha256 over the lines' bodies.

    Line ends, comments and trailing white space do not count, so that copies of a data set
    that differ only in those have one fingerprint.
    """
    digest = hashlib.sha256()
    for piece in bodies.to_frame("body").iter_slices(8192):
        joined: str = piece["body"].str.join("\n").item()
        digest.update(joined.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def ends_without_newline(path: Path, content: bytes | None = None) -> bool:
    """Whether text follows the file's last line end."""
    with _opened(path, content) as file:
        file.seek(max(0, file.seek(0, 2) - 4096))
        return not file.read().rstrip(b" \t\r").endswith(b"\n")


def _opened(path: Path, content: bytes | None) -> BinaryIO:
    return path.open("rb") if content is None else BytesIO(content)


def _encoding_error(path: Path, content: bytes | None) -> ParseError:
    content = path.read_bytes() if content is None else content
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        start = content.rfind(b"\n", 0, error.start) + 1
        text = content[start : error.start + 20]
        return ParseError(f"{path}:{line}: not UTF-8 text: {text[-60:]!r}")
    return ParseError(f"{path}: cannot be read as lines of text")
