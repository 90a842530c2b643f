"""Progress of long work: a bar on a terminal or in a notebook, plain lines anywhere else."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, NoReturn

from tqdm import tqdm

_SHOWN = ContextVar("shown", default=True)


@contextmanager
def progress_shown(shown: bool) -> Iterator[None]:
    """Show progress inside of this, or don't."""
    token = _SHOWN.set(shown and _SHOWN.get())
    try:
        yield
    finally:
        _SHOWN.reset(token)


class Progress:
    """Report progress to standard error.

    On a terminal and in a notebook this is a moving bar. In a log file it is a line at the start,
    then one at most every `seconds`, then one at the end: a log stays readable, and a job that is
    alive shows it. Inside of `progress_shown(False)` it is nothing.

    What takes time once and not with everything counted, such as compiling, is announced with
    `prepare`: it is no part of the estimate of the time left.

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
        self._prepared, self._untimed = 0.0, 0
        self._bar: tqdm[NoReturn] | None = None
        self._note = ""
        self._silent = not _SHOWN.get()
        if self._silent:
            return
        kind = _kind_of_bar()
        if kind is not None:
            self._bar = kind(
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
        elif kind is None and not self._silent:
            self._line()

    @contextmanager
    def prepare(self, doing: str) -> Iterator[None]:
        """Announce what is done inside of this, and leave its time out of the estimate."""
        before, started = self._note, time.monotonic()
        if self._bar is not None:
            self._bar.set_postfix_str(doing)
        elif not self._silent:
            print(f"{self._label}: {doing}", file=sys.stderr, flush=True)
        try:
            yield
        finally:
            spent = time.monotonic() - started
            self._prepared += spent
            self._last_line += spent
            if self._bar is not None:
                self._bar.set_postfix_str(before, refresh=False)

    def advance(self, amount: int, note: str = "", *, timed: bool = True) -> None:
        """Count `amount` more as done.

        Args:
            amount: how much.
            note: is shown beside it.
            timed: whether the time it took says how long the rest will take; what was done
                inside of `prepare` does not.
        """
        self._done += amount
        self._untimed += 0 if timed else amount
        self._note = note or self._note
        if self._bar is not None:
            if note:
                self._bar.set_postfix_str(note, refresh=False)
            if timed:
                self._bar.update(amount)
            else:  # as if it had been done before the bar began
                self._bar.initial += amount
                self._bar.n += amount
                self._bar.last_print_n, self._bar.last_print_t = self._bar.n, time.time()
                self._bar.start_t += self._prepared
                self._bar.refresh()
        elif not self._silent and time.monotonic() - self._last_line >= self._seconds:
            self._line()

    def _line(self) -> None:
        now = self._last_line = time.monotonic()
        text = f"{self._label}: {self._quantity()}"
        advanced = self._done - self._first - self._untimed
        if self._total and advanced > 0 and self._done < self._total:
            spent = now - self._started - self._prepared
            remaining = spent / advanced * (self._total - self._done)
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


def _kind_of_bar() -> Any:
    """The bar for where standard error goes: a notebook, a terminal; None for anything else."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    if running is not None and hasattr(running, "kernel"):
        from tqdm.auto import tqdm as in_notebook

        return in_notebook
    return tqdm if sys.stderr.isatty() else None


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
