"""Numbers and lists as sentences say them."""

from collections.abc import Iterable
from math import isfinite

DASH = "–"
"""Stands for a value that there is none of."""

LEVEL = 0.05
"""Of significance."""


def listed(words: Iterable[str]) -> str:
    """Words with commas, and an `and` before the last."""
    *first, last = list(words)
    return f"{', '.join(first)} and {last}" if first else last


def signed(value: float) -> str:
    """A difference with its sign, a true minus."""
    return f"{value:+.4f}".replace("-", "−")


def corrected(p: float) -> str:
    """A corrected p-value."""
    text = p_value(p)
    return f"corrected p {text}" if text.startswith("<") else f"corrected p = {text}"


def p_value(p: float | None) -> str:
    """A p-value as it is printed: four decimals, and never 0."""
    if p is None or not isfinite(p):
        return DASH
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"
