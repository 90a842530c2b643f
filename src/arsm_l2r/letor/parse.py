"""Parse LETOR and SVMlight text into a typed table, one row per document.

A line reads `2 qid:17 1:0.25 … 46:0.5 #docid = some-name …`: label, query,
features (absent ones are 0), and an optional comment. The whole grammar is one regular
expression that polars runs over the lines; only a refused line is looked at from Python.
A file is read some megabytes at a time, on as many threads as polars has.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

from arsm_l2r.errors import ParseError
from arsm_l2r.letor.grammar import LETOR, Grammar, end_of, explain, refusal
from arsm_l2r.letor.lines import (
    Fingerprint,
    TextPiece,
    ends_without_newline,
    lines_of,
    text_pieces,
)

MAX_LABEL = 30
"""Labels above this are refused: the gain 2^label - 1 stops making sense long before."""

MAX_FEATURES = 100_000
"""Feature numbers above this are taken for a slip, not for a feature."""

_LINES_AT_ONCE = 1024
_LARGEST = np.finfo(np.float32).max

_STATED = "Column indices are zero-based"
"""A comment of scikit-learn's `dump_svmlight_file`."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class ParsedFile:
    """A parsed file.

    Attributes:
        path: where it was read from.
        table: `label` (UInt8), `qid` (Int64), `docid` (String, null where the line names
            none), `f1` … `fP` (Float32). With the grammar `OWN`, `label` is null where no line has
            one, and `qid` is a String.
        line_numbers: the 1-based line in the file that each row of the table came from.
        fingerprint: of the text before `#` of each of those lines.
        zero_based: whether its features are numbered from 0; `f1` then has number 0.
    """

    path: Path
    table: pl.DataFrame
    line_numbers: pl.Series
    fingerprint: str
    zero_based: bool = False


@dataclass(frozen=True)
class ParsedLines:
    """Some lines of a file, parsed: see `ParsedFile`.

    Attributes:
        table: with as many features as are known to be, or else as the lines have.
        line_numbers: the line of each row.
        bodies: the text before `#` of each line.
        size: of the text in bytes.
    """

    table: pl.DataFrame
    line_numbers: pl.Series
    bodies: pl.Series
    size: int


@dataclass(frozen=True)
class Form:
    """What is known about a file, by which its lines are read.

    Attributes:
        features: how many there are; a higher feature number is then an error, and so is a highest
            number that is lower, unless lines are `sparse`. If not given, the highest number in
            the file decides.
        sparse: lines may leave out features that are 0, so that the last ones may never occur.
        clipped: values that are too large for a 32-bit float become the largest there is, rather
            than being refused.
        zero_based: whether features are numbered from 0.
    """

    features: int | None = None
    sparse: bool = False
    clipped: bool = False
    zero_based: bool = False

    @property
    def first(self) -> int:
        """The number of the first feature."""
        return 0 if self.zero_based else 1


def parse_file(path: Path, *, features: int | None = None, sparse: bool = False) -> ParsedFile:
    """Parse a LETOR or SVMlight file, as the workflow does: to the letter.

    Args:
        path: the text file.
        features: see `Form`.
        sparse: see `Form`.

    Raises:
        ParseError: naming file, line and offending text of the first line that is malformed.
    """
    return parse_text(path, LETOR, features=features, sparse=sparse, zero_based=False)


def parse_text(
    path: Path,
    grammar: Grammar,
    *,
    content: bytes | None = None,
    features: int | None = None,
    sparse: bool = False,
    zero_based: bool | None = None,
) -> ParsedFile:
    """Parse lines of a grammar.

    Args:
        path: the text file.
        grammar: what lines may be.
        content: of the file, if that has been read already.
        features: see `Form`.
        sparse: see `Form`.
        zero_based: whether features are numbered from 0. If not given, they are if one has the
            number 0, or a comment says so as scikit-learn's do.

    Raises:
        ParseError: see `parse_file`.
    """
    if zero_based is None:
        pieces = text_pieces(path, content)
        zero_based = any(in_parallel(lambda piece: _starts_at_0(lines_of(piece)), pieces))
    form = Form(features, sparse, zero_based=zero_based)
    tables, numbers, printed = [], [], Fingerprint()
    for parsed in parsed_lines(path, grammar, form, content=content):
        tables.append(parsed.table)
        numbers.append(parsed.line_numbers)
        printed.add(parsed.bodies)
    widest = max(tables, key=lambda table: table.width).columns
    filled = [
        table.with_columns(pl.lit(0, pl.Float32).alias(name) for name in widest[table.width :])
        for table in tables
    ]
    return ParsedFile(path, pl.concat(filled), pl.concat(numbers), str(printed), zero_based)


def parsed_lines(
    path: Path, grammar: Grammar, form: Form, *, content: bytes | None = None
) -> Iterator[ParsedLines]:
    """Parse a file some lines at a time, in order.

    Raises:
        ParseError: see `parse_file`; what is wrong with the file as a whole comes after its lines.
    """
    whole = _Whole(path, form, content)
    parse = partial(_parse, grammar, form, whole.ends_inside)
    for piece in in_parallel(parse, text_pieces(path, content)):
        whole.see(piece)
        if piece.parsed.table.height:
            yield piece.parsed
    whole.check()


def in_parallel(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None
) -> Iterator[Result]:
    """Results in order, computed on several threads (polars works outside Python's lock).

    No more are begun than a few ahead of the one that is asked for, which bounds the memory.
    """
    threads = threads or pl.thread_pool_size()
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > threads + 1:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class _Piece:
    """What a piece of a file says about the whole, besides its lines.

    Attributes:
        parsed: the lines.
        highest: how many features they have, by the highest number.
        unlabelled: the number of the first line without a label, if there is one.
        labelled: whether a line has a label.
        ends: of each line, what `_Whole` compares the last one by; None if nothing is compared.
    """

    parsed: ParsedLines
    highest: int
    unlabelled: int | None
    labelled: bool
    ends: pl.DataFrame | None


class _Whole:
    """What can be told of a file only when all of its pieces have been seen."""

    def __init__(self, path: Path, form: Form, content: bytes | None) -> None:
        self._path, self._form = path, form
        self.ends_inside = not form.sparse and _ends_inside(path, content)
        self._highest, self._rows = 0, 0
        self._unlabelled: int | None = None
        self._labelled = False
        self._ends: list[pl.DataFrame] = []
        self._last: tuple[int, str] = (0, "")

    def see(self, piece: _Piece) -> None:
        """Go on with a piece.

        Raises:
            ParseError: if some lines have labels and others do not.
        """
        self._labelled |= piece.labelled
        if self._unlabelled is None:
            self._unlabelled = piece.unlabelled
        if self._labelled and self._unlabelled is not None:
            raise _no_label(self._path, self._unlabelled)
        self._highest = max(self._highest, piece.highest)
        self._rows += piece.parsed.table.height
        if piece.ends is not None and piece.ends.height:
            self._ends.append(piece.ends)
            self._last = piece.parsed.line_numbers[-1], piece.parsed.bodies[-1]

    def check(self) -> None:
        """Refuse a file that has no documents, is cut off, or has fewer features than it must."""
        if not self._rows:
            raise ParseError(f"{self._path}: holds no documents")
        self._refuse_truncated_end()
        form = self._form
        if form.features is not None and self._highest < form.features and not form.sparse:
            raise ParseError(
                f"{self._path}: the highest feature number is {self._highest - 1 + form.first}, "
                f"but there must be {form.features} features"
                f"{'' if form.first else ', numbered from 0'}; if its lines leave out features "
                "that are 0, that is to be said (`sparse` of a data set, --sparse)"
            )

    def _refuse_truncated_end(self) -> None:
        """Refuse a file cut off inside its last line.

        A last line without a line end is fine by itself; it is taken for cut off when it also
        lacks what every line before it has: all features up to the same last one, or a comment.
        Lines that leave features out, as sparse ones do, may well be of different lengths.
        """
        if self._rows < 2 or not self._ends:
            return
        ends = pl.concat(self._ends)
        before, last = ends[:-1], ends.row(-1, named=True)
        same = before["whole"].all() and before["length"].n_unique() == 1
        shorter = same and last["length"] < before["length"][0]
        uncommented = before["comment"].all() and not last["comment"]
        if shorter or uncommented:
            number, body = self._last
            raise ParseError(f"{self._path}:{number}: truncated last line: {end_of(body)!r}")


def _ends_inside(path: Path, content: bytes | None) -> bool:
    try:
        return ends_without_newline(path, content)
    except OSError:
        return False  # reading it will say what is wrong


def _parse(grammar: Grammar, form: Form, ends_inside: bool, piece: TextPiece) -> _Piece:
    """Parse a piece of a file."""
    path, lines = piece.path, lines_of(piece)
    if grammar.comment_lines:
        lines = lines.filter(pl.col("body") != "")
    refused = lines.filter(~pl.col("body").str.contains(grammar.line))
    if not refused.is_empty():
        raise explain(path, refused[0], grammar)

    heads = lines["body"].str.extract_groups(rf"^{grammar.head}").struct
    unlabelled = heads.field("1").is_null()
    if unlabelled.any() and not unlabelled.all():
        raise _no_label(path, lines.filter(unlabelled)["number"][0])
    labels = heads.field("1").cast(pl.Int64, strict=False)
    too_large = (labels > MAX_LABEL) | (labels.is_null() & ~unlabelled)
    _refuse_first(path, lines, too_large, "label too large", 0)
    qids = heads.field("2")
    if grammar.queries_numbered:
        qids = qids.cast(pl.Int64, strict=False)
        _refuse_first(path, lines, qids.is_null(), "query number too large", 1)

    labelled = not unlabelled.all()
    matrix, highest = _features(form, 2 if labelled else 1, path, lines)
    table = pl.DataFrame(
        [
            labels.cast(pl.UInt8).rename("label"),
            qids.rename("qid"),
            lines["comment"].str.extract(r"docid[ \t]*=[ \t]*([^\s]+)").rename("docid"),
            *(pl.Series(f"f{number}", column) for number, column in enumerate(matrix, start=1)),
        ]
    )
    return _Piece(
        ParsedLines(table, lines["number"], lines["body"], len(piece.text)),
        highest,
        None if labelled or lines.is_empty() else lines["number"][0],
        labelled,
        _ends(lines, form) if ends_inside else None,
    )


def _no_label(path: Path, number: int) -> ParseError:
    return ParseError(f"{path}:{number}: no label, but other lines have labels")


def _starts_at_0(lines: pl.DataFrame) -> bool:
    """Whether a feature has the number 0, or a line that is a comment says that they do."""
    comments = lines.filter(pl.col("body") == "")["comment"]
    stated = comments.str.contains(_STATED, literal=True).any()
    return bool(stated or lines["body"].str.contains(r"[ \t]0+:").any())


def _ends(lines: pl.DataFrame, form: Form) -> pl.DataFrame:
    """Of each line how many features it has, whether these are all up to its last, and whether it
    has a comment.
    """
    length = pl.col("body").str.count_matches(":") - 1  # not that of the query
    last = pl.col("body").str.extract(r"[ \t]([0-9]+):[^ \t:]+$").cast(pl.UInt32, strict=False)
    return lines.select(
        length=length,
        whole=(length == last + (1 - form.first)).fill_null(False),
        comment=pl.col("comment").is_not_null(),
    )


def _features(form: Form, words: int, path: Path, lines: pl.DataFrame) -> tuple[np.ndarray, int]:
    """The values of all features of lines, and how many these have by the highest number.

    Values are (P, documents) float32, P by that number if it is not known. A thousand lines at a
    time, which bounds the memory that their pieces take. So many `words` stand before the features.
    """
    starts = range(0, lines.height, _LINES_AT_ONCE)
    blocks = [_block(form, words, path, lines.slice(start, _LINES_AT_ONCE)) for start in starts]
    found = max(map(len, blocks), default=0)
    matrix = np.zeros((form.features or found, lines.height), dtype=np.float32)
    for start, block in zip(starts, blocks, strict=True):
        matrix[: len(block), start : start + block.shape[1]] = block
    return matrix, found


def _block(form: Form, words: int, path: Path, lines: pl.DataFrame) -> np.ndarray:
    """The values of the features of some lines, in the same form, up to the highest number."""
    limit = (form.features or MAX_FEATURES) - 1 + form.first
    bodies = lines["body"].str.strip_chars_start(" \t")
    if any(bodies.str.contains(gap, literal=True).any() for gap in ("\t", "  ")):
        bodies = bodies.str.replace_all(r"[ \t]+", " ")
    # A line's words are its label, "qid" and query; then number and value of feature by feature.
    tokens = bodies.str.replace_all(":", " ", literal=True).str.split(" ")
    tokens = tokens.list.slice(words + 1)
    entries = tokens.explode().drop_nulls()
    # An index that does not fit is far above any limit, and refused below as such.
    indices = entries.gather_every(2).cast(pl.UInt32, strict=False).fill_null(2**32 - 1).to_numpy()
    values = entries.gather_every(2, 1).cast(pl.Float64).cast(pl.Float32).to_numpy()
    if form.clipped:
        values = np.clip(values, -_LARGEST, _LARGEST)
    rows = np.repeat(np.arange(lines.height, dtype=np.int32), tokens.list.len().to_numpy() // 2)

    unordered = np.zeros(len(indices), dtype=bool)
    unordered[1:] = (indices[1:] <= indices[:-1]) & (rows[1:] == rows[:-1])
    for wrong, problem in (
        (indices < form.first, "feature numbers start at 1"),
        (indices > limit, f"feature number above {limit}"),
        (unordered, "feature numbers must increase, each at most once"),
        (np.isinf(values), "value too large for a 32-bit float"),
    ):
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            position = at - int(np.searchsorted(rows, rows[at]))
            raise refusal(path, lines[int(rows[at])], problem, words + position)
    places = indices - np.uint32(form.first)
    block = np.zeros((int(places.max()) + 1 if len(places) else 0, lines.height), dtype=np.float32)
    block[places, rows] = values
    return block


def _refuse_first(
    path: Path, lines: pl.DataFrame, wrong: pl.Series, problem: str, token: int
) -> None:
    if wrong.any():
        raise refusal(path, lines.filter(wrong)[0], problem, token)
