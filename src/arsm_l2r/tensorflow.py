"""TensorFlow, imported without the messages it writes past Python's standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _muted() -> Iterator[None]:
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


with _muted():
    import tensorflow as tf

    # The first look for devices has its own messages.
    tf.config.list_physical_devices()
    # A batch of another size is compiled anew, and that is meant.
    tf.get_logger().setLevel("ERROR")

__all__ = ["tf"]
