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


def printed(value: float, form: str = ".4f") -> str:
    """A number with a true minus sign, and without any sign where nothing but zeros is left."""
    text = format(value, form)
    return text.replace("-", "−") if text.strip("+-0.") else text.lstrip("+-")


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
    """A difference with its sign."""
    return printed(value, "+.4f")


def corrected(p: float) -> str:
    """A corrected p-value."""
    text = p_value(p)
    return f"corrected p {text}" if text.startswith("<") else f"corrected p = {text}"


def p_value(p: float | None) -> str:
    """A p-value as it is printed, never as 0, with the digits that drawn exchanges leave it.

    With a million of them, the third decimal of a corrected p near 0.05 is uncertain by one, and
    that of larger ones by more (`metrics.monte_carlo_error`).
    """
    if p is None or not isfinite(p):
        return DASH
    if p < 0.0005:
        return "<0.001"
    return f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"
