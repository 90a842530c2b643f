"""What a line of a LETOR or SVMlight file may be, and what is wrong with one that is not."""

import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from arsm_l2r.errors import ParseError

_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FEATURE = rf"[0-9]+:{_NUMBER}"


@dataclass(frozen=True)
class Grammar:
    """What stands before the features of a line, and whether other lines may stand between.

    Attributes:
        label: regular expression of a label, in which its digits are a group.
        labels_required: whether every line begins with a label.
        query: regular expression of what follows `qid:`.
        queries_numbered: whether that is a number, or any name.
        query_problem: what is wrong with one that does not match.
        comment_lines: whether lines that hold a comment only are passed over.
    """

    label: str
    labels_required: bool
    query: str
    queries_numbered: bool
    query_problem: str
    comment_lines: bool

    @property
    def head(self) -> str:
        """Regular expression of label and query, each a group."""
        label = rf"(?:{self.label}[ \t]+){'' if self.labels_required else '?'}"
        return rf"[ \t]*{label}qid:({self.query})"

    @property
    def line(self) -> str:
        """Regular expression of a line."""
        return rf"^{self.head}(?:[ \t]+{_FEATURE})*$"


LETOR = Grammar(
    label="([0-9]+)",
    labels_required=True,
    query="[0-9]+",
    queries_numbered=True,
    query_problem="query number is not a non-negative integer",
    comment_lines=False,
)
"""Lines as LETOR has them, to the letter: data sets of the workflow."""

OWN = Grammar(
    label=r"([0-9]+)(?:\.0*)?",
    labels_required=False,
    query=r"[^\s:\x00-\x1f\x7f]+",
    queries_numbered=False,
    query_problem="query has no name, or one with ':' or control characters in it",
    comment_lines=True,
)
"""Lines as people have them: labels such as `1.0` or none, queries of any name, comments."""


def explain(path: Path, line: pl.DataFrame, grammar: Grammar) -> ParseError:
    """Say what is wrong with a line that the grammar refused."""
    number, body = number_and_body(line)
    tokens = body.split()
    if not tokens:
        return ParseError(f"{path}:{number}: a comment without a document")
    query = 0 if not grammar.labels_required and tokens[0].startswith("qid:") else 1
    if query == 1:
        if re.fullmatch(rf"-{_NUMBER}", tokens[0]):
            return refusal(path, line, "labels start at 0", 0)
        if not re.fullmatch(grammar.label, tokens[0]):
            return refusal(path, line, "label is not a non-negative integer", 0)
    if len(tokens) <= query or not tokens[query].startswith("qid:"):
        return ParseError(f"{path}:{number}: no 'qid:' after the label: {body[:60]!r}")
    if not re.fullmatch(f"qid:{grammar.query}", tokens[query]):
        return refusal(path, line, grammar.query_problem, query)
    for position, token in enumerate(tokens[query + 1 :], start=query + 1):
        index, colon, value = token.partition(":")
        if not colon or not re.fullmatch("[0-9]+", index):
            return refusal(path, line, "not a 'number:value' feature", position)
        if not re.fullmatch(_NUMBER, value):
            return refusal(path, line, "feature value is not a finite number", position)
    return ParseError(f"{path}:{number}: unexpected character: {end_of(body)!r}")


def refusal(path: Path, line: pl.DataFrame, problem: str, token: int) -> ParseError:
    """What is wrong with a token (from 0) of a line."""
    number, body = number_and_body(line)
    return ParseError(f"{path}:{number}: {problem}: {body.split()[token]!r}")


def number_and_body(line: pl.DataFrame) -> tuple[int, str]:
    """The number and text of the one line in a table of lines."""
    return line["number"].item(), line["body"].item()


def end_of(body: str) -> str:
    """The end of a line, short enough to be shown."""
    return body if len(body) <= 60 else "…" + body[-60:]
