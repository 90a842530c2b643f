"""Losses of each document by itself: zero-one, absolute and squared error of its level."""

from __future__ import annotations

from arsm_l2r.losses.loss import PointwiseLoss
from arsm_l2r.tensorflow import tf


class ZeroOneLoss(PointwiseLoss):
    """The share of documents whose level is not the one their label stands for."""

    name = "zero-one"

    def of_document(self, level: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """1 if the levels differ, else 0."""
        return tf.cast(level != target, level.dtype)


class AbsoluteErrorLoss(PointwiseLoss):
    """The mean distance, in levels, from the level that the label stands for."""

    name = "absolute-error"

    def of_document(self, level: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """The distance."""
        return tf.abs(level - target)


class SquaredErrorLoss(PointwiseLoss):
    """The mean squared distance, in levels, from the level that the label stands for."""

    name = "squared-error"

    def of_document(self, level: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """The squared distance."""
        return tf.square(level - target)
