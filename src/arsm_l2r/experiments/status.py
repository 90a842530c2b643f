"""How far a reproduction has come: what is done, what has begun, what is missing."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.reading import read_fold_result
from arsm_l2r.training.checkpoint import checkpoint_epoch


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


def _method_status(plan: Plan, dataset: str, method: str) -> MethodStatus:
    runs = plan.runs(dataset, [method])
    done, begun = 0, []
    for run in runs:
        files = run.files
        if all(path.exists() for path in (files.record, files.measures, files.summary)):
            done += 1
        elif (found := _begun(plan, run)) is not None:
            begun.append(found)
    return MethodStatus(method, len(runs), done, begun)


def _begun(plan: Plan, run: Run) -> Begun | None:
    checkpoint = plan.layout.checkpoint(run.dataset, run.fold, run.name, run.seed)
    if not checkpoint.exists():
        return None
    minutes = (time.time() - checkpoint.stat().st_mtime) / 60
    return Begun(run.fold, run.seed, checkpoint_epoch(checkpoint), max(minutes, 0.0))


def _collected(plan: Plan, dataset: str, fold: int) -> bool:
    """Whether the result of a fold is there and has every run."""
    path = plan.layout.fold(dataset, fold)
    if not path.exists():
        return False
    runs = {(run["method"], run["seed"]) for run in read_fold_result(path)["runs"]}
    return all((method, seed) in runs for method in plan.methods for seed in plan.seeds)
