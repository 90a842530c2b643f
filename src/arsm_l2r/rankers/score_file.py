"""Score files as LETOR's tools use them: one number per line, in the order of the documents."""

from pathlib import Path

import numpy as np

from arsm_l2r.errors import ParseError
from arsm_l2r.files import written_whole


def write_scores(path: Path, scores: np.ndarray) -> None:
    """Write scores so that reading them gives the same numbers, and an end so that a cut shows."""
    with written_whole(path) as temporary:
        temporary.write_text(format_scores(scores), encoding="ascii")


def format_scores(scores: np.ndarray) -> str:
    """One score per line, each with as many digits as it takes to tell it from any other."""
    return "".join(f"{score!r}\n" for score in np.asarray(scores, dtype=np.float64).tolist())


def read_scores(path: Path, documents: int) -> np.ndarray:
    """Read the scores of so many documents.

    Raises:
        ParseError: if a line is not a finite number (naming it), their number is wrong, or the
            last one has no line end and so may be cut off.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: cannot be read as a score file: {error}") from error
    last = lines.pop()
    if last.strip():
        raise ParseError(
            f"{path}:{len(lines) + 1}: no line end after {last.strip()[:60]!r}, which may be cut "
            "off; if the file is whole, add a line end"
        )
    scores = np.empty(len(lines))
    for number, line in enumerate(lines, start=1):
        try:
            if "_" in line or not line.isascii():  # which Python would take for a number
                raise ValueError
            scores[number - 1] = float(line)
        except ValueError:
            raise ParseError(f"{path}:{number}: not a number: {line.strip()[:60]!r}") from None
        if not np.isfinite(scores[number - 1]):
            raise ParseError(f"{path}:{number}: a score must be finite: {line.strip()!r}")
    if len(scores) != documents:
        raise ParseError(f"{path}: {len(scores):,} scores for {documents:,} documents")
    return scores
