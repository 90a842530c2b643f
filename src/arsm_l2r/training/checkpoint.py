"""Save the state of a training run, so that a killed job goes on as if nothing had happened."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.sealed import DamagedError, read_sealed, write_sealed


@dataclass
class TrainingState:
    """Everything that the next epoch depends on, and what is to be reported at the end.

    Attributes:
        epoch: epochs done.
        weights: current weights.
        average: their moving average; empty where none is kept.
        first: Adam's first moments.
        second: Adam's second moments.
        steps: Adam's steps.
        best_weights: the selected weights so far.
        best_value: their value of the selection measure.
        best_epoch: the epoch after which they were taken.
        history: one row per epoch done.
        seconds: time spent so far, in all sessions together.
    """

    epoch: int
    weights: list[np.ndarray]
    average: list[np.ndarray]
    first: list[np.ndarray]
    second: list[np.ndarray]
    steps: int
    best_weights: list[np.ndarray]
    best_value: float = -np.inf
    best_epoch: int = 0
    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0


_LISTS = ("weights", "average", "first", "second", "best_weights")
_NUMBERS = ("epoch", "steps", "best_value", "best_epoch", "seconds")


def save_checkpoint(path: Path, state: TrainingState, identity: str) -> None:
    """Write a checkpoint whole or not at all.

    Args:
        path: the file, replaced if it is there.
        state: what to save.
        identity: names the data, settings and code; see `load_checkpoint`.
    """
    arrays = {
        f"{name}{number}": array
        for name in _LISTS
        for number, array in enumerate(getattr(state, name))
    }
    columns = {key: [row[key] for row in state.history] for key in (state.history or [{}])[0]}
    numbers = {name: getattr(state, name) for name in _NUMBERS}
    write_sealed(path, {"identity": identity, **numbers, "history": columns}, arrays)


def load_checkpoint(path: Path, identity: str) -> TrainingState | None:
    """Read a checkpoint, if there is one that can be used.

    One of other data, settings or code is left alone and not used; a damaged one is renamed to
    `….damaged`. Both are said on standard error, and training starts from the beginning.
    """
    try:
        note, arrays = read_sealed(path)
        if note.get("identity") != identity:
            _say(f"{path} is of other data, settings or code and is not used")
            return None
        columns: dict[str, list[float]] = note["history"]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        content: dict[str, Any] = {name: _numbered(arrays, name) for name in _LISTS}
        content |= {name: note[name] for name in _NUMBERS}
        return TrainingState(history=rows, **content)
    except FileNotFoundError:
        return None
    except (DamagedError, KeyError, TypeError, ValueError, AttributeError) as error:
        _set_aside(path, str(error))
        return None


def checkpoint_history(path: Path) -> dict[str, list[float]] | None:
    """What the epochs that a checkpoint has done measured, by column; None if it cannot be told."""
    try:
        history = dict(read_sealed(path)[0]["history"])
    except (FileNotFoundError, DamagedError, KeyError, TypeError, ValueError):
        return None
    return history if history.get("epoch") else None


def _set_aside(path: Path, reason: str) -> None:
    """Put a damaged checkpoint out of the way: it must not keep a job from starting."""
    aside = path.with_name(path.name + ".damaged")
    try:
        path.replace(aside)
    except OSError:  # a folder of that name, or no leave to rename: the next save replaces it
        _say(f"{path} is damaged ({reason}) and is not used")
    else:
        _say(f"{path} is damaged ({reason}); it was set aside as {aside.name}")


def _numbered(arrays: Mapping[str, np.ndarray], name: str) -> list[np.ndarray]:
    keys = (key for key in arrays if key.removeprefix(name).isdigit())
    return [arrays[key] for key in sorted(keys, key=lambda key: int(key.removeprefix(name)))]


def _say(text: str) -> None:
    print(f"checkpoint: {text}", file=sys.stderr, flush=True)
