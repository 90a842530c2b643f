"""Tables of numbers as CSV, in which no text is a formula."""

import csv
import io

import polars as pl

from arsm_l2r.report.text import one_line

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def csv_text(frame: pl.DataFrame, decimals: int | None = None) -> str:
    """A table as CSV.

    Args:
        frame: to write.
        decimals: of floating-point numbers; None: as many as they have.
    """
    if not frame.width:
        return "\n"
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(map(_plain, frame.columns))
    texts = pl.col(pl.String).map_elements(_plain, return_dtype=pl.String)
    body = frame.with_columns(texts).write_csv(include_header=False, float_precision=decimals)
    return header.getvalue() + body


def _plain(text: str) -> str:
    """Text that a spreadsheet shows as it is: an apostrophe before what it would compute."""
    text = one_line(text)
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
