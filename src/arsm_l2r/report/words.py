"""Numbers and lists as sentences say them."""

from collections.abc import Iterable

from arsm_l2r.report.comparison_table import p_value


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
