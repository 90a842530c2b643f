"""Losses by the names that configurations give them. Nothing here needs TensorFlow."""

from arsm_l2r.losses.loss import LOSSES, Loss


def loss_by_name(name: str) -> Loss:
    """Make a loss from its name in the configuration, such as `ndcg@10`.

    Raises:
        ConfigError: if there is no such loss, naming those that there are.
    """
    kind, cutoff = LOSSES.find(name)
    # A class says by its name or by `truncates` whether its constructor takes a cut-off.
    takes_cutoff = kind.truncates or cutoff is not None
    return kind(cutoff) if takes_cutoff else kind()  # type: ignore[call-arg]


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
