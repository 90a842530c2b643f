"""A user's NumPy function of one query as a loss."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arsm_l2r.errors import Advice
from arsm_l2r.losses.batch import Batch
from arsm_l2r.losses.loss import Loss, function_name, refuse_arguments
from arsm_l2r.tensorflow import tf

NumpyFunction = Callable[[np.ndarray, np.ndarray], float]
"""From the levels and labels of one query's documents to its loss, lower is better."""


def numpy_loss(function: NumpyFunction) -> NumpyLoss:
    """Make a loss for `ARSMRanker` of a NumPy function.

    Args:
        function: called with the levels and the labels of one query's documents, (documents,)
            whole numbers from 0, level C - 1 the most relevant; returns a finite number, lower is
            better. The same arguments must give the same number.
    """
    if not callable(function):
        raise ValueError(f"numpy_loss takes a function of levels and labels, not {function!r}")
    return NumpyLoss(function)


class NumpyLoss(Loss):
    """The loss of each query by a NumPy function, which Python calls for one query at a time.

    Args:
        function: see `numpy_loss`.
    """

    compiles = False

    # No part of `vars`, by which a loss is told from others: it is only there while training.
    __slots__ = ("_failure",)

    def __init__(self, function: NumpyFunction) -> None:
        self._function = function
        self.__qualname__ = f"numpy_loss({function_name(function)})"

    def __repr__(self) -> str:
        return self.__qualname__

    @contextmanager
    def training(self) -> Iterator[None]:
        """See `Loss.training`: says that it is slow, and in a sentence what failed."""
        warnings.warn(
            f"the loss {self.__qualname__} is called by Python for every query and assignment of "
            "levels, and the step of training is not compiled: expect it to take many times as "
            "long as with a loss of TensorFlow operations (docs/own-loss.md)",
            Advice,
            stacklevel=5,  # the call of `fit`
        )
        self._failure: ValueError | None = None
        try:
            yield
        except tf.errors.OpError:
            if self._failure is None:
                raise
            # Without TensorFlow's account, which names its own operations only.
            raise self._failure from self._failure.__cause__
        finally:
            del self._failure

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        refuse_arguments(self._function, ("levels", "labels"))
        kind = dtype.as_numpy_dtype

        def call(levels: np.ndarray, labels: np.ndarray, query: np.ndarray) -> np.ndarray:
            try:
                return self._losses(levels, labels, query, batch.queries).astype(kind)
            except ValueError as error:
                self._failure = error
                raise

        values = tf.numpy_function(call, [levels, batch.labels, batch.query], dtype)
        values.set_shape((levels.shape[0], batch.queries))
        return values

    def _losses(
        self, levels: np.ndarray, labels: np.ndarray, query: np.ndarray, queries: int
    ) -> np.ndarray:
        """(assignments, queries) losses; a query without documents has 0."""
        found = np.zeros((len(levels), queries))
        for number in range(queries):
            documents = np.flatnonzero(query == number)
            if not len(documents):
                continue
            # Most swaps of two levels leave the documents of a query as they are.
            different, which = np.unique(levels[:, documents], axis=0, return_inverse=True)
            own = labels[documents].astype(np.int64)
            values = [self._loss(each, own) for each in different.astype(np.int64)]
            found[:, number] = np.array(values)[which]
        return found

    def _loss(self, levels: np.ndarray, labels: np.ndarray) -> float:
        """The loss of one query.

        Raises:
            ValueError: naming the function, if it fails or returns no finite number.
        """
        # The function gets copies: it may sort its arguments in place.
        try:
            value: Any = self._function(levels.copy(), labels.copy())
        except Exception as error:
            said = f"failed with {type(error).__name__}: {error}"
            raise ValueError(self._told(said, levels, labels)) from error
        number = _number(value)
        if number is None:
            said = f"returned {_brief(value)}, not one number, the loss of the query"
            raise ValueError(self._told(said, levels, labels))
        if not np.isfinite(number):
            raise ValueError(self._told(f"returned {number}, not a finite loss", levels, labels))
        return number

    def _told(self, said: str, levels: np.ndarray, labels: np.ndarray) -> str:
        shown = f"levels {_shown(levels)} and labels {_shown(labels)}"
        return f"the loss {self.__qualname__} {said}; it was given {shown}"


def _number(value: Any) -> float | None:
    """What a function returned as a number, if it is one."""
    try:
        return None if isinstance(value, str) or np.shape(value) else float(value)
    except (TypeError, ValueError):
        return None


def _shown(values: np.ndarray) -> str:
    return np.array2string(values, threshold=12, edgeitems=4, separator=", ")


def _brief(value: Any) -> str:
    shape = f" of shape {np.shape(value)}" if np.ndim(value) else ""
    return "None" if value is None else f"a {type(value).__name__}{shape}"
