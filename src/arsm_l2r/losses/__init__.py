"""Losses of predicted levels against labels. None needs a gradient; `docs/own-loss.md` adds one."""

import re
from collections.abc import Callable

from arsm_l2r.errors import ConfigError
from arsm_l2r.losses.average_precision import AveragePrecisionLoss
from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.loss import CallableLoss, LevelCountLoss, Loss, PointwiseLoss
from arsm_l2r.losses.ndcg import NDCGLoss, OrderedNDCGLoss
from arsm_l2r.losses.pointwise import AbsoluteErrorLoss, SquaredErrorLoss, ZeroOneLoss

LOSSES: dict[str, Callable[[], Loss]] = {
    "ndcg": lambda: NDCGLoss(None),
    "ndcg-file-order": lambda: OrderedNDCGLoss(None),
    "average-precision": AveragePrecisionLoss,
    "zero-one": ZeroOneLoss,
    "absolute-error": AbsoluteErrorLoss,
    "squared-error": SquaredErrorLoss,
}
"""The losses by name; `ndcg@K` and `ndcg-file-order@K` truncate at K."""


def loss_by_name(name: str) -> Loss:
    """Make a loss from its name in the configuration, such as `ndcg@10`."""
    truncated = re.fullmatch(r"(ndcg|ndcg-file-order)@([1-9][0-9]*)", name)
    if truncated:
        kind = NDCGLoss if truncated[1] == "ndcg" else OrderedNDCGLoss
        return kind(int(truncated[2]))
    if name not in LOSSES:
        raise ConfigError(
            f"no loss {name!r}; there are {', '.join(LOSSES)}, and ndcg@K or ndcg-file-order@K "
            "with a cut-off K"
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
