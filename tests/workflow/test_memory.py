"""Jobs on this machine share its memory; submitted ones ask for what their data need."""

import importlib.util
import os
import re
from pathlib import Path

import pytest
import yaml

from arsm_l2r.experiments.machine_memory import memory_for_jobs

from .conftest import Clone

TRAININGS = [f"results/synthetic/fold{fold}/ranksvm/seed0/run.json" for fold in range(1, 4)]
ASKED = 1_000 + round(4.0 * 4 * 46 * 5903 / 2**20)
"""Megabytes that a training without a network on the synthetic data asks for."""
CONFIGURED = """\
datasets: [synthetic]
seeds: [0]
methods: {ranksvm: {costs: [1.0]}, arsm-l2r: null}
"""
SMALL = """\
import os

_real = os.sysconf
os.sysconf = lambda name: 1_500 * 2**20 // 4096 if name == "SC_PHYS_PAGES" else _real(name)
"""
"""A machine of 1,500 megabytes, of which 500 are left for jobs."""
SUBMIT = """\
#!/bin/sh
echo "$1" >> submitted
nohup sh "$2" > "job-$$.log" 2>&1 &
echo $!
"""
STATUS = """\
#!/bin/sh
if kill -0 "$1" 2> /dev/null; then echo running; else echo success; fi
"""


@pytest.fixture
def small_machine(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine with little memory."""
    (tmp_path / "small").mkdir()
    (tmp_path / "small/sitecustomize.py").write_text(SMALL)
    before = os.environ.get("PYTHONPATH", "")
    return {"PYTHONPATH": f"{tmp_path / 'small'}{os.pathsep if before else ''}{before}"}


def trained(clone: Clone, *options: str, **environment: str) -> str:
    """What Snakemake says while it trains three models."""
    clone.path("linear.yaml").write_text(CONFIGURED)
    arguments = ("--configfile", "linear.yaml", *options, "--", *TRAININGS)
    done = clone.snakemake(*arguments, **environment)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def at_the_same_time(said: str) -> int:
    """The most trainings that ran at the same time."""
    running, most = set(), 0
    for started, finished in re.findall(r"Job (\d+): Training|Finished jobid: (\d+)", said):
        running.add(started) if started else running.discard(finished)
        most = max(most, len(running))
    return most


@pytest.mark.parametrize(("megabytes", "most"), [(1_500, 1), (2_500, 2)])
def test_no_more_trainings_run_than_memory_holds(
    prepared: Clone, megabytes: int, most: int
) -> None:
    said = trained(prepared, "--cores", "4", "--resources", f"mem_mb={megabytes}")
    assert at_the_same_time(said) == most, said
    assert said.count(f"memory {ASKED} MB") == len(TRAININGS)


@pytest.mark.parametrize("options", [("--cores", "4"), ("--jobs", "4", "--retries", "1")])
def test_a_training_that_asks_for_more_than_the_machine_has_runs_alone(
    prepared: Clone, small_machine: dict[str, str], options: tuple[str, ...]
) -> None:
    if "--retries" in options:
        fail_once(prepared)
    said = trained(prepared, *options, **small_machine)
    assert at_the_same_time(said) == 1, said
    tries = len(TRAININGS) * (2 if "--retries" in options else 1)
    assert said.count("memory 500 MB") == tries, said


def fail_once(clone: Clone) -> None:
    """Make every training fail when it is first tried."""
    script = clone.path("scripts/train.py")
    head, separator, rest = script.read_text().partition("import argparse\n")
    mark = "pathlib.Path('tried-' + sys.argv[sys.argv.index('--fold') + 1])"
    fail = f"import pathlib, sys\nif not {mark}.exists():\n    {mark}.touch()\n    sys.exit(1)\n"
    script.write_text(head + separator + fail + rest)


def test_the_limit_is_what_is_found_unless_the_user_says_otherwise(clone: Clone) -> None:
    limits = {"": memory_for_jobs(), "mem_mb=1234": 1234, "mem=2GB": 2000}
    for given, limit in limits.items():
        options = ["--resources", given] if given else []
        done = clone.tiny("results/configuration.json", "--forceall", *options)
        said = re.search(r'Provided resources: .*"mem_mb", (\d+)', done.stdout + done.stderr)
        assert said, done.stdout + done.stderr
        assert int(said[1]) == limit


@pytest.mark.skipif(
    importlib.util.find_spec("snakemake_executor_plugin_cluster_generic") is None,
    reason="Snakemake's generic cluster plugin is not installed",
)
def test_submitted_jobs_are_not_bounded_by_the_machine_that_submits(
    prepared: Clone, small_machine: dict[str, str]
) -> None:
    for name, script in (("submit", SUBMIT), ("status", STATUS)):
        prepared.path(name).write_text(script)
        prepared.path(name).chmod(0o755)
    options = (
        *("--profile", "workflow/profiles/cluster-generic", "--seconds-between-status-checks", "1"),
        *("--cluster-generic-status-cmd", "./status"),
        *("--cluster-generic-submit-cmd", "./submit {resources.mem_mb}"),
    )
    assert (
        trained(prepared, "--dry-run", *options, **small_machine).count(f"memory {ASKED} MB") == 3
    )
    trained(prepared, *options, **small_machine)
    assert prepared.path("submitted").read_text().split() == [str(ASKED)] * len(TRAININGS)


def test_data_that_nobody_counted_are_weighed_when_they_are_there(clone: Clone) -> None:
    catalogue = clone.path("config/datasets.yaml")
    entries = yaml.safe_load(catalogue.read_text())
    del entries["synthetic"]["parts"]
    catalogue.write_text(yaml.safe_dump(entries))
    assert trained(clone, "--dry-run").count("memory <TBD> MB, time <TBD> min") == len(TRAININGS)
    said = trained(clone, "--cores", "4", "--resources", "mem_mb=1500")
    assert said.count(f"memory {ASKED} MB, time 30 min") == len(TRAININGS)
    assert at_the_same_time(said) == 1, said
