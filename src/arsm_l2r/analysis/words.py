"""Numbers and lists as sentences say them."""

from collections.abc import Iterable, Mapping
from math import isfinite

DASH = "–"
"""Stands for a value that there is none of."""


def listed(words: Iterable[str]) -> str:
    """Words with commas, and an `and` before the last."""
    *first, last = list(words)
    return f"{', '.join(first)} and {last}" if first else last


def counted(noun: str, numbers: Iterable[int]) -> str:
    """Numbers of something: `fold 1`, or `folds 1 and 2`."""
    words = list(map(str, numbers))
    return f"{noun}{'s' if len(words) > 1 else ''} {listed(words)}"


def relevance(relevant_from: Mapping[str, int]) -> str:
    """What MAP counts as relevant, as a sentence.

    Args:
        relevant_from: the lowest relevant label of each data set, by its title.
    """
    if len(set(relevant_from.values())) == 1:
        return f"MAP counts labels from {next(iter(relevant_from.values()))} as relevant."
    each = listed(f"from {label} on {title}" for title, label in relevant_from.items())
    return f"MAP counts labels {each} as relevant."


def signed(value: float) -> str:
    """A difference with its sign, a true minus; no sign where nothing is left to print."""
    return f"{round(value, 4) or 0.0:+.4f}".replace("-", "−").replace("+0.0000", "0.0000")


def corrected(p: float) -> str:
    """A corrected p-value."""
    text = p_value(p)
    return f"corrected p {text}" if text.startswith("<") else f"corrected p = {text}"


def p_value(p: float | None) -> str:
    """A p-value as it is printed: four decimals, and never 0."""
    if p is None or not isfinite(p):
        return DASH
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"
