"""Losses of predicted levels against labels. None needs a gradient; `docs/own-loss.md` adds one."""

import re
from collections.abc import Callable
from functools import partial

from arsm_l2r.errors import ConfigError
from arsm_l2r.losses.average_precision import AveragePrecisionLoss
from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.loss import CallableLoss, LevelCountLoss, Loss, PointwiseLoss
from arsm_l2r.losses.ndcg import NDCGLoss, OrderedNDCGLoss
from arsm_l2r.losses.pointwise import AbsoluteErrorLoss, SquaredErrorLoss, ZeroOneLoss

LOSSES: dict[str, Callable[[], Loss]] = {
    "ndcg": lambda: NDCGLoss(None),
    "ndcg-file-order": lambda: OrderedNDCGLoss(None),
    "ndcg-random-order": lambda: OrderedNDCGLoss(None, shuffled=True),
    "average-precision": AveragePrecisionLoss,
    "zero-one": ZeroOneLoss,
    "absolute-error": AbsoluteErrorLoss,
    "squared-error": SquaredErrorLoss,
}
"""The losses by name; those of NDCG truncate at K as `ndcg@K` and so on."""

_TRUNCATED: dict[str, Callable[[int], Loss]] = {
    "ndcg": NDCGLoss,
    "ndcg-file-order": OrderedNDCGLoss,
    "ndcg-random-order": partial(OrderedNDCGLoss, shuffled=True),
}


def loss_by_name(name: str) -> Loss:
    """Make a loss from its name in the configuration, such as `ndcg@10`."""
    truncated = re.fullmatch(r"(.+)@([1-9][0-9]*)", name)
    if truncated and truncated[1] in _TRUNCATED:
        return _TRUNCATED[truncated[1]](int(truncated[2]))
    if name not in LOSSES:
        raise ConfigError(
            f"no loss {name!r}; there are {', '.join(LOSSES)}, and "
            f"{', '.join(f'{kind}@K' for kind in _TRUNCATED)} with a cut-off K"
        )
    return LOSSES[name]()


__all__ = [
    "LOSSES",
    "AbsoluteErrorLoss",
    "AveragePrecisionLoss",
    "Batch",
    "CallableLoss",
    "LevelCountLoss",
    "Loss",
    "NDCGLoss",
    "OrderedNDCGLoss",
    "PointwiseLoss",
    "SquaredErrorLoss",
    "ZeroOneLoss",
    "loss_by_name",
]
