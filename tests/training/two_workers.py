"""What two workers of one process learn, beside one; prints JSON. Run by test_workers.py."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r import ARSMRanker
from arsm_l2r.errors import UserError
from arsm_l2r.estimators import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.device import prepare_device
from arsm_l2r.training.loop import train
from arsm_l2r.training.task import TrainingData, TrainingSettings

DRAW = np.random.default_rng(0)
GROUP = DRAW.integers(3, 30, 21)
FEATURES = DRAW.random((GROUP.sum(), 6)).astype(np.float32)
LABELS = np.digitize(FEATURES[:, 0] + 0.5 * FEATURES[:, 1], [0.8, 1.2])
WEIGHTS = DRAW.random(len(GROUP)) + 0.1
HELD_OUT = {"eval_set": [(FEATURES[: GROUP[0] + GROUP[1]], LABELS[: GROUP[0] + GROUP[1]])]}
HELD_OUT["eval_group"] = [GROUP[:2]]


def squares(outputs: tf.Tensor, batch: Batch, seed: tf.Tensor) -> Estimate:
    """Half the squared distance of outputs from the label: its gradient is exact."""
    distance = outputs - tf.cast(batch.labels, tf.float32)[:, None]
    distance = tf.where((batch.query < batch.queries)[:, None], distance, 0)
    losses = batch.per_query(tf.reduce_sum(distance**2 / 2, axis=1))
    return Estimate(distance, losses, {"twice": 2 * losses})


def listnet(workers: int, weights: np.ndarray | None = None, **changes: Any) -> Any:
    given = {"epochs": 4, "queries_per_batch": 5, "hidden": (4,), "threads": workers} | changes
    ranker = ListNet(**given, workers=workers)
    ranker.fit(FEATURES, LABELS, GROUP, sample_weight=weights, verbose=False, **HELD_OUT)
    # Scores count by their differences: the last bias moves by errors of rounding only.
    return {"weights": flat(ranker._weights[:-1]), "history": rows(ranker.history_.to_dicts())}


def members(workers: int) -> Any:
    settings = TrainingSettings(
        hidden=(4,), learning_rate=0.01, epochs=4, queries_per_batch=5, members=2,
        averaging=0.5, weight_decay=0.1, workers=workers,
    )  # fmt: skip
    state = train(squares, TrainingData(FEATURES, LABELS, GROUP, 2, WEIGHTS), settings)
    return {"weights": flat(state.best_weights), "history": rows(state.history)}


def arsm(**changes: Any) -> Any:
    given = {"epochs": 6, "queries_per_batch": 5, "hidden": (4,), "levels": 3, "threads": 2}
    ranker = ARSMRanker(**given | changes, estimator="arsm", workers=2)
    ranker.fit(FEATURES, LABELS, GROUP, verbose=False, **HELD_OUT)
    return {"weights": flat(ranker._weights), "history": rows(ranker.history_.to_dicts())}


def stopped_and_resumed() -> Any:
    """The same with a checkpoint after three of six epochs, from which it goes on."""
    from arsm_l2r.training import loop

    class StopError(Exception):
        pass

    def stop(path: Path, state: Any, identity: str) -> None:
        save(path, state, identity)
        raise StopError

    with tempfile.TemporaryDirectory() as folder:
        options = {"checkpoint": Path(folder) / "state", "checkpoint_every": 3}
        save, loop.save_checkpoint = loop.save_checkpoint, stop
        try:
            arsm(**options)
        except StopError:
            pass
        else:
            raise AssertionError("it was not stopped")
        loop.save_checkpoint = save
        return arsm(**options)


def flat(weights: list[np.ndarray]) -> list[float]:
    return np.concatenate([weight.ravel() for weight in weights]).tolist()


def rows(history: list[dict[str, float]]) -> list[dict[str, float]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in history]


def refused(workers: int) -> str:
    try:
        listnet(workers, queries_per_batch=10)
    except (UserError, ValueError) as error:
        return str(error)
    return ""


if __name__ == "__main__":
    device = prepare_device(threads=2, workers=2)
    # First those with two: TensorFlow can be told of devices only before it starts.
    pairs = {
        "plain": [listnet(workers) for workers in (2, 1)],
        "weights": [listnet(workers, WEIGHTS) for workers in (2, 1)],
        "patience": [listnet(w, patience=1, epochs=40, learning_rate=0.5) for w in (2, 1)],
        "members, averaging, weights": [members(workers) for workers in (2, 1)],
    }
    same = {"arsm": [arsm(), arsm()], "resumed": [arsm(), stopped_and_resumed()]}
    said = [refused(3), refused(11)]
    json.dump({"device": device, "pairs": pairs, "same": same, "refused": said}, sys.stdout)
