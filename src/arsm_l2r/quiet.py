"""Keep native code from writing to standard error what its caller tells better."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def muted() -> Iterator[None]:
    """Send what native code writes to standard error to nowhere."""
    sys.stderr.flush()
    saved, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
