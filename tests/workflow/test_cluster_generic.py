"""The workflow through a submit command, here one that runs each job in the background."""

import importlib.util
import re

import pytest

from .conftest import Clone

if importlib.util.find_spec("snakemake_executor_plugin_cluster_generic") is None:
    pytest.skip(
        "Snakemake's generic cluster plugin is not installed: make setup EXTRAS=cluster-generic",
        allow_module_level=True,
    )

SUBMIT = """\
#!/bin/sh
# submit MEMORY MINUTES THREADS GPUS SCRIPT: prints the number of the process as the job's
echo "$@" >> submitted
nohup sh "$5" > "job-$$.log" 2>&1 &
echo $!
"""
STATUS = """\
#!/bin/sh
if kill -0 "$1" 2> /dev/null; then echo running; else echo success; fi
"""


@pytest.fixture
def cluster(clone: Clone) -> Clone:
    for name, script in (("submit", SUBMIT), ("status", STATUS)):
        clone.path(name).write_text(script)
        clone.path(name).chmod(0o755)
    return clone


def test_one_fold_through_a_submit_command(cluster: Clone) -> None:
    done = cluster.tiny(
        "results/synthetic/fold1.json",
        *("--profile", "workflow/profiles/cluster-generic", "--seconds-between-status-checks", "1"),
        *("--cluster-generic-status-cmd", "./status", "--cluster-generic-submit-cmd"),
        "./submit {resources.mem_mb} {resources.runtime} {threads} {resources.gpu}",
        *("--resources", "gpu=1", "--config", "allow_cpu=true"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert cluster.path("results/synthetic/fold1.json").exists()
    submitted = [line.split()[:4] for line in cluster.path("submitted").read_text().splitlines()]
    prepare, *trainings = submitted
    assert prepare[2] == "2"  # threads
    assert sorted((job[2], job[3]) for job in trainings) == [("1", "0"), ("1", "1")]
    assert all(int(job[0]) >= 1000 and int(job[1]) >= 30 for job in trainings)
    logs = cluster.path("results/logs/train/synthetic/fold1")
    hidden = re.compile("CUDA_VISIBLE_DEVICES -1")
    assert hidden.search((logs / "adarank-map/seed0.log").read_text())
    assert not hidden.search((logs / "arsm-l2r/seed0.log").read_text())


def test_the_profile_asks_for_no_gpus_by_itself(cluster: Clone) -> None:
    done = cluster.tiny(
        *("--profile", "workflow/profiles/cluster-generic"),
        *("--cluster-generic-submit-cmd", "./submit", "--dry-run"),
    )
    assert done.returncode == 0, done.stderr
    assert "GPUs 0" in done.stdout
    assert "GPUs 1" not in done.stdout
