"""How far a reproduction has come: what is done, what has begun, what is missing."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.analysis.measured import load_folds, method_title
from arsm_l2r.experiments.methods import METHODS
from arsm_l2r.files import UNREADABLE
from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.settings import check_settings, load_yaml

_FILES = ("run.json", "measures.parquet", "summary.json")
"""What a run has left when it is trained and measured."""


@dataclass(frozen=True)
class Begun:
    """A run with a checkpoint: it is training now, or goes on from there when started again."""

    fold: int
    seed: int
    epoch: int | None
    minutes: float


@dataclass(frozen=True)
class MethodStatus:
    """The runs of one method on one data set."""

    method: str
    expected: int
    done: int
    begun: Sequence[Begun]

    @property
    def missing(self) -> int:
        """Runs that have left neither result nor checkpoint."""
        return self.expected - self.done - len(self.begun)


@dataclass(frozen=True)
class DatasetStatus:
    """The data, runs, folds and tables of one data set."""

    dataset: str
    described: bool
    folds: int
    folds_done: int
    methods: Sequence[MethodStatus]
    tables: bool


def load_settings(project: Path, overriding: Sequence[Path] = ()) -> dict[str, Any]:
    """The workflow's configuration, as Snakemake would see it.

    Args:
        project: folder of the project.
        overriding: files whose keys override those of `config/config.yaml`, as with Snakemake's
            `--configfile`.
    """
    settings = load_yaml(project / "config" / "config.yaml")
    for path in overriding:
        settings = _overridden(settings, load_yaml(path) or {})
    schema = load_yaml(project / "workflow" / "schemas" / "config.schema.yaml")
    checked: dict[str, Any] = check_settings(settings, schema, source="configuration")
    return checked


def status_of(settings: Mapping[str, Any], project: Path) -> list[DatasetStatus]:
    """Look at the results folder of a configuration."""
    results = project / settings["pathvars"]["results"]
    methods = [name for name in METHODS if settings["methods"].get(name) is not None]
    found = []
    for name in settings["datasets"]:
        folds = range(1, find_dataset(project / settings["catalogue"], name).part_count + 1)
        found.append(
            DatasetStatus(
                dataset=name,
                described=(results / name / "data.json").exists(),
                folds=len(folds),
                folds_done=sum(
                    _collected(results / name / f"fold{fold}.json", methods, settings["seeds"])
                    for fold in folds
                ),
                methods=[
                    _method_status(results, name, method, folds, settings["seeds"])
                    for method in methods
                ],
                tables=(results / "tables" / f"{name}.html").exists(),
            )
        )
    return found


def lines(found: Sequence[DatasetStatus]) -> list[str]:
    """The status in words, one line per method, and what is in all."""
    text = []
    for each in found:
        text.append(
            f"{each.dataset}: data {'described' if each.described else 'not yet described'}, "
            f"{each.folds_done} of {each.folds} folds complete, "
            f"tables {'made' if each.tables else 'not yet made'}"
        )
        for method in each.methods:
            text.append(f"  {method_title(method.method):<17}{_counts([method])}")
            text.extend(f"    {_training(run)}" for run in method.begun)
    every = [method for each in found for method in each.methods]
    return [*text, f"In all: {_counts(every)}"]


def _counts(methods: Sequence[MethodStatus]) -> str:
    done, expected = sum(m.done for m in methods), sum(m.expected for m in methods)
    begun, missing = sum(len(m.begun) for m in methods), sum(m.missing for m in methods)
    return f"{done} of {expected} runs done" + "".join(
        f", {count} {word}" for count, word in ((begun, "begun"), (missing, "missing")) if count
    )


def _training(run: Begun) -> str:
    epoch = "" if run.epoch is None else f"epoch {run.epoch}, "
    return (
        f"fold {run.fold}, seed {run.seed}: {epoch}checkpoint {run.minutes:.0f} minutes old; "
        "running, or goes on from there"
    )


def _method_status(
    results: Path, dataset: str, method: str, folds: Sequence[int], seeds: Sequence[int]
) -> MethodStatus:
    done, begun = 0, []
    for fold in folds:
        for seed in seeds:
            place = Path(dataset, f"fold{fold}", method)
            checkpoint = results / "checkpoints" / place / f"seed{seed}.npz"
            if all((results / place / f"seed{seed}" / name).exists() for name in _FILES):
                done += 1
            elif checkpoint.exists():
                minutes = (time.time() - checkpoint.stat().st_mtime) / 60
                begun.append(Begun(fold, seed, _epoch(checkpoint), max(minutes, 0.0)))
    return MethodStatus(method, len(folds) * len(seeds), done, begun)


def _collected(path: Path, methods: Sequence[str], seeds: Sequence[int]) -> bool:
    """Whether the result of a fold is there and has every run."""
    if not path.exists():
        return False
    runs = {(run["method"], run["seed"]) for run in load_folds([path])[0]["runs"]}
    return all((method, seed) in runs for method in methods for seed in seeds)


def _epoch(checkpoint: Path) -> int | None:
    try:
        with np.load(checkpoint, allow_pickle=False) as content:
            return int(json.loads(str(content["note"]))["epoch"])
    except UNREADABLE:
        return None


def _overridden(settings: Any, other: Any) -> Any:
    if not isinstance(settings, dict) or not isinstance(other, dict):
        return other
    merged = {key: _overridden(settings.get(key), value) for key, value in other.items()}
    return {**settings, **merged}
