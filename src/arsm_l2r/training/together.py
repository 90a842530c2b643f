"""How the leading process of several tells the others what to do, epoch after epoch.

It alone validates, selects, and reads and writes checkpoints. The others know nothing but what it
says: the number of the next epoch, and where training stands then. So all of them are at the same
place however training has come there, and stay so where processors round differently.
"""

import json
from collections.abc import Callable
from types import TracebackType
from typing import Self

from arsm_l2r.errors import UserError
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import AdamState
from arsm_l2r.training.checkpoint import TrainingState
from arsm_l2r.training.step import Position
from arsm_l2r.training.workers import Workers, as_arrays, as_numbers

_OVER, _FAILED = 0, -1
"""What is said in place of the number of an epoch."""


class Leader:
    """Tells the others. When what is done inside of it fails, they hear of that, too.

    Args:
        workers: those who train together; there need not be others.
        fresh: a state before training, which says of what sizes everything is.
    """

    def __init__(self, workers: Workers, fresh: TrainingState) -> None:
        self._workers = workers
        self._failed = as_numbers([_FAILED, 0], [*fresh.weights, *fresh.first, *fresh.second])

    def __enter__(self) -> Self:
        return self

    def go(self, epoch: int, position: Position) -> None:
        """Let all take the steps of an epoch from a position."""
        if self._workers.several:
            moments = position.moments
            arrays = [*position.weights, *moments.first, *moments.second]
            self._workers.told(as_numbers([epoch, int(moments.steps)], arrays))

    def over(self, state: TrainingState) -> None:
        """Tell what came out."""
        if self._workers.several:
            # As long as every other message, of which the others know the length.
            three_times = [array for _ in range(3) for array in state.best_weights]
            self._workers.told(as_numbers([_OVER, state.steps], three_times))
            note = {
                "history": state.history,
                "best_epoch": state.best_epoch,
                "epoch": state.epoch,
                "seconds": state.seconds,
            }
            self._workers.told_text(json.dumps(note))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Where TensorFlow failed, nobody could be told.
        if self._workers.several and kind and not issubclass(kind, tf.errors.OpError):
            self._workers.told(self._failed)


def follow(
    workers: Workers, fresh: TrainingState, steps: Callable[[int, Position], None]
) -> TrainingState:
    """Do what the leading process says until training is over.

    Args:
        workers: those who train together.
        fresh: a state before training, which says of what sizes everything is.
        steps: takes the steps of an epoch from a position.

    Returns:
        The selected weights and the history, as the leading process has them.

    Raises:
        UserError: if the leading process failed.
    """
    like = [*fresh.weights, *fresh.first, *fresh.second]
    silence = as_numbers([0, 0], like)
    while True:
        said = workers.told(silence)
        what, count = int(said[0]), int(said[1])
        arrays = as_arrays(said[2:], like)
        size = len(fresh.weights)
        if what == _FAILED:
            raise UserError("the first worker of this training failed, and says why")
        if what == _OVER:
            note = json.loads(workers.told_text(""))
            best = arrays[:size]
            return TrainingState(
                weights=best,
                average=[],
                first=[],
                second=[],
                steps=count,
                best_weights=best,
                **note,
            )
        weights, first, second = (
            [tf.constant(array) for array in arrays[start : start + size]]
            for start in (0, size, 2 * size)
        )
        steps(what, Position(weights, AdamState(first, second, tf.constant(count))))
