"""What every command-line program here shares: how it fails, and how it is stopped."""

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from arsm_l2r.errors import UserError


def run(main: Callable[[], None]) -> NoReturn:
    """Run a program and end the process with the right exit code.

    0 on success; 1 after an error that the user can act on, such as one of the disk, told without a
    traceback; 130 after Ctrl-C. Any other exception is a bug and keeps its traceback.
    """
    try:
        main()
        sys.stdout.flush()
    except UserError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`… | head`): not worth a message.
        _leave_output()
        sys.exit(0)
    except OSError as error:
        place = error.filename
        if not _output_works():
            _leave_output()
            place = place or "standard output"
        _fail(f"{place}: {error.strerror or error}" if place else str(error))
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def _output_works() -> bool:
    """Whether what was printed so far can be written."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _leave_output() -> None:
    """Let nothing more be written to standard output, which Python would try at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def use_threads(count: int) -> None:
    """Let NumPy compute with so many threads; before it is imported.

    Results are the same for the same number of threads only.
    """
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", str(count))
