"""How far a reproduction has come."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.configuration import load_configuration
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.provenance import settings_fingerprint
from arsm_l2r.experiments.status import curve, lines, status_of
from arsm_l2r.files import write_json
from arsm_l2r.sealed import write_sealed

from ..made_up import fold, record, run

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


def planned(project: Path) -> Plan:
    return Plan(load_configuration(project, [project / "small.yaml"]), project)


def told(project: Path) -> list[str]:
    return lines(status_of(planned(project)))


def test_long_titles_keep_their_distance(project: Path) -> None:
    (project / "small.yaml").write_text("datasets: [synthetic]\n")
    told_of = [line for line in told(project) if "tuned" in line]
    assert len(told_of) == 2
    assert len({line.index("0 of") for line in told_of}) == 1
    assert all("  0 of" in line for line in told_of)


def finish(project: Path, number: int, method: str, seed: int, **changes: Any) -> None:
    folder = project / "results/synthetic" / f"fold{number}" / method / f"seed{seed}"
    folder.mkdir(parents=True)
    for name in ("measures.parquet", "summary.json"):
        (folder / name).touch()
    settings = {**planned(project).training_settings(method, "synthetic"), **changes}
    written = record(method, seed)
    config = settings_fingerprint(method, seed, settings)
    written["provenance"] = {**written["provenance"], "config": config}
    (folder / "run.json").write_text(json.dumps(written))


def checkpoint(project: Path, number: int, method: str, seed: int) -> Path:
    path = project / f"results/checkpoints/synthetic/fold{number}/{method}/seed{seed}.npz"
    epochs = list(range(1, 341))
    columns = {"epoch": epochs, "mean": [0.3, *[0.4] * 339], "seconds": [0.5 * n for n in epochs]}
    write_sealed(path, {"epoch": 340, "history": columns}, {})
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
        "    fold 2, seed 1: epoch 340 of 2000, validation 0.4000 ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁, about "
        "14 minutes left, checkpoint 0 minutes old; running, or goes on from there",
        "In all: 1 of 20 runs done, 1 begun, 18 missing",
    ]


def test_runs_with_other_settings_are_not_done(project: Path) -> None:
    finish(project, 1, "listnet", 0)
    finish(project, 2, "listnet", 0, epochs=20)
    again = "done with other settings, to be made again"
    assert told(project)[1] == f"  ListNet          1 of 10 runs done, 1 {again}, 8 missing"


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([0.5], "▁"),
        ([0.1, 0.2, 0.3], "▁▅█"),  # round half to even: 3.5 is 4
        (list(range(8)), "▁▂▃▄▅▆▇█"),
        (list(range(33)), "▁▂▂▃▄▅▅▆▇▇█"),
    ],
)
def test_curves_are_bars_of_which_the_last_is_there(values: list[float], bars: str) -> None:
    assert curve(values) == bars


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
def test_results_of_another_configuration_are_looked_at_by_that_one(project: Path) -> None:
    plan = planned(project)
    write_json(plan.layout.configuration, plan.recorded)
    done = command("--project", str(project))
    assert "They were last made with another configuration than config/config.yaml" in done.stderr
    assert "datasets ['synthetic'], methods.adarank-map left out" in done.stderr
    assert "In all: 0 of 20 runs done" in done.stdout
    plain = command("--project", str(project), "--config", str(project / "config/config.yaml"))
    assert "In all: 0 of 20" not in plain.stdout


def test_half_way_it_counts_what_the_results_were_asked_for(project: Path) -> None:
    """One fold, with one of three seeds, of one of two data sets."""
    chosen = (project / "small.yaml").read_text().splitlines(keepends=True)
    (project / "half.yaml").write_text("seeds: [0]\n" + "".join(chosen[2:]))
    made = Plan(load_configuration(project, [project / "half.yaml"]), project)
    write_json(made.layout.configuration, made.recorded)
    for method in made.methods:
        folder = made.layout.run("ohsumed", 1, method, 0).folder
        folder.mkdir(parents=True)
        for name in ("measures.parquet", "summary.json"):
            (folder / name).touch()
        config = settings_fingerprint(method, 0, made.training_settings(method, "ohsumed"))
        written = record(method, 0)
        written["provenance"] = {**written["provenance"], "config": config}
        (folder / "run.json").write_text(json.dumps(written))
    write_json(
        made.layout.fold("ohsumed", 1),
        fold(1, [run(method, 0.4) for method in made.methods], "ohsumed"),
    )
    done = command("--project", str(project))
    assert "They were last made with another configuration" in done.stderr
    said = done.stdout.splitlines()
    assert "mq2007: data not yet described, 0 of 5 folds complete, tables not yet made" in said
    assert "ohsumed: data not yet described, 1 of 5 folds complete, tables not yet made" in said
    assert "In all: 2 of 20 runs done, 18 missing" in said


@pytest.mark.slow
def test_watching_shows_it_again_until_it_is_stopped(project: Path) -> None:
    options = ["--project", project, "--config", project / "small.yaml", "--watch", "0.2"]
    program = "from arsm_l2r.cli import main; main()"
    watching = subprocess.Popen(
        [sys.executable, "-c", program, "status", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    seen = [line for line in (watching.stdout.readline() for _ in range(8)) if "In all" in line]
    finish(project, 1, "listnet", 0)
    while "In all: 1 of 20" not in watching.stdout.readline():
        assert watching.poll() is None
    watching.send_signal(signal.SIGINT)
    _, told_last = watching.communicate()
    assert seen
    assert watching.returncode == 130
    assert "Traceback" not in told_last


@pytest.mark.slow
def test_command_elsewhere_says_what_to_do(tmp_path: Path) -> None:
    done = command("--project", str(tmp_path))
    assert done.returncode == 1
    assert "run this in the project's folder" in done.stderr
