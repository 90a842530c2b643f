"""Estimators by the names that configurations give them, and what each of them needs.

Nothing here needs TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from arsm_l2r.estimators.estimate import Estimator
from arsm_l2r.losses import Loss, loss_class
from arsm_l2r.registry import Registry

if TYPE_CHECKING:
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf

AnyEstimator = TypeVar("AnyEstimator", bound=Estimator)


@dataclass(frozen=True)
class EstimatorRecord:
    """An estimator that has a name.

    Attributes:
        name: in the configuration.
        function: the estimator.
        needs_moves: whether it asks the loss what moving one document changes (`Loss.moved`).
        least_samples: the fewest draws that it can do with.
    """

    name: str
    function: Estimator
    needs_moves: bool
    least_samples: int


AUTO = "auto"
"""Stands for the best estimator known for the loss."""

ESTIMATORS: Registry[EstimatorRecord] = Registry("estimator")
"""The estimators that have a name."""


def estimator(
    name: str, *, needs_moves: bool = False, least_samples: int = 1
) -> Callable[[AnyEstimator], AnyEstimator]:
    """Make the function that follows an estimator that the configuration can name.

    Args:
        name: in the configuration.
        needs_moves: whether it calls the loss's `moved`, which not every loss has.
        least_samples: the fewest draws that it can do with.
    """

    def registered(function: AnyEstimator) -> AnyEstimator:
        record = EstimatorRecord(name, function, needs_moves, least_samples)
        ESTIMATORS.add(name, record, function)
        return function

    return registered


def estimator_by_name(name: str) -> Estimator:
    """Find an estimator by its name in the configuration.

    Raises:
        ConfigError: if there is no such estimator, naming those that there are.
    """
    return estimator_record(name).function


def estimator_record(name: str) -> EstimatorRecord:
    """An estimator with what it needs.

    Raises:
        ConfigError: if there is no such estimator, naming those that there are.
    """
    return ESTIMATORS.find(name)[0]


def estimator_names() -> list[str]:
    """The names of all estimators."""
    return ESTIMATORS.names()


def estimator_descriptions() -> dict[str, str]:
    """A line on each estimator, by its name."""
    return ESTIMATORS.descriptions()


def estimator_for(name: str, loss: str | Loss | Callable[..., Any]) -> str:
    """The name of the estimator that a name stands for with a loss: `auto` is not one itself."""
    if name != AUTO:
        return name
    return "local-expectation" if _moves_documents(loss) else "arsm"


def check_combination(
    estimator: str,
    loss: str | Loss | Callable[[tf.Tensor, Batch], tf.Tensor],
    samples: int,
) -> None:
    """Refuse what cannot be trained together, before anything is trained.

    Args:
        estimator: its name.
        loss: its name, a loss, or a user's function.
        samples: draws that the estimator is to average over.

    Raises:
        ConfigError: if there is no such estimator or loss.
        ValueError: if the estimator cannot do with the loss or the samples.
    """
    record = estimator_record(estimator)
    if not _moves_documents(loss) and record.needs_moves:
        raise ValueError(
            f"the estimator {estimator} cannot be used with the loss {_title(loss)}; use arsm, or "
            "a loss that can move single documents, such as one with ties in expectation"
        )
    if samples < record.least_samples:
        raise ValueError(f"the estimator {estimator} needs at least {record.least_samples} samples")


def _moves_documents(loss: Any) -> bool:
    if isinstance(loss, str):
        return loss_class(loss).moves_documents
    return isinstance(loss, Loss) and loss.moves_documents


def _title(loss: Any) -> str:
    if isinstance(loss, str):
        return loss
    return str(getattr(loss, "__qualname__", type(loss).__name__))
