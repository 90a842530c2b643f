"""Losses of predicted levels against labels. None needs a gradient; `docs/own-loss.md` adds one.

A loss is found by its name once its module is imported. All modules of this package are, so that
a new loss is one more file. None of this imports TensorFlow.
"""

from arsm_l2r.losses.average_precision import AveragePrecisionLoss
from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.level_count import LevelCountLoss
from arsm_l2r.losses.loss import CallableLoss, Loss, PointwiseLoss
from arsm_l2r.losses.names import (
    check_loss_name,
    loss_by_name,
    loss_class,
    loss_descriptions,
    loss_names,
)
from arsm_l2r.losses.ndcg import NDCGLoss, OrderedNDCGLoss, ShuffledNDCGLoss
from arsm_l2r.losses.pointwise import AbsoluteErrorLoss, SquaredErrorLoss, ZeroOneLoss
from arsm_l2r.registry import import_modules

import_modules(__name__, __path__)

__all__ = [
    "AbsoluteErrorLoss",
    "AveragePrecisionLoss",
    "Batch",
    "CallableLoss",
    "LevelCountLoss",
    "Loss",
    "NDCGLoss",
    "OrderedNDCGLoss",
    "PointwiseLoss",
    "ShuffledNDCGLoss",
    "SquaredErrorLoss",
    "ZeroOneLoss",
    "check_loss_name",
    "loss_by_name",
    "loss_class",
    "loss_descriptions",
    "loss_names",
]
