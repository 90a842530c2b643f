"""Parse LETOR and SVMlight text into a typed table, one row per document.

A line reads `2 qid:17 1:0.25 … 46:0.5 #docid = some-name …`: label, query,
features (absent ones are 0), and an optional comment. The whole grammar is one regular
expression that polars runs over all lines; only a refused line is looked at from Python.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from arsm_l2r.errors import ParseError
from arsm_l2r.letor.lines import ends_without_newline, read_lines

MAX_LABEL = 30
"""Labels above this are refused: the gain 2^label - 1 stops making sense long before."""

MAX_FEATURES = 100_000
"""Feature numbers above this are taken for a slip, not for a feature."""

_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FEATURE = rf"[0-9]+:{_NUMBER}"
_HEAD = r"[ \t]*([0-9]+)[ \t]+qid:([0-9]+)"
_LINE = rf"^{_HEAD}(?:[ \t]+{_FEATURE})*$"
_LINES_AT_ONCE = 1024


@dataclass(frozen=True)
class ParsedFile:
    """A parsed file.

    Attributes:
        path: where it was read from.
        table: `label` (UInt8), `qid` (Int64), `docid` (String, null where the line names
            none), `f1` … `fP` (Float32).
        line_numbers: the 1-based line in the file that each row of the table came from.
        bodies: the text before `#` of each of those lines, which fingerprints are made of.
    """

    path: Path
    table: pl.DataFrame
    line_numbers: pl.Series
    bodies: pl.Series


def parse_file(path: Path, *, features: int | None = None, sparse: bool = False) -> ParsedFile:
    """Parse a LETOR or SVMlight file.

    Args:
        path: the text file.
        features: how many features there are; a higher feature number is then an error, and so
            is a highest number that is lower, unless lines are `sparse`.
            If not given, the highest number in the file decides.
        sparse: lines may leave out features that are 0, so that the last ones may never occur.

    Raises:
        ParseError: naming file, line and offending text of the first line that is malformed.
    """
    lines = read_lines(path)
    if lines.is_empty():
        raise ParseError(f"{path}: holds no documents")
    refused = lines.filter(~pl.col("body").str.contains(_LINE))
    if not refused.is_empty():
        raise _explain(path, refused[0])
    if not sparse:
        _refuse_truncated_end(path, lines)

    heads = lines["body"].str.extract_groups(rf"^{_HEAD}").struct
    labels = heads.field("1").cast(pl.Int64, strict=False)
    qids = heads.field("2").cast(pl.Int64, strict=False)
    _refuse_first(path, lines, labels.is_null() | (labels > MAX_LABEL), "label too large", 0)
    _refuse_first(path, lines, qids.is_null(), "query number too large", 1)

    matrix = _features(path, lines, features, sparse)
    table = pl.DataFrame(
        [
            labels.cast(pl.UInt8).rename("label"),
            qids.rename("qid"),
            lines["comment"].str.extract(r"docid[ \t]*=[ \t]*([^\s]+)").rename("docid"),
            *(pl.Series(f"f{number}", column) for number, column in enumerate(matrix, start=1)),
        ]
    )
    return ParsedFile(path, table, lines["number"], lines["body"])


def _features(path: Path, lines: pl.DataFrame, features: int | None, sparse: bool) -> np.ndarray:
    """The values of all features: (P, documents) float32, P the highest number if not given.

    A thousand lines at a time, which bounds the memory that the pieces of text take; on
    several threads, because polars works outside Python's lock.
    """
    starts = range(0, lines.height, _LINES_AT_ONCE)
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        pieces = (lines.slice(start, _LINES_AT_ONCE) for start in starts)
        blocks = list(pool.map(lambda piece: _block(path, piece, features), pieces))
    highest = max(map(len, blocks))
    if features is not None and highest < features and not sparse:
        raise ParseError(
            f"{path}: the highest feature number is {highest}, but there must be {features} "
            "features; if its lines leave out features that are 0, that is to be said (`sparse` "
            "of a data set, --sparse)"
        )
    matrix = np.zeros((features or highest, lines.height), dtype=np.float32)
    for start, block in zip(starts, blocks, strict=True):
        matrix[: len(block), start : start + block.shape[1]] = block
    return matrix


def _block(path: Path, lines: pl.DataFrame, features: int | None) -> np.ndarray:
    """The values of the features of some lines, in the same form, up to the highest number."""
    limit = features or MAX_FEATURES
    bodies = lines["body"].str.strip_chars_start(" \t")
    if any(bodies.str.contains(gap, literal=True).any() for gap in ("\t", "  ")):
        bodies = bodies.str.replace_all(r"[ \t]+", " ")
    # A line's words are its label, "qid" and query; then number and value of feature by feature.
    words = bodies.str.replace_all(":", " ", literal=True).str.split(" ").list.slice(3)
    entries = words.explode().drop_nulls()
    # An index that does not fit is far above any limit, and refused below as such.
    indices = entries.gather_every(2).cast(pl.UInt32, strict=False).fill_null(2**32 - 1).to_numpy()
    values = entries.gather_every(2, 1).cast(pl.Float64).cast(pl.Float32).to_numpy()
    rows = np.repeat(np.arange(lines.height, dtype=np.int32), words.list.len().to_numpy() // 2)

    unordered = np.zeros(len(indices), dtype=bool)
    unordered[1:] = (indices[1:] <= indices[:-1]) & (rows[1:] == rows[:-1])
    for wrong, problem in (
        (indices == 0, "feature numbers start at 1"),
        (indices > limit, f"feature number above {limit}"),
        (unordered, "feature numbers must increase, each at most once"),
        (np.isinf(values), "value too large for a 32-bit float"),
    ):
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            position = at - int(np.searchsorted(rows, rows[at]))
            raise _refusal(path, lines[int(rows[at])], problem, 2 + position)
    block = np.zeros((int(indices.max(initial=0)), lines.height), dtype=np.float32)
    block[indices - np.uint32(1), rows] = values
    return block


def _refuse_first(
    path: Path, lines: pl.DataFrame, wrong: pl.Series, problem: str, token: int
) -> None:
    if wrong.any():
        raise _refusal(path, lines.filter(wrong)[0], problem, token)


def _refuse_truncated_end(path: Path, lines: pl.DataFrame) -> None:
    """Refuse a file cut off inside its last line.

    A last line without a line end is fine by itself; it is taken for cut off when it also
    lacks what every line before it has: all features up to the same last one, or a comment. Lines
    that leave features out, as sparse ones do, may well be of different lengths.
    """
    if lines.height < 2 or not ends_without_newline(path):
        return
    lengths = lines["body"].str.count_matches(":") - 1  # not that of the query
    lasts = lines["body"].str.extract(r"[ \t]([0-9]+):[^ \t:]+$").cast(pl.UInt32, strict=False)
    whole = (lengths == lasts)[:-1].fill_null(False).all()
    shorter = whole and lengths[:-1].n_unique() == 1 and lengths[-1] < lengths[0]
    comments = lines["comment"].is_not_null()
    uncommented = comments[:-1].all() and not comments[-1]
    if shorter or uncommented:
        number, body = _number_and_body(lines[-1])
        raise ParseError(f"{path}:{number}: truncated last line: {_end(body)!r}")


def _number_and_body(line: pl.DataFrame) -> tuple[int, str]:
    return line["number"].item(), line["body"].item()


def _refusal(path: Path, line: pl.DataFrame, problem: str, token: int) -> ParseError:
    number, body = _number_and_body(line)
    return ParseError(f"{path}:{number}: {problem}: {body.split()[token]!r}")


def _explain(path: Path, line: pl.DataFrame) -> ParseError:
    """Say what is wrong with a line that the grammar refused."""
    number, body = _number_and_body(line)
    tokens = body.split()
    if not tokens:
        return ParseError(f"{path}:{number}: a comment without a document")
    if not re.fullmatch("[0-9]+", tokens[0]):
        return _refusal(path, line, "label is not a non-negative integer", 0)
    if len(tokens) < 2 or not tokens[1].startswith("qid:"):
        return ParseError(f"{path}:{number}: no 'qid:' after the label: {body[:60]!r}")
    if not re.fullmatch("qid:[0-9]+", tokens[1]):
        return _refusal(path, line, "query number is not a non-negative integer", 1)
    for position, token in enumerate(tokens[2:], start=2):
        index, colon, value = token.partition(":")
        if not colon or not re.fullmatch("[0-9]+", index):
            return _refusal(path, line, "not a 'number:value' feature", position)
        if not re.fullmatch(_NUMBER, value):
            return _refusal(path, line, "feature value is not a finite number", position)
    return ParseError(f"{path}:{number}: unexpected character: {_end(body)!r}")


def _end(body: str) -> str:
    return body if len(body) <= 60 else "…" + body[-60:]
