"""A trained ranker as TensorFlow's SavedModel, a folder that TensorFlow alone can run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.files import temporary_folder
from arsm_l2r.rankers.export.graph import FEATURES, SCORES, TrainedModel, scores
from arsm_l2r.tensorflow import tf

_FILE = "saved_model.pb"
_CONTENT = {_FILE, "fingerprint.pb", "variables", "assets"}
"""What a SavedModel consists of."""


def write_saved_model(folder: Path, model: TrainedModel) -> None:
    """Write a trained ranker as a SavedModel, which takes the place of an earlier one.

    Its signature `serving_default` goes from `features`, (documents, P) float32, for any number of
    documents, to `scores`, (documents,) float64.

    Raises:
        UserError: if there is something else in the folder, or it cannot be written.
    """
    check_folder(folder)

    @tf.function(  # type: ignore[untyped-decorator]
        input_signature=[tf.TensorSpec((None, model.columns), tf.float32, FEATURES)],
        autograph=False,
    )
    def score(features: tf.Tensor) -> dict[str, tf.Tensor]:
        return {SCORES: scores(_TensorFlow(), features, model)}

    module = tf.Module()
    module.score = score
    with temporary_folder(folder) as temporary:
        new, old = temporary / "new", temporary / "old"
        try:
            tf.saved_model.save(module, str(new), signatures=score)
            if folder.exists():
                folder.rename(old)
            new.rename(folder)
        except (OSError, tf.errors.OpError) as error:
            if old.exists() and not folder.exists():
                old.rename(folder)
            reason = getattr(error, "strerror", None) or getattr(error, "message", str(error))
            raise UserError(f"{folder}: cannot be written: {reason}") from error


def check_folder(folder: Path) -> None:
    """Raise UserError unless a folder is new, empty, or holds a SavedModel and nothing else."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UserError(f"{folder}: is no folder; a SavedModel is written as one")
    found = {path.name for path in folder.iterdir()}
    if found and not (_FILE in found and found <= _CONTENT):
        other = min(found - _CONTENT, default=min(found))
        raise UserError(
            f"{folder}: holds {other}, which is no part of a SavedModel and would be lost; name a "
            "new folder or an empty one"
        )


class _TensorFlow:
    """TensorFlow as a `Library`."""

    def constant(self, array: np.ndarray) -> tf.Tensor:
        """See `Library`."""
        return tf.constant(array)

    def cast(self, value: tf.Tensor, dtype: type) -> tf.Tensor:
        """See `Library`."""
        return tf.cast(value, dtype)

    def tanh(self, value: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.tanh(value)

    def exp(self, value: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.exp(value)

    def log(self, value: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.math.log(value)

    def where(self, condition: tf.Tensor, yes: Any, no: Any) -> tf.Tensor:
        """See `Library`."""
        return tf.where(condition, yes, no)

    def take(self, table: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.gather(table, index)

    def side_by_side(self, values: Sequence[tf.Tensor]) -> tf.Tensor:
        """See `Library`."""
        return tf.concat(values, axis=1)

    def highest(self, value: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.reduce_max(value, axis=1, keepdims=True)

    def total(self, value: tf.Tensor, *, keep: bool) -> tf.Tensor:
        """See `Library`."""
        return tf.reduce_sum(value, axis=1, keepdims=keep)

    def mean_document(self, value: tf.Tensor) -> tf.Tensor:
        """See `Library`."""
        return tf.reduce_mean(value, axis=0, keepdims=True)
