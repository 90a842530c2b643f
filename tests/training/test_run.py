"""One run as the workflow starts it: what it writes, and how it refuses."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import RunFiles
from arsm_l2r.experiments.provenance import fingerprint_of, settings_fingerprint
from arsm_l2r.experiments.run import Job, train_and_score
from arsm_l2r.letor.store import Fold, read_fold
from arsm_l2r.rankers.score_file import read_scores

ARSM = "arsm_l2r.rankers.arsm:ARSMRanker"
SETTINGS = {"epochs": 4, "levels": 3, "hidden": [4], "learning_rate": 0.05}


@pytest.fixture(scope="module")
def fold(small_parts: Path) -> Fold:
    return read_fold(small_parts, 2)


def start(
    fold: Fold, folder: Path, *, ranker: str = ARSM, relevant_from: int = 1, **settings
) -> None:
    job = Job(
        method="arsm-l2r",
        ranker=ranker,
        settings={**SETTINGS, **settings},
        seed=4,
        threads=None,
        code="this code",
        checkpoint=folder / "state.npz",
        files=RunFiles(folder / "run"),
        relevant_from=relevant_from,
    )
    train_and_score(fold, job)


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
    assert record["provenance"]["code"] == "this code"
    assert set(record["provenance"]) >= {"package", "commit", "config", "tensorflow", "python"}
    assert not (tmp_path / "state.npz").exists()


def test_what_is_relevant_is_part_of_what_a_run_is_known_by(fold: Fold, tmp_path: Path) -> None:
    def config(folder: Path) -> str:
        record = json.loads((folder / "run" / "run.json").read_text())
        return str(record["provenance"]["config"])

    settings = {"epochs": 1, "loss": "average-precision"}
    start(fold, tmp_path / "1", **settings)
    start(fold, tmp_path / "2", relevant_from=2, **settings)
    given = {**SETTINGS, **settings}
    assert config(tmp_path / "1") == settings_fingerprint("arsm-l2r", 4, given)
    told = {**given, "relevant_from": 2}
    assert config(tmp_path / "2") == settings_fingerprint("arsm-l2r", 4, told)
    one, two = (ARSMRanker.load(tmp_path / n / "run/model.npz") for n in ("1", "2"))
    assert (one.relevant_from, two.relevant_from) == (1, 2)
    features = fold.test.features  # the loss knew it, too
    assert not np.array_equal(one.predict(features), two.predict(features))
    with pytest.raises(UserError, match="relevant_from is 9, but the highest label is"):
        start(fold, tmp_path, relevant_from=9)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"levels": 1}, r"settings of arsm-l2r: (.|\n)*levels: 1 is less than the minimum of 2"),
        ({"layers": 3}, r"settings of arsm-l2r: (.|\n)*unknown key 'layers'"),
        (
            {"hidden": 8},
            r"settings of arsm-l2r: (.|\n)*hidden: must be a list, such as \[8\], not 8",
        ),
        ({"loss": "gain"}, "no loss 'gain'; there are"),
        ({"estimator": "reinforce-loo"}, "arsm-l2r: .*at least 2 samples"),
        (
            {"loss": "ndcg-file-order", "estimator": "local-expectation"},
            "local-expectation cannot be used with the loss ndcg-file-order",
        ),
        ({"ranker": "arsm_l2r.rankers.arsm:Arms"}, "no ranker 'arsm_l2r.rankers.arsm:Arms'"),
        ({"ranker": "arsm_l2r.rankers.arms:ARSMRanker"}, "no ranker 'arsm_l2r.rankers.arms:"),
    ],
)
def test_settings_that_cannot_be_used_are_the_users_error(
    fold: Fold, tmp_path: Path, wrong: dict, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        start(fold, tmp_path, **wrong)
    assert not (tmp_path / "run").exists()
