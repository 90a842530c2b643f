"""Files in TREC's formats: runs (ranked documents) and qrels (their judgements)."""

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TypeVar

from arsm_l2r.errors import ParseError, UserError
from arsm_l2r.letor.contents import read_content, shown

_HIGHEST_LABEL = 52
"""Above this, gains of 2^label - 1 are no longer exact in double precision."""

_Value = TypeVar("_Value", int, float)


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """Read a run: lines of `query Q0 document rank score name`, with any white space between.

    Ranks are not looked at: as for trec_eval, the scores say how documents are ranked. The file may
    be compressed; `-` is standard input.

    Returns:
        The score of each document of each query.

    Raises:
        ParseError: naming file, line and value, if a line has not six columns, a score is not a
            finite number, or a document stands twice in a query; or if there is no line.
    """
    return _read(path, "run", "query Q0 document rank score name", 4, _score)


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read qrels: lines of `query iteration document label`, with any white space between.

    They may be compressed; `-` is standard input.

    Returns:
        The label of each judged document of each query; some collections have labels below 0.

    Raises:
        ParseError: naming file, line and value, if a line has not four columns, a label is not a
            whole number up to 52, or a document stands twice in a query; or if there is no line.
    """
    return _read(path, "qrels", "query iteration document label", 3, _label)


def _read(
    path: Path, kind: str, columns: str, at: int, value_of: Callable[[str], _Value]
) -> dict[str, dict[str, _Value]]:
    found: dict[str, dict[str, _Value]] = {}
    for number, line in _lines(path, kind):
        fields = line.split()
        if len(fields) != len(columns.split()):
            raise ParseError(
                f"{shown(path)}:{number}: {len(fields)} columns, not {len(columns.split())} "
                f"({columns}): {line.strip()[:60]!r}"
            )
        query, document = fields[0], fields[2]
        own = found.setdefault(query, {})
        if document in own:
            raise ParseError(
                f"{shown(path)}:{number}: document {document!r} of query {query!r} for the second "
                "time; leave one of the lines out"
            )
        try:
            own[document] = value_of(fields[at])
        except ValueError as error:
            raise ParseError(f"{shown(path)}:{number}: {error}: {fields[at][:60]!r}") from None
    if not found:
        raise ParseError(f"{shown(path)}: has no lines, so it is no {kind} file")
    return found


def _lines(path: Path, kind: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers."""
    try:
        text = read_content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(f"{shown(path)}: cannot be read as a {kind} file: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _score(text: str) -> float:
    if "_" in text or not text.isascii():  # which Python would take for a number
        raise ValueError("not a number")
    try:
        score = float(text)
    except ValueError:
        raise ValueError("not a number") from None
    if not isfinite(score):
        raise ValueError("a score must be finite")
    return score


def _label(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("a label must be a whole number")
    if len(digits) > 9 or int(text) > _HIGHEST_LABEL:
        raise ValueError(f"a label must be {_HIGHEST_LABEL} at most")
    return int(text)


def format_run(
    qids: Sequence[int | str],
    docids: Sequence[str | None],
    scores: Sequence[float],
    tag: str,
) -> str:
    """Lines `qid Q0 docid rank score tag`: the documents of each query by falling score.

    Equal scores keep the order of the documents, and queries that of their first documents.

    Args:
        qids: each document's query.
        docids: each document's name; one without is called `{qid}.{position in its query}`.
        scores: each document's score.
        tag: the name of the run.

    Raises:
        UserError: if a name has white space in it, or two documents of a query have the same.
    """
    queries: dict[str, dict[str, float]] = {}
    for qid, docid, score in zip(map(str, qids), docids, scores, strict=True):
        ranked = queries.setdefault(qid, {})
        name = f"{qid}.{len(ranked) + 1}" if docid is None else docid
        for each in (qid, name):
            if len(each.split()) != 1:
                raise UserError(f"{each!r} in query {qid}: a run has no place for white space")
        if name in ranked:
            raise UserError(f"two documents of query {qid} are called {name!r}")
        ranked[name] = float(score)
    return "".join(
        f"{qid} Q0 {name} {rank} {score!r} {tag}\n"
        for qid, ranked in queries.items()
        for rank, (name, score) in enumerate(
            sorted(ranked.items(), key=lambda document: -document[1]), start=1
        )
    )
