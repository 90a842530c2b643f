"""The methods that the workflow can train, by name. A new method is one more entry here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from arsm_l2r.errors import ConfigError


class Ranker(Protocol):
    """What every method is: something that learns from queries and scores documents."""

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        group: ArrayLike | None = None,
        *,
        eval_set: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    ) -> Self:
        """Learn; `eval_set` is X, y and group of validation data, to select on."""

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """(documents,) scores, higher is better."""

    def save(self, path: str | Path) -> None:
        """Save as one file of arrays and JSON."""

    @property
    def history_(self) -> pl.DataFrame:
        """One row per epoch or round of training."""

    def report(self) -> dict[str, Any]:
        """What a run records about its training: `selected_epoch`, `epochs`, `device` and so on."""


Factory = Callable[[dict[str, Any], int, int, Path], Ranker]
"""Makes a ranker from settings, seed, threads, and a file for checkpoints."""


def _arsm(settings: dict[str, Any], seed: int, threads: int, checkpoint: Path) -> Ranker:
    from arsm_l2r.ranker import ARSMRanker

    hidden = tuple(settings.get("hidden", (500,)))
    return ARSMRanker(
        **{**settings, "hidden": hidden}, seed=seed, threads=threads, checkpoint=checkpoint
    )


METHODS: dict[str, Factory] = {
    "arsm-l2r": _arsm,
}
"""The methods by name."""


def make_ranker(
    method: str, settings: dict[str, Any], *, seed: int, threads: int, checkpoint: Path
) -> Ranker:
    """Make a method's untrained ranker.

    Raises:
        ConfigError: if there is no such method, or it does not know a setting.
    """
    if method not in METHODS:
        raise ConfigError(f"no method {method!r}; there are {', '.join(METHODS)}")
    try:
        return METHODS[method](settings, seed, threads, checkpoint)
    except TypeError as error:
        raise ConfigError(f"settings of {method}: {error}") from error
