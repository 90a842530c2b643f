"""How far a reproduction has come."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.configuration import load_configuration
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.status import lines, status_of
from arsm_l2r.sealed import write_sealed

from ..made_up import fold, run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a small configuration and no results."""
    for name in ("config/config.yaml", "config/datasets.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "small.yaml").write_text(
        "datasets: [synthetic]\n"
        "seeds: [0, 1]\n"
        "methods: {ranksvm: null, adarank-map: null, adarank-ndcg: null, lambdamart: null,\n"
        "  arsm-l2r-tuned: null, lambdamart-tuned: null, listnet-network: null}\n"
    )
    return tmp_path


def told(project: Path) -> list[str]:
    configuration = load_configuration(project, [project / "small.yaml"])
    return lines(status_of(Plan(configuration, project)))


def test_long_titles_keep_their_distance(project: Path) -> None:
    (project / "small.yaml").write_text("datasets: [synthetic]\n")
    told_of = [line for line in told(project) if "tuned" in line]
    assert len(told_of) == 2
    assert len({line.index("0 of") for line in told_of}) == 1
    assert all("  0 of" in line for line in told_of)


def finish(project: Path, number: int, method: str, seed: int) -> None:
    folder = project / "results/synthetic" / f"fold{number}" / method / f"seed{seed}"
    folder.mkdir(parents=True)
    for name in ("run.json", "measures.parquet", "summary.json"):
        (folder / name).touch()


def checkpoint(project: Path, number: int, method: str, seed: int) -> Path:
    path = project / f"results/checkpoints/synthetic/fold{number}/{method}/seed{seed}.npz"
    write_sealed(path, {"epoch": 340}, {})
    return path


def test_nothing_is_done_at_first(project: Path) -> None:
    assert told(project) == [
        "synthetic: data not yet described, 0 of 5 folds complete, tables not yet made",
        "  ListNet          0 of 10 runs done, 10 missing",
        "  ARSM-L2R         0 of 10 runs done, 10 missing",
        "In all: 0 of 20 runs done, 20 missing",
    ]


def test_done_begun_and_missing_are_told_apart(project: Path) -> None:
    finish(project, 1, "listnet", 0)
    checkpoint(project, 2, "arsm-l2r", 1)
    assert told(project)[1:] == [
        "  ListNet          1 of 10 runs done, 9 missing",
        "  ARSM-L2R         0 of 10 runs done, 1 begun, 9 missing",
        "    fold 2, seed 1: epoch 340, checkpoint 0 minutes old; running, or goes on from there",
        "In all: 1 of 20 runs done, 1 begun, 18 missing",
    ]


def test_checkpoint_left_beside_a_finished_run_does_not_count(project: Path) -> None:
    finish(project, 1, "listnet", 0)
    checkpoint(project, 1, "listnet", 0)
    assert told(project)[1] == "  ListNet          1 of 10 runs done, 9 missing"


def test_damaged_checkpoint_is_begun_without_an_epoch(project: Path) -> None:
    checkpoint(project, 1, "listnet", 0).write_bytes(b"PK damaged")
    assert told(project)[2].startswith("    fold 1, seed 0: checkpoint 0 minutes old")


def test_fold_is_complete_when_it_has_every_run(project: Path) -> None:
    folder = project / "results/synthetic"
    folder.mkdir(parents=True)
    runs = [run(method, 0.5, seed) for method in ("listnet", "arsm-l2r") for seed in (0, 1)]
    (folder / "fold1.json").write_text(json.dumps(fold(1, runs, "synthetic")))
    (folder / "fold2.json").write_text(json.dumps(fold(2, runs[:-1], "synthetic")))
    assert "1 of 5 folds complete" in told(project)[0]


def test_configuration_is_checked(project: Path) -> None:
    (project / "small.yaml").write_text("seed: 3")
    with pytest.raises(ConfigError, match="unknown key 'seed'"):
        told(project)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from arsm_l2r.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, "status", *arguments], capture_output=True, text=True
    )


@pytest.mark.slow
def test_command_prints_the_status_and_says_where_it_looked(project: Path) -> None:
    done = command("--project", str(project), "--config", str(project / "small.yaml"))
    assert done.returncode == 0, done.stderr
    assert "In all: 0 of 20 runs done" in done.stdout
    assert done.stdout.endswith("Report: not yet made\n")
    assert str(project / "results") in done.stderr


@pytest.mark.slow
def test_command_elsewhere_says_what_to_do(tmp_path: Path) -> None:
    done = command("--project", str(tmp_path))
    assert done.returncode == 1
    assert "run this in the project's folder" in done.stderr
