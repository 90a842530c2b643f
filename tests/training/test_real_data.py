"""Training on OHSUMED, where a mirror of the LETOR data is at hand."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import Fold, read_fold
from arsm_l2r.metrics import LETOR, Judgements, evaluate, means

from ..letor.tiny import changed

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fold(tmp_path_factory: pytest.TempPathFactory) -> Fold:
    """Fold 1 of OHSUMED."""
    mirror = Path(os.environ.get("LETOR_MIRROR") or PROJECT.parent / "shared" / "letor")
    if not any(path.name.lower().startswith("ohsumed") for path in mirror.glob("*")):
        pytest.skip(f"no OHSUMED in {mirror} (LETOR_MIRROR names another mirror)")
    dataset = changed(find_dataset(PROJECT / "config" / "datasets.yaml", "ohsumed"), sources=())
    folder = tmp_path_factory.mktemp("ohsumed")
    fetch(dataset, folder / "text", downloads=folder / "downloads", mirror=mirror)
    prepare(dataset, folder / "text", folder / "parts")
    return read_fold(folder / "parts", 1)


def test_arsm_learns_to_rank(fold: Fold) -> None:
    train, vali, test = fold.train, fold.vali, fold.test
    ranker = ARSMRanker(estimator="arsm", epochs=60, learning_rate=1e-3).fit(
        train.features,
        train.labels,
        train.group,
        eval_set=(vali.features, vali.labels, vali.group),
    )
    judgements = Judgements(test.labels, test.group)

    def ndcg_at_10(scores: np.ndarray, ties: str) -> float:
        convention = replace(LETOR, ties=ties)
        return means(evaluate(scores, judgements, convention))["ndcg@10"]

    # In file order even a constant has much: the file is sorted by a strong feature.
    chance = ndcg_at_10(np.zeros(len(test.labels)), "expected")
    assert ndcg_at_10(ranker.predict(test.features), LETOR.ties) > chance + 0.1
