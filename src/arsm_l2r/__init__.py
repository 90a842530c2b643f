"""Learning to rank on metrics that have no gradient."""

import os
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

# TensorFlow is imported only where something trains, and then without its start-up messages.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

if TYPE_CHECKING:
    from arsm_l2r.losses.numpy_loss import numpy_loss
    from arsm_l2r.rankers.arsm import ARSMRanker

__version__ = version("arsm-l2r")
__all__ = ["ARSMRanker", "__version__", "numpy_loss"]


def __getattr__(name: str) -> Any:
    if name == "ARSMRanker":
        from arsm_l2r.rankers.arsm import ARSMRanker

        return ARSMRanker
    if name == "numpy_loss":
        from arsm_l2r.losses.numpy_loss import numpy_loss

        return numpy_loss
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
