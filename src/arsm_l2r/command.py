"""What every command-line program here shares: how it fails, and how it is stopped."""

import errno
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from arsm_l2r.errors import UserError

_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


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
        # Writing to a file that is open already does not name it. Of files that is told where they
        # are written; what is left is what is printed.
        if error.filename is None and error.errno in _WRITING:
            _leave_output()
            _fail(f"standard output: {error.strerror}")
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def _leave_output() -> None:
    """Let nothing more be written to standard output, which Python would try at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def use_threads(count: int) -> None:
    """Let NumPy and polars compute with so many threads; before they are imported.

    Results are the same for the same number of threads only.
    """
    for library in ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "POLARS_MAX"):
        os.environ.setdefault(f"{library}_THREADS", str(count))
