"""Save the state of a training run, so that a killed job goes on as if nothing had happened."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.files import UNREADABLE, written_whole

_NOTE = "note"


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
    note = {
        "identity": identity,
        "epoch": state.epoch,
        "steps": state.steps,
        "best_value": state.best_value,
        "best_epoch": state.best_epoch,
        "seconds": state.seconds,
        "history": columns,
    }
    with written_whole(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **{_NOTE: np.array(json.dumps(note))}, **arrays)


def load_checkpoint(path: Path, identity: str) -> TrainingState | None:
    """Read a checkpoint, if there is one that can be used.

    One of other data, settings or code is left alone and not used; a damaged one is renamed to
    `….damaged`. Both are said on standard error, and training starts from the beginning.
    """
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as content:
            note: dict[str, Any] = json.loads(str(content[_NOTE]))
            if note["identity"] != identity:
                _say(f"{path} is of other data, settings or code and is not used")
                return None
            lists = {name: _numbered(content, name) for name in _LISTS}
        columns = note["history"]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return TrainingState(
            epoch=note["epoch"],
            steps=note["steps"],
            best_value=note["best_value"],
            best_epoch=note["best_epoch"],
            seconds=note["seconds"],
            history=rows,
            **lists,
        )
    except UNREADABLE as error:
        aside = path.with_name(path.name + ".damaged")
        path.replace(aside)
        _say(f"{path} is damaged ({error}); it was set aside as {aside.name}")
        return None


def _numbered(content: Any, name: str) -> list[np.ndarray]:
    keys = sorted(
        (key for key in content.files if key.removeprefix(name).isdigit()),
        key=lambda key: int(key.removeprefix(name)),
    )
    return [content[key] for key in keys]


def _say(text: str) -> None:
    print(f"checkpoint: {text}", file=sys.stderr, flush=True)
