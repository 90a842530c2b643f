"""How programs print advice: one line, and not where in the code it was given."""

import sys
import warnings
from typing import TextIO

from arsm_l2r.errors import Advice


def print_advice_as_lines() -> None:
    """From now on print each `Advice` as one line on standard error."""
    as_usual = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, Advice):
            print(f"warning: {message}", file=file or sys.stderr)
        else:
            as_usual(message, category, filename, lineno, file, line)

    warnings.showwarning = show
