"""One run: a method trained on a fold, with everything that is to be known about it."""

from pathlib import Path
from typing import Any

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import make_ranker
from arsm_l2r.experiments.provenance import fingerprint_of, provenance, settings_fingerprint
from arsm_l2r.files import write_json, written_whole
from arsm_l2r.letor.store import Fold
from arsm_l2r.rankers.score_file import write_scores


def train_and_score(
    fold: Fold,
    *,
    method: str,
    settings: dict[str, Any],
    seed: int,
    threads: int,
    checkpoint: Path,
    folder: Path,
) -> None:
    """Train a method on a fold and write what came of it into `folder`.

    Writes `model.npz`, `history.parquet` (for methods that have one), `vali.scores`,
    `test.scores`, and last `run.json`. The checkpoint is removed when all is written.
    """
    ranker = make_ranker(method, settings, seed=seed, threads=threads, checkpoint=checkpoint)
    train, vali = fold.train, fold.vali
    try:
        ranker.fit(
            train.features,
            train.labels,
            train.group,
            eval_set=(vali.features, vali.labels, vali.group),
        )
    except (ValueError, NotImplementedError) as error:
        raise UserError(f"{method}: {error}") from error
    folder.mkdir(parents=True, exist_ok=True)
    ranker.save(folder / "model.npz")
    with written_whole(folder / "history.parquet") as temporary:
        ranker.history_.write_parquet(temporary)
    write_scores(folder / "vali.scores", ranker.predict(vali.features))
    write_scores(folder / "test.scores", ranker.predict(fold.test.features))
    data = fingerprint_of([part.fingerprint for part in (train, vali, fold.test)])
    config = settings_fingerprint(method, seed, settings)
    record = {
        "method": method,
        "seed": seed,
        **ranker.report(),
        "provenance": {**provenance(data, config), "threads": threads},
    }
    write_json(folder / "run.json", record)
    checkpoint.unlink(missing_ok=True)
