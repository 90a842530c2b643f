"""What was compiled is used again: by the next training, and by other processes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.compiled import VARIABLE, keep_programs_on_disk
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf
from arsm_l2r.training import step, steps

GROUP = np.array([5, 9, 7, 8])
FEATURES = np.random.default_rng(0).random((29, 3))
LABELS = np.digitize(FEATURES[:, 0], [0.5, 0.8])
DATA = (FEATURES, LABELS, GROUP)
SMALL = {"epochs": 2, "hidden": (4,), "levels": 3, "queries_per_batch": 2}


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows whenever a step is traced, which comes before compiling it."""
    found: list[int] = []
    network = step.forward

    def counted(*arguments: object) -> object:
        found.append(1)
        return network(*arguments)

    monkeypatch.setattr(step, "forward", counted)
    steps._programs.cache_clear()
    return found


def test_a_second_fit_of_the_same_shapes_compiles_nothing(
    traced: list[int], capfd: pytest.CaptureFixture[str]
) -> None:
    first = ARSMRanker(**SMALL).fit(*DATA, eval_set=DATA)
    assert "Training: compiling" in capfd.readouterr().err
    count = len(traced)
    assert count > 0
    again = ARSMRanker(**SMALL).fit(*DATA, eval_set=DATA)
    other = ARSMRanker(**SMALL).fit(FEATURES[::-1], LABELS[::-1], GROUP, eval_set=DATA)
    assert len(traced) == count
    assert "compiling" not in capfd.readouterr().err
    np.testing.assert_array_equal(first.predict(FEATURES), again.predict(FEATURES))
    assert (first.predict(FEATURES) != other.predict(FEATURES)).any()


def test_other_data_of_as_many_features_need_no_other_programs(traced: list[int]) -> None:
    ARSMRanker(**SMALL).fit(*DATA)
    count = len(traced)
    group = np.array([6, 9, 7, 9, 2, 4])
    features = np.random.default_rng(1).random((37, 3))
    ARSMRanker(**SMALL).fit(features, LABELS[np.arange(37) % 29], group)
    assert len(traced) == count


@pytest.mark.parametrize(
    "changes", [{"loss": "ndcg@3"}, {"entropy": 0.5}, {"learning_rate": 0.5}, {"estimator": "arsm"}]
)
def test_other_settings_are_other_programs(changes: dict[str, object], traced: list[int]) -> None:
    one = ARSMRanker(**SMALL).fit(*DATA).predict(FEATURES)
    count = len(traced)
    other = ARSMRanker(**SMALL, **changes).fit(*DATA).predict(FEATURES)
    assert len(traced) > count
    assert (one != other).any()


def test_a_users_loss_that_has_changed_is_not_mistaken_for_the_old_one() -> None:
    sign = 1.0

    def loss(levels: tf.Tensor, batch: Batch) -> tf.Tensor:
        return sign * batch.per_query(tf.cast(levels, tf.float32))

    ranker = ARSMRanker(**SMALL | {"epochs": 20}, learning_rate=0.05, loss=loss, entropy=0.0)
    low = ranker.fit(*DATA).predict(FEATURES).mean()
    sign = -1.0
    high = ranker.fit(*DATA).predict(FEATURES).mean()
    assert low < 2 < high


PROGRAM = f"""
import numpy as np
from arsm_l2r import ARSMRanker
draw = np.random.default_rng(0)
X = draw.random((29, 3))
y = np.digitize(X[:, 0], [0.5, 0.8])
data = (X, y, [5, 9, 7, 8])
ranker = ARSMRanker(**{SMALL!r}).fit(*data, eval_set=data, verbose=False)
print(ranker.predict(X).tolist())
"""


def run(cache: str) -> subprocess.CompletedProcess[str]:
    """Train in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if k != "TF_XLA_FLAGS"} | {VARIABLE: cache}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_processes_share_programs_and_damaged_ones_fail_only_once(tmp_path: Path) -> None:
    expected = run("off").stdout
    assert expected.startswith("[")
    assert not list(tmp_path.iterdir())
    assert run(str(tmp_path)).stdout == expected
    programs = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pb")}
    assert programs
    assert run(str(tmp_path)).stdout == expected
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pb")} == programs
    assert len(programs) > 1  # of steps, and of validation
    for path in programs:
        path.write_bytes(path.read_bytes()[:100])
        failed = run(str(tmp_path))
        assert f"compiled programs in {path.parent} were damaged" in failed.stderr.splitlines()[-1]
        assert run(str(tmp_path)).stdout == expected


def test_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TF_XLA_FLAGS", raising=False)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    folder = keep_programs_on_disk()
    assert folder is not None
    assert str(folder) in os.environ["TF_XLA_FLAGS"]
    monkeypatch.delenv("TF_XLA_FLAGS")
    folder.chmod(0o777)
    assert keep_programs_on_disk() is None
    assert "TF_XLA_FLAGS" not in os.environ


def test_a_user_without_a_home_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("TF_XLA_FLAGS", VARIABLE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert keep_programs_on_disk() is None


@pytest.mark.parametrize("told", ["off", "OFF", "0", "/proc/no/such", "/tmp/with a space"])
def test_no_folder_is_no_error(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TF_XLA_FLAGS", raising=False)
    monkeypatch.setenv(VARIABLE, told)
    assert keep_programs_on_disk() is None
