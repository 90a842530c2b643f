"""What a loss is: a number per query for every way of giving levels to its documents.

Level C - 1 is the most relevant. A loss needs no gradient; estimators only ask for its values.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

from arsm_l2r.losses.batch import Batch
from arsm_l2r.registry import Registry
from arsm_l2r.tensorflow import tf

LOSSES: Registry[type[Loss]] = Registry("loss")
"""The losses that have a name."""


class Loss(ABC):
    """A loss of levels against labels.

    Attributes:
        name: in the configuration; a class that gives one is found by it as soon as its module
            is imported. `mine@K` is for a loss that is made with a cut-off.
        truncates: whether a loss called `mine` can also be had as `mine@K`. It is then made with
            the cut-off, or with None for no truncation.
        takes_relevance: whether it knows only relevant documents and others. It is then made with
            `relevant_from`, the lowest relevant label.
        moves_documents: whether it can tell what moving one document changes: whether its class,
            or one that it derives from, has its own `moved`.
        compiles: whether it consists of TensorFlow operations that XLA can compile. Otherwise the
            step of training is not compiled.
    """

    name: ClassVar[str] = ""
    truncates: ClassVar[bool] = False
    takes_relevance: ClassVar[bool] = False
    moves_documents: ClassVar[bool] = False
    compiles: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.moves_documents = cls.moved is not Loss.moved
        if "name" not in vars(cls):
            cls.name = ""
        else:
            LOSSES.add(cls.name, cls, cls)
            if cls.truncates:
                LOSSES.add(f"{cls.name}@K", cls, cls)

    @abstractmethod
    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """The loss of each query under each of several assignments of levels.

        Args:
            levels: (assignments, documents) int32, the level of every document, from 0.
            batch: the documents' labels and queries.
            dtype: the type of the result.

        Returns:
            (assignments, queries) losses, lower is better.
        """

    def losses_in_turn(
        self,
        levels: Callable[[tf.Tensor], tf.Tensor],
        turns: int,
        batch: Batch,
        dtype: tf.DType,
    ) -> tf.Tensor:
        """The losses of assignments that are made some at a time.

        Args:
            levels: from the number of a turn, from 0, to the (assignments, documents) of that turn.
            turns: how many there are, each with as many assignments.
            batch: the documents' labels and queries.
            dtype: the type of the result.

        Returns:
            (turns, assignments, queries) losses.
        """
        every = tf.concat([levels(tf.constant(turn)) for turn in range(turns)], axis=0)
        return tf.reshape(self.losses(every, batch, dtype), (turns, -1, batch.queries))

    def moved(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """The loss of each document's query if that document alone took each level in turn.

        Args:
            levels: (documents,) int32, the level of every document.
            batch: the documents' labels and queries.
            dtype: the type of the result.

        Returns:
            (documents, C) losses, up to a constant per document.
        """
        raise NotImplementedError(
            f"{type(self).__name__} cannot tell what moving one document changes, which the "
            "local-expectation estimator needs; use arsm, or derive the loss from "
            "LevelCountLoss or PointwiseLoss"
        )

    def training(self) -> AbstractContextManager[None]:
        """What a training with this loss happens in."""
        return nullcontext()


class PointwiseLoss(Loss):
    """A loss that is the mean, over a query's documents, of a loss of each by itself.

    A label y of Y possible ones stands for the level round(y · (C - 1) / (Y - 1)), so that the
    lowest label means the lowest level and the highest the highest.
    """

    @abstractmethod
    def of_document(self, level: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """The loss of a predicted level against the level that the label stands for.

        Both are whole numbers in the result's type, and broadcast against each other.
        """

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        values = self.of_document(tf.cast(levels, dtype), target_levels(batch, dtype))
        return batch.per_query(values) * self._share(batch, dtype)

    def moved(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.moved`."""
        every_level = tf.range(batch.levels, dtype=dtype)
        values = self.of_document(every_level, target_levels(batch, dtype)[:, None])
        return values * batch.per_document(self._share(batch, dtype))[:, None]

    def _share(self, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        sizes = batch.per_query(tf.ones(batch.query.shape, dtype))
        return tf.math.divide_no_nan(tf.ones_like(sizes), sizes)


class CallableLoss(Loss):
    """A user's function as a loss.

    Args:
        function: called with levels (assignments, documents) and the batch; returns
            (assignments, queries) losses.
    """

    def __init__(self, function: Callable[[tf.Tensor, Batch], tf.Tensor]) -> None:
        self._function = function

    def losses(self, levels: tf.Tensor, batch: Batch, dtype: tf.DType) -> tf.Tensor:
        """See `Loss.losses`."""
        refuse_arguments(self._function, ("levels", "batch"))
        name = function_name(self._function)
        try:
            values = tf.cast(self._function(levels, batch), dtype)
        except (NotImplementedError, TypeError, AttributeError, ValueError) as error:
            # What NumPy and Python raise when they are given tensors that have no values yet.
            raise ValueError(
                f"the loss function {name} failed on TensorFlow tensors: {type(error).__name__}: "
                f"{error}\n{_hint(name)}"
            ) from error
        expected = (levels.shape[0], batch.queries)
        if tuple(values.shape) != expected:
            raise ValueError(
                f"the loss function returned shape {tuple(values.shape)}; it must be "
                f"(assignments, queries) = {expected}. {_hint(name)}"
            )
        return values


def function_name(function: Any) -> str:
    """What a user calls a function."""
    return str(getattr(function, "__name__", type(function).__name__))


def refuse_arguments(function: Any, names: tuple[str, str]) -> None:
    """Raise ValueError if a user's function cannot be called with two arguments.

    Args:
        function: the function.
        names: what the arguments are.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some functions that are not written in Python do not tell
    try:
        signature.bind(*names)
    except TypeError as error:
        raise ValueError(
            f"the loss function {function_name(function)}{signature} cannot be called with "
            f"({', '.join(names)}): {error}"
        ) from error


def _hint(name: str) -> str:
    return (
        f"If {name} is a NumPy function of the levels and labels of one query, use "
        f"loss=numpy_loss({name}), from arsm_l2r import numpy_loss."
    )


def target_levels(batch: Batch, dtype: tf.DType) -> tf.Tensor:
    """The level, from 0 to C - 1, that each document's label stands for."""
    step = (batch.levels - 1) / max(batch.label_levels - 1, 1)
    return tf.round(tf.cast(batch.labels, dtype) * tf.cast(step, dtype))
