"""How far a reproduction has come: what is done, what has begun, what is missing."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.provenance import settings_fingerprint
from arsm_l2r.experiments.reading import read_fold_result, read_record
from arsm_l2r.rankers.selection import selection_name
from arsm_l2r.training.checkpoint import checkpoint_history

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 16
"""Of a curve, in letters."""


@dataclass(frozen=True)
class Begun:
    """A run with a checkpoint: it is training now, or goes on from there when started again.

    Attributes:
        fold: that it trains on.
        seed: that it trains with.
        minutes: age of the checkpoint.
        epoch: how many it has done; None if the checkpoint does not tell.
        epochs: how many it is to do.
        measured: the validation measure that it selects on, by epoch.
        seconds: what the epochs took.
    """

    fold: int
    seed: int
    minutes: float
    epoch: int | None = None
    epochs: int | None = None
    measured: Sequence[float] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class MethodStatus:
    """The runs of one method on one data set.

    Attributes:
        method: its name.
        expected: how many runs there are to be.
        done: runs that have ended.
        other: runs that have ended, with other settings: they would be made again.
        begun: runs that have left a checkpoint.
    """

    method: str
    expected: int
    done: int
    other: int
    begun: Sequence[Begun]

    @property
    def missing(self) -> int:
        """Runs that have left neither result nor checkpoint."""
        return self.expected - self.done - self.other - len(self.begun)


@dataclass(frozen=True)
class DatasetStatus:
    """The data, runs, folds and tables of one data set."""

    dataset: str
    described: bool
    folds: int
    folds_done: int
    methods: Sequence[MethodStatus]
    tables: bool


def status_of(plan: Plan) -> list[DatasetStatus]:
    """Look at the results of a plan."""
    layout = plan.layout
    return [
        DatasetStatus(
            dataset=name,
            described=layout.description(name).exists(),
            folds=len(plan.folds(name)),
            folds_done=sum(_collected(plan, name, fold) for fold in plan.folds(name)),
            methods=[_method_status(plan, name, method) for method in plan.methods],
            tables=layout.table(name, "html").exists(),
        )
        for name in plan.datasets
    ]


def lines(found: Sequence[DatasetStatus]) -> list[str]:
    """The status in words, one line per method, and what is in all."""
    text = []
    titles = [method_title(method.method) for each in found for method in each.methods]
    width = max([15, *map(len, titles)]) + 2
    for each in found:
        text.append(
            f"{each.dataset}: data {'described' if each.described else 'not yet described'}, "
            f"{each.folds_done} of {each.folds} folds complete, "
            f"tables {'made' if each.tables else 'not yet made'}"
        )
        for method in each.methods:
            text.append(f"  {method_title(method.method):<{width}}{_counts([method])}")
            text.extend(f"    {_training(run)}" for run in method.begun)
    every = [method for each in found for method in each.methods]
    return [*text, f"In all: {_counts(every)}"]


def _counts(methods: Sequence[MethodStatus]) -> str:
    done, expected = sum(m.done for m in methods), sum(m.expected for m in methods)
    counts = {
        "done with other settings, to be made again": sum(m.other for m in methods),
        "begun": sum(len(m.begun) for m in methods),
        "missing": sum(m.missing for m in methods),
    }
    return f"{done} of {expected} runs done" + "".join(
        f", {count} {word}" for word, count in counts.items() if count
    )


def _training(run: Begun) -> str:
    text = f"fold {run.fold}, seed {run.seed}: "
    if run.epoch is not None:
        text += f"epoch {run.epoch}" + (f" of {run.epochs}" if run.epochs else "") + ", "
    if run.measured:
        text += f"validation {run.measured[-1]:.4f} {curve(run.measured)}, "
    if run.epoch and run.epochs and run.seconds:
        left = run.seconds / run.epoch * max(run.epochs - run.epoch, 0)
        text += f"about {left / 60:.0f} minutes left, "
    return f"{text}checkpoint {run.minutes:.0f} minutes old; running, or goes on from there"


def curve(values: Sequence[float]) -> str:
    """Values as bars from the lowest to the highest, no more than 16 of them."""
    step = max(1, -(-len(values) // _WIDTH))
    chosen = values[::-1][::step][::-1]  # the last one is always shown
    low, high = min(chosen), max(chosen)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0
    return "".join(_BARS[round((value - low) * scale)] for value in chosen)


def _method_status(plan: Plan, dataset: str, method: str) -> MethodStatus:
    runs = plan.runs(dataset, [method])
    done, other, begun = 0, 0, []
    for run in runs:
        files = run.files
        if all(path.exists() for path in (files.record, files.measures, files.summary)):
            same = _has_settings(plan, run)
            done, other = done + same, other + (not same)
        elif (found := _begun(plan, run)) is not None:
            begun.append(found)
    return MethodStatus(method, len(runs), done, other, begun)


def _has_settings(plan: Plan, run: Run) -> bool:
    """Whether a run that has ended was made with the settings of the plan."""
    settings = plan.training_settings(run.name, run.dataset)
    try:
        found = read_record(run.files.record)["provenance"]["config"]
    except UserError:  # the jobs that read it tell more
        return False
    return bool(found == settings_fingerprint(run.name, run.seed, settings))


def _begun(plan: Plan, run: Run) -> Begun | None:
    checkpoint = plan.layout.checkpoint(run.dataset, run.fold, run.name, run.seed)
    try:
        minutes = max(time.time() - checkpoint.stat().st_mtime, 0.0) / 60
    except FileNotFoundError:
        return None
    history = checkpoint_history(checkpoint)
    if history is None:
        return Begun(run.fold, run.seed, minutes)
    settings = plan.trained[run.name].settings
    return Begun(
        run.fold,
        run.seed,
        minutes,
        epoch=int(history["epoch"][-1]),
        epochs=settings.get("epochs"),
        measured=history.get(selection_name(settings["select_on"]), ()),
        seconds=history.get("seconds", [0.0])[-1],
    )


def _collected(plan: Plan, dataset: str, fold: int) -> bool:
    """Whether the result of a fold is there and has every run."""
    path = plan.layout.fold(dataset, fold)
    if not path.exists():
        return False
    runs = {(run["method"], run["seed"]) for run in read_fold_result(path)["runs"]}
    return all((method, seed) in runs for method in plan.methods for seed in plan.seeds)
