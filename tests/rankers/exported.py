"""Rankers to export, made without training, and exports run without this project."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from arsm_l2r import ARSMRanker
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.training.network import initial_weights

COLUMNS = 5


def some_features() -> np.ndarray:
    """Values of all kinds: many, few, one only, mostly 0, large; as the scaling has seen them."""
    features = np.random.default_rng(0).random((2500, COLUMNS), dtype=np.float32)
    features[:, 1] = np.round(features[:, 1], 1)
    features[:, 2] = 3
    features[:, 3] *= features[:, 3] > 0.9
    features[:, 4] *= 50
    return features


def unseen_features() -> np.ndarray:
    """Values at those seen, between and beyond them."""
    draw = np.random.default_rng(1)
    return np.concatenate(
        [some_features()[:200], draw.normal(size=(200, COLUMNS)).astype(np.float32) * 30]
    )


def with_weights(made: NetworkRanker, outputs: int) -> NetworkRanker:
    """The ranker as if it were trained."""
    features = some_features()
    made._scaling = fitted_scaling(features, made.feature_scaling)
    made.n_features_in_ = COLUMNS
    inputs = made._scaling(features[:1]).shape[1]
    made._weights = [
        weight
        for member in range(made.members)
        for weight in initial_weights(inputs, made.hidden, outputs, 0, member)
    ]
    return made


def arsm(**settings: object) -> NetworkRanker:
    return with_weights(ARSMRanker(hidden=(16,), levels=7, **settings), 7)


def listnet(**settings: object) -> NetworkRanker:
    return with_weights(ListNet(hidden=(16,), **settings), 1)


def run_alone(program: str, folder: Path, features: np.ndarray) -> np.ndarray:
    """What a program makes of features, in a process that cannot import this project.

    Args:
        program: makes `scores` of `features`.
        folder: where it runs.
        features: given to it.
    """
    np.save(folder / "features.npy", features)
    lines = [
        "import sys; sys.modules['arsm_l2r'] = None",
        "import numpy as np; features = np.load('features.npy')",
        program,
        "np.save('scores.npy', scores)",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return np.asarray(np.load(folder / "scores.npy"))
