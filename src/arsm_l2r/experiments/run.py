"""One run: a method trained on a fold, with everything that is to be known about it."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from arsm_l2r.declared import by_run, declared, settings_model
from arsm_l2r.errors import ConfigError, UserError
from arsm_l2r.experiments.layout import RunFiles
from arsm_l2r.experiments.provenance import fingerprint_of, provenance, settings_fingerprint
from arsm_l2r.extensions import load_extensions
from arsm_l2r.files import write_json, written_whole
from arsm_l2r.letor.store import Fold
from arsm_l2r.locks import alone
from arsm_l2r.rankers.learned_ranker import LearnedRanker
from arsm_l2r.rankers.score_file import write_scores
from arsm_l2r.settings import checked
from arsm_l2r.training.cluster import leads


@dataclass(frozen=True)
class Job:
    """One training.

    Attributes:
        method: the name to record.
        ranker: its class, as `module:Class` or `file.py:Class`.
        settings: of the ranker, as JSON has them.
        seed: of all that is random.
        threads: to compute with.
        relevant_from: the lowest label that counts as relevant, which the data set says.
        code: the version of the code, to record.
        checkpoint: file for the state of training; removed at the end.
        checkpoint_every: epochs between two states, if not as many as the ranker takes.
        files: where to write to.
    """

    method: str
    ranker: str
    settings: dict[str, Any]
    seed: int
    threads: int
    code: str
    checkpoint: Path
    files: RunFiles
    checkpoint_every: int | None = None
    relevant_from: int = 1


def ranker_class(reference: str) -> type[LearnedRanker]:
    """The class that `module:Class` or `file.py:Class` names.

    Raises:
        ConfigError: if there is none.
    """
    place, _, name = reference.rpartition(":")
    try:
        own = place.endswith(".py")
        module = load_extensions([Path(place)])[0] if own else import_module(place)
        found: type[LearnedRanker] = getattr(module, name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"no ranker {reference!r}: {error}") from error
    return found


def make_ranker(job: Job) -> LearnedRanker:
    """Make the untrained ranker of a job.

    Raises:
        ConfigError: if there is no such ranker, or it does not know a setting.
    """
    ranker = ranker_class(job.ranker)
    settings = ranker.identified(job.settings)
    found = checked(settings_model(ranker), settings, source=f"settings of {job.method}")
    given = {name: getattr(job, name) for name, field in declared(ranker).items() if by_run(field)}
    return ranker(**dict(found), **{k: v for k, v in given.items() if v is not None})


def train_and_score(fold: Fold, job: Job) -> None:
    """Train a ranker on a fold and write what came of it; last of all, the record.

    A job that was left behind when its workflow was killed may still be at the same work: then this
    one waits until it has ended. Of several processes that train together only the first writes.
    """
    ranker = make_ranker(job)
    if not leads(getattr(ranker, "workers", 1)):
        _fit(ranker, fold, job, verbose=False)
        return
    with alone(job.checkpoint, f"train {job.method}"):
        _fit(ranker, fold, job)
        _write(ranker, fold, job)


def _fit(ranker: LearnedRanker, fold: Fold, job: Job, *, verbose: bool = True) -> None:
    train, vali = fold.train, fold.vali
    try:
        ranker.fit(
            train.features,
            train.labels,
            train.group,
            eval_set=(vali.features, vali.labels, vali.group),
            verbose=verbose,
        )
    except (ValueError, NotImplementedError) as error:
        raise UserError(f"{job.method}: {error}") from error


def _write(ranker: LearnedRanker, fold: Fold, job: Job) -> None:
    files, train, vali = job.files, fold.train, fold.vali
    files.folder.mkdir(parents=True, exist_ok=True)
    ranker.save(files.model)
    with written_whole(files.history) as temporary:
        ranker.history_.write_parquet(temporary)
    write_scores(files.vali, ranker.predict(vali.features))
    write_scores(files.test, ranker.predict(fold.test.features))
    data = fingerprint_of([part.fingerprint for part in (train, vali, fold.test)])
    settings = {**job.settings, "relevant_from": job.relevant_from}
    config = settings_fingerprint(job.method, job.seed, ranker.identifying(settings))
    record = {
        "method": job.method,
        "seed": job.seed,
        **ranker.report(),
        "provenance": {**provenance(data, config, job.code), "threads": job.threads},
    }
    write_json(files.record, record)
    job.checkpoint.unlink(missing_ok=True)
