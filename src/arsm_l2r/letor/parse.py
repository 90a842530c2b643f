"""Parse LETOR and SVMlight text into a typed table, one row per document.

A line reads `2 qid:17 1:0.25 … 46:0.5 #docid = some-name …`: label, query,
features (absent ones are 0), and an optional comment. The whole grammar is one regular
expression that polars runs over all lines; only a refused line is looked at from Python.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from arsm_l2r.errors import ParseError
from arsm_l2r.letor.grammar import LETOR, Grammar, end_of, explain, number_and_body, refusal
from arsm_l2r.letor.lines import ends_without_newline, read_lines

MAX_LABEL = 30
"""Labels above this are refused: the gain 2^label - 1 stops making sense long before."""

MAX_FEATURES = 100_000
"""Feature numbers above this are taken for a slip, not for a feature."""

_LINES_AT_ONCE = 1024

_STATED = "Column indices are zero-based"
"""A comment of scikit-learn's `dump_svmlight_file`."""


@dataclass(frozen=True)
class ParsedFile:
    """A parsed file.

    Attributes:
        path: where it was read from.
        table: `label` (UInt8), `qid` (Int64), `docid` (String, null where the line names
            none), `f1` … `fP` (Float32). With the grammar `OWN`, `label` is null where no line has
            one, and `qid` is a String.
        line_numbers: the 1-based line in the file that each row of the table came from.
        bodies: the text before `#` of each of those lines, which fingerprints are made of.
        zero_based: whether its features are numbered from 0; `f1` then has number 0.
    """

    path: Path
    table: pl.DataFrame
    line_numbers: pl.Series
    bodies: pl.Series
    zero_based: bool = False


@dataclass(frozen=True)
class _Form:
    """What has been said or found out about a file, by which its features are read.

    Attributes:
        path: the file.
        features: how many there are, if that is known.
        sparse: whether lines leave out features that are 0.
        first: the number of the first feature, 0 or 1.
        words: how many words (at blanks) stand before the features of a line.
    """

    path: Path
    features: int | None
    sparse: bool
    first: int
    words: int


def parse_file(path: Path, *, features: int | None = None, sparse: bool = False) -> ParsedFile:
    """Parse a LETOR or SVMlight file, as the workflow does: to the letter.

    Args:
        path: the text file.
        features: how many features there are; a higher feature number is then an error, and so
            is a highest number that is lower, unless lines are `sparse`.
            If not given, the highest number in the file decides.
        sparse: lines may leave out features that are 0, so that the last ones may never occur.

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
        features: see `parse_file`.
        sparse: see `parse_file`.
        zero_based: whether features are numbered from 0. If not given, they are if one has the
            number 0, or a comment says so as scikit-learn's do.

    Raises:
        ParseError: see `parse_file`.
    """
    every = read_lines(path, content)
    lines = every.filter(pl.col("body") != "") if grammar.comment_lines else every
    if lines.is_empty():
        raise ParseError(f"{path}: holds no documents")
    refused = lines.filter(~pl.col("body").str.contains(grammar.line))
    if not refused.is_empty():
        raise explain(path, refused[0], grammar)

    heads = lines["body"].str.extract_groups(rf"^{grammar.head}").struct
    unlabelled = heads.field("1").is_null()
    if unlabelled.any() and not unlabelled.all():
        number = lines.filter(unlabelled)["number"][0]
        raise ParseError(f"{path}:{number}: no label, but other lines have labels")
    if zero_based is None:
        zero_based = _starts_at_0(every)
    first, words = (0 if zero_based else 1), (1 if unlabelled[0] else 2)
    form = _Form(path, features, sparse, first, words)
    if not sparse:
        _refuse_truncated_end(form, lines, content)

    labels = heads.field("1").cast(pl.Int64, strict=False)
    too_large = (labels > MAX_LABEL) | (labels.is_null() & ~unlabelled)
    _refuse_first(path, lines, too_large, "label too large", 0)
    qids = heads.field("2")
    if grammar.queries_numbered:
        qids = qids.cast(pl.Int64, strict=False)
        _refuse_first(path, lines, qids.is_null(), "query number too large", 1)

    matrix = _features(form, lines)
    table = pl.DataFrame(
        [
            labels.cast(pl.UInt8).rename("label"),
            qids.rename("qid"),
            lines["comment"].str.extract(r"docid[ \t]*=[ \t]*([^\s]+)").rename("docid"),
            *(pl.Series(f"f{number}", column) for number, column in enumerate(matrix, start=1)),
        ]
    )
    return ParsedFile(path, table, lines["number"], lines["body"], zero_based)


def _starts_at_0(lines: pl.DataFrame) -> bool:
    """Whether a feature has the number 0, or a line that is a comment says that they do."""
    comments = lines.filter(pl.col("body") == "")["comment"]
    stated = comments.str.contains(_STATED, literal=True).any()
    return bool(stated or lines["body"].str.contains(r"[ \t]0+:").any())


def _features(form: _Form, lines: pl.DataFrame) -> np.ndarray:
    """The values of all features: (P, documents) float32, P by the highest number if not given.

    A thousand lines at a time, which bounds the memory that the pieces of text take; on
    several threads, because polars works outside Python's lock.
    """
    starts = range(0, lines.height, _LINES_AT_ONCE)
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        pieces = (lines.slice(start, _LINES_AT_ONCE) for start in starts)
        blocks = list(pool.map(lambda piece: _block(form, piece), pieces))
    found = max(map(len, blocks))
    if form.features is not None and found < form.features and not form.sparse:
        raise ParseError(
            f"{form.path}: the highest feature number is {found - 1 + form.first}, but there must "
            f"be {form.features} features{'' if form.first else ', numbered from 0'}; if its lines "
            "leave out features that are 0, that is to be said (`sparse` of a data set, --sparse)"
        )
    matrix = np.zeros((form.features or found, lines.height), dtype=np.float32)
    for start, block in zip(starts, blocks, strict=True):
        matrix[: len(block), start : start + block.shape[1]] = block
    return matrix


def _block(form: _Form, lines: pl.DataFrame) -> np.ndarray:
    """The values of the features of some lines, in the same form, up to the highest number."""
    limit = (form.features or MAX_FEATURES) - 1 + form.first
    bodies = lines["body"].str.strip_chars_start(" \t")
    if any(bodies.str.contains(gap, literal=True).any() for gap in ("\t", "  ")):
        bodies = bodies.str.replace_all(r"[ \t]+", " ")
    # A line's words are its label, "qid" and query; then number and value of feature by feature.
    words = bodies.str.replace_all(":", " ", literal=True).str.split(" ")
    words = words.list.slice(form.words + 1)
    entries = words.explode().drop_nulls()
    # An index that does not fit is far above any limit, and refused below as such.
    indices = entries.gather_every(2).cast(pl.UInt32, strict=False).fill_null(2**32 - 1).to_numpy()
    values = entries.gather_every(2, 1).cast(pl.Float64).cast(pl.Float32).to_numpy()
    rows = np.repeat(np.arange(lines.height, dtype=np.int32), words.list.len().to_numpy() // 2)

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
            raise refusal(form.path, lines[int(rows[at])], problem, form.words + position)
    places = indices - np.uint32(form.first)
    block = np.zeros((int(places.max()) + 1 if len(places) else 0, lines.height), dtype=np.float32)
    block[places, rows] = values
    return block


def _refuse_first(
    path: Path, lines: pl.DataFrame, wrong: pl.Series, problem: str, token: int
) -> None:
    if wrong.any():
        raise refusal(path, lines.filter(wrong)[0], problem, token)


def _refuse_truncated_end(form: _Form, lines: pl.DataFrame, content: bytes | None) -> None:
    """Refuse a file cut off inside its last line.

    A last line without a line end is fine by itself; it is taken for cut off when it also
    lacks what every line before it has: all features up to the same last one, or a comment. Lines
    that leave features out, as sparse ones do, may well be of different lengths.
    """
    if lines.height < 2 or not ends_without_newline(form.path, content):
        return
    lengths = lines["body"].str.count_matches(":") - 1  # not that of the query
    lasts = lines["body"].str.extract(r"[ \t]([0-9]+):[^ \t:]+$").cast(pl.UInt32, strict=False)
    whole = (lengths == lasts + (1 - form.first))[:-1].fill_null(False).all()
    shorter = whole and lengths[:-1].n_unique() == 1 and lengths[-1] < lengths[0]
    comments = lines["comment"].is_not_null()
    uncommented = comments[:-1].all() and not comments[-1]
    if shorter or uncommented:
        number, body = number_and_body(lines[-1])
        raise ParseError(f"{form.path}:{number}: truncated last line: {end_of(body)!r}")
