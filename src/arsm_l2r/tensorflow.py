"""TensorFlow, imported when it is first used, without Keras and without messages.

Whatever only names losses or estimators, such as a check of the configuration, does not wait the
seconds that TensorFlow takes to import. A module that only mentions `tf` in its annotations stays
without it under `from __future__ import annotations`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arsm_l2r.compiled import keep_programs_on_disk
from arsm_l2r.quiet import muted


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


@cache
def _imported() -> Any:
    """TensorFlow itself."""
    keep_programs_on_disk()
    with muted():
        with _without_keras():
            import tensorflow

        # The first look for devices has its own messages.
        tensorflow.config.list_physical_devices()
        # A batch of another size is compiled anew, and that is meant.
        tensorflow.get_logger().setLevel("ERROR")
    return tensorflow


class _AtFirstUse(ModuleType):
    """Stands for TensorFlow, and has each of its attributes from the first time it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            # Python's own tools look at these in passing, and mean this module.
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(_imported(), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(_imported())


if TYPE_CHECKING:
    import tensorflow as tf
else:
    tf = _AtFirstUse("tensorflow")

__all__ = ["tf"]
