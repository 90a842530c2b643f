"""TensorFlow, imported without Keras and without messages past Python's standard error."""

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


@contextmanager
def _without_keras() -> Iterator[None]:
    """Let TensorFlow take Keras for not installed while it is imported.

    It would import Keras with all that Keras needs, which is 40 % of the time, and nothing here
    uses it. Whoever wants Keras later can still import it.
    """
    unwanted = "keras" not in sys.modules
    if unwanted:
        sys.modules["keras"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if unwanted:
            del sys.modules["keras"]


with _muted():
    with _without_keras():
        import tensorflow as tf

    # The first look for devices has its own messages.
    tf.config.list_physical_devices()
    # A batch of another size is compiled anew, and that is meant.
    tf.get_logger().setLevel("ERROR")

__all__ = ["tf"]
