"""One run as the workflow starts it: what it writes, and how it refuses."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.provenance import fingerprint_of
from arsm_l2r.experiments.run import train_and_score
from arsm_l2r.letor.store import Fold, read_fold
from arsm_l2r.rankers.score_file import read_scores

SETTINGS = {"epochs": 4, "levels": 3, "hidden": [4], "learning_rate": 0.05}


@pytest.fixture(scope="module")
def fold(small_parts: Path) -> Fold:
    return read_fold(small_parts, 2)


def start(fold: Fold, folder: Path, *, method: str = "arsm-l2r", **settings) -> None:
    train_and_score(
        fold,
        method=method,
        settings={**SETTINGS, **settings},
        seed=4,
        threads=None,
        checkpoint=folder / "state.npz",
        folder=folder / "run",
    )


def test_run_leaves_model_history_scores_and_record(fold: Fold, tmp_path: Path) -> None:
    start(fold, tmp_path)
    folder = tmp_path / "run"
    ranker = ARSMRanker.load(folder / "model.npz")
    for split in ("vali", "test"):
        data = getattr(fold, split)
        np.testing.assert_array_equal(
            read_scores(folder / f"{split}.scores", len(data.labels)),
            ranker.predict(data.features),
        )
    history = pl.read_parquet(folder / "history.parquet")
    assert history["epoch"].to_list() == [1, 2, 3, 4]
    record = json.loads((folder / "run.json").read_text())
    assert list(record) == [
        "method",
        "seed",
        "selected_epoch",
        "epochs",
        "seconds",
        "device",
        "provenance",
    ]
    assert history["ndcg@10"].n_unique() > 1
    assert record["selected_epoch"] == 1 + int(history["ndcg@10"].arg_max())
    data = fingerprint_of([part.fingerprint for part in (fold.train, fold.vali, fold.test)])
    assert record["provenance"]["data"] == data
    assert set(record["provenance"]) >= {"package", "code", "config", "tensorflow", "python"}
    assert not (tmp_path / "state.npz").exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"levels": 1}, "arsm-l2r: levels must be at least 2, not 1"),
        ({"layers": 3}, "settings of arsm-l2r: .*layers"),
        ({"hidden": 8}, "settings of arsm-l2r: .*int.*not iterable"),
        ({"loss": "gain"}, "no loss 'gain'; there are"),
        ({"estimator": "reinforce-loo"}, "arsm-l2r: .*at least 2 samples, not 1"),
        (
            {"loss": "ndcg-file-order", "estimator": "local-expectation"},
            "arsm-l2r: OrderedNDCGLoss cannot tell",
        ),
        ({"method": "arms"}, "no method 'arms'; there are .*arsm-l2r"),
    ],
)
def test_settings_that_cannot_be_used_are_the_users_error(
    fold: Fold, tmp_path: Path, wrong: dict, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        start(fold, tmp_path, **wrong)
    assert not (tmp_path / "run").exists()
