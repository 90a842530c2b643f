"""Progress of long work: a bar on a terminal, plain lines anywhere else."""

import sys
import time
from types import TracebackType
from typing import NoReturn

from tqdm import tqdm


class Progress:
    """Report progress to standard error.

    On a terminal this is a moving bar. In a log file it is a line at the start, then one at
    most every `seconds`, then one at the end: a log stays readable, and a job that is alive
    shows it.

    Args:
        label: what is being done.
        total: how much there is to do, if that is known.
        unit: what is counted, such as `B` or `epoch`.
        done: how much was done before (a resumed job).
        seconds: least time between two lines of a log.
    """

    def __init__(
        self,
        label: str,
        total: int | None,
        *,
        unit: str,
        done: int = 0,
        seconds: float = 10.0,
    ) -> None:
        self._label, self._unit, self._seconds = label, unit, seconds
        self._done = self._first = done
        self._total = total
        self._started = self._last_line = time.monotonic()
        self._bar: tqdm[NoReturn] | None = None
        self._note = ""
        if sys.stderr.isatty():
            self._bar = tqdm(
                total=total,
                initial=done,
                desc=label,
                unit=unit,
                unit_scale=unit == "B",
                dynamic_ncols=True,
            )
        else:
            self._line()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif kind is None:
            self._line()

    def advance(self, amount: int, note: str = "") -> None:
        """Count `amount` more as done; `note` is shown beside it."""
        self._done += amount
        self._note = note or self._note
        if self._bar is not None:
            if note:
                self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(amount)
        elif time.monotonic() - self._last_line >= self._seconds:
            self._line()

    def _line(self) -> None:
        now = self._last_line = time.monotonic()
        text = f"{self._label}: {self._quantity()}"
        advanced = self._done - self._first
        if self._total and advanced > 0 and self._done < self._total:
            remaining = (now - self._started) / advanced * (self._total - self._done)
            text += f", about {_duration(remaining)} left"
        if self._note:
            text += f", {self._note}"
        print(text, file=sys.stderr, flush=True)

    def _quantity(self) -> str:
        def shown(amount: int) -> str:
            return f"{amount / 1e6:,.1f}" if self._unit == "B" else f"{amount:,}"

        text = shown(self._done) + (f" of {shown(self._total)}" if self._total else "")
        text = f"{text} MB" if self._unit == "B" else f"{self._unit} {text}"
        return text + (f" ({self._done / self._total:.0%})" if self._total else "")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
