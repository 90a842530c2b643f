"""Losses by the names that configurations give them. Nothing here needs TensorFlow."""

from typing import Any

from arsm_l2r.losses.loss import LOSSES, Loss


def loss_by_name(name: str, relevant_from: int = 1) -> Loss:
    """Make a loss from its name in the configuration, such as `ndcg@10`.

    Args:
        name: of the loss.
        relevant_from: the lowest relevant label, for losses that know only relevant documents
            and others.

    Raises:
        ConfigError: if there is no such loss, naming those that there are.
    """
    kind, cutoff = LOSSES.find(name)
    # A class says by its name or by `truncates` whether its constructor takes a cut-off.
    takes_cutoff = kind.truncates or cutoff is not None
    told: dict[str, Any] = {"relevant_from": relevant_from} if kind.takes_relevance else {}
    return kind(cutoff, **told) if takes_cutoff else kind(**told)  # type: ignore[call-arg]


def loss_class(name: str) -> type[Loss]:
    """The class behind a loss's name.

    Raises:
        ConfigError: if there is no such loss, naming those that there are.
    """
    return LOSSES.find(name)[0]


def check_loss_name(name: str) -> None:
    """Raise ConfigError, naming the losses that there are, unless there is one of that name."""
    LOSSES.find(name)


def loss_names() -> list[str]:
    """The names of all losses, with `ndcg@K` for those with any cut-off K."""
    return LOSSES.names()


def loss_descriptions() -> dict[str, str]:
    """A line on each loss, by its name."""
    return LOSSES.descriptions()
