"""The workflow through a real SLURM, started on this machine for the purpose.

Training jobs are submitted, cancelled and killed while they run; what comes out in the end must
be what comes out undisturbed.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, Clone

FOLD = "results/synthetic/fold1.json"
CHECKPOINT = "results/checkpoints/synthetic/fold1/arsm-l2r/seed0.npz"

# Long enough to be cancelled midway. The GPUs are pretended, so a CPU must be allowed.
CONFIGURATION = """\
datasets: [synthetic]
seeds: [0, 1]
allow_cpu: true
methods:
  ranksvm: null
  listnet: null
  adarank-map: {rounds: 2}
  adarank-ndcg: null
  lambdamart: null
  lambdamart-tuned: null
  listnet-network: null
  arsm-l2r-tuned: null
  arsm-l2r: {epochs: 1500, hidden: [8], levels: 4}
"""
# Loading TensorFlow alone takes more than the first attempt gets.
TOO_LITTLE_AT_FIRST = "2000 if wildcards.seed == '0' else 700 * attempt"

SHARED = """\
datasets: [synthetic]
seeds: [0]
allow_cpu: true
methods:
  ranksvm: null
  listnet: null
  adarank-map: null
  adarank-ndcg: null
  lambdamart: null
  lambdamart-tuned: null
  listnet-network: null
  arsm-l2r-tuned: null
  arsm-l2r: {workers: 2, epochs: 600, hidden: [8], levels: 4}
"""
RUN = "results/synthetic/fold1/arsm-l2r/seed0/run.json"


@pytest.fixture(scope="module")
def slurm() -> Iterator[None]:
    spec = importlib.util.spec_from_file_location("slurm_here", ROOT / "tools/slurm_here.py")
    assert spec is not None
    assert spec.loader is not None
    slurm_here = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(slurm_here)
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("Snakemake's SLURM plugin is not installed: make setup EXTRAS=slurm")
    reason = slurm_here.why_not()
    if reason:
        pytest.skip(reason)
    slurm_here.start()
    try:
        yield
    finally:
        slurm_here.stop()


@dataclass(frozen=True)
class Submitted:
    """What the workflow submitted, and what SLURM recorded of it."""

    clone: Clone
    output: str
    cancelled: str

    def jobs(self, rule: str) -> dict[str, list[str]]:
        """SLURM's numbers of a rule's jobs, by wildcards, in the order of submission."""
        found = re.findall(rf"SLURM jobid (\d+) \(log: .*/rule_{rule}/([^/]+)/\1\.log", self.output)
        numbers: dict[str, list[str]] = {}
        for number, wildcards in found:
            numbers.setdefault(wildcards, []).append(number)
        return numbers

    def facts(self, number: str) -> dict[str, str]:
        """What SLURM knows of a job."""
        shown = subprocess.run(
            ["scontrol", "--oneliner", "show", "job", number],
            capture_output=True,
            text=True,
            check=True,
        )
        return dict(fact.partition("=")[::2] for fact in shown.stdout.split() if "=" in fact)

    def log(self, number: str) -> str:
        (path,) = self.clone.path(".snakemake/slurm_logs").rglob(f"{number}.log")
        return path.read_text()


def submit(clone: Clone, configuration: str, target: str, *options: str) -> Submitted:
    """Make something through SLURM, and cancel the first network's training midway."""
    clone.path("slurm.yaml").write_text(configuration)
    output = clone.path("output.txt")
    with output.open("w") as file:
        process = subprocess.Popen(
            [
                Path(sys.executable).parent / "snakemake",
                *("--profile", "workflow/profiles/slurm", "--configfile", "slurm.yaml"),
                *("--slurm-init-seconds-before-status-checks", "3", *options, "--", target),
            ],
            cwd=clone.folder,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(clone.path(CHECKPOINT).exists, process, output)
        first = Submitted(clone, output.read_text(), "").jobs("train")["synthetic_1_arsm-l2r_0"][0]
        subprocess.run(["scancel", first], check=True)
        process.wait()
    finally:
        process.terminate()
        process.wait()
    assert process.returncode == 0, output.read_text()
    return Submitted(clone, output.read_text(), cancelled=first)


@pytest.fixture(scope="module")
def submitted(slurm: None, tmp_path_factory: pytest.TempPathFactory) -> Submitted:
    """One fold through SLURM: one training cancelled midway, one with too little memory."""
    clone = Clone.of_project(tmp_path_factory.mktemp("slurm") / "clone")
    memory = ("--set-resources", f"train:mem_mb={TOO_LITTLE_AT_FIRST}")
    return submit(clone, CONFIGURATION, FOLD, *memory)


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[bytes], output: Path) -> None:
    while not happened():
        assert process.poll() is None, output.read_text()
        time.sleep(0.1)


def test_each_training_is_a_job_of_its_own(submitted: Submitted) -> None:
    jobs = submitted.jobs("train")
    assert set(jobs) == {
        f"synthetic_1_{method}_{seed}" for method in ("adarank-map", "arsm-l2r") for seed in (0, 1)
    }
    numbers = [number for attempts in jobs.values() for number in attempts]
    assert len(set(numbers)) == len(numbers)


def test_short_jobs_are_not_submitted(submitted: Submitted) -> None:
    rules = set(re.findall(r"SLURM jobid \d+ \(log: .*/rule_(\w+)/", submitted.output))
    assert rules == {"prepare", "train"}


def test_a_gpu_is_asked_for_and_visible_where_a_network_is_trained(submitted: Submitted) -> None:
    jobs = submitted.jobs("train")
    for seed in (0, 1):
        last = jobs[f"synthetic_1_arsm-l2r_{seed}"][-1]
        assert submitted.facts(last)["TresPerJob"] == "gres:gpu:1"
        log = submitted.clone.path(f"results/logs/train/synthetic/fold1/arsm-l2r/seed{seed}.log")
        assert re.search(rf"SLURM job {last}, CUDA_VISIBLE_DEVICES [01]\n", log.read_text()), (
            log.read_text()
        )
        (other,) = jobs[f"synthetic_1_adarank-map_{seed}"]
        assert "TresPerJob" not in submitted.facts(other)


def test_a_cancelled_training_is_submitted_again_and_goes_on(submitted: Submitted) -> None:
    first, second = submitted.jobs("train")["synthetic_1_arsm-l2r_0"]
    assert first == submitted.cancelled
    assert submitted.facts(first)["JobState"] == "CANCELLED"
    assert submitted.facts(second)["JobState"] == "COMPLETED"
    log = submitted.clone.path("results/logs/train/synthetic/fold1/arsm-l2r/seed0.log")
    begun = re.search(r"epoch ([\d,]+) of 1,500", log.read_text())
    assert begun is not None
    assert int(begun[1].replace(",", "")) > 0


def test_a_job_with_too_little_memory_is_submitted_again_with_more(submitted: Submitted) -> None:
    attempts = submitted.jobs("train")["synthetic_1_arsm-l2r_1"]
    assert len(attempts) > 1
    assert "exceeded memory limit" in submitted.log(attempts[0])
    assert submitted.facts(attempts[0])["JobState"] in ("FAILED", "OUT_OF_MEMORY")
    assert submitted.facts(attempts[-1])["JobState"] == "COMPLETED"
    for attempt, number in enumerate(attempts, start=1):
        assert f"mem={700 * attempt}M" in submitted.facts(number)["TRES"]


def test_the_result_is_that_of_an_undisturbed_run(submitted: Submitted, clone: Clone) -> None:
    clone.path("slurm.yaml").write_text(CONFIGURATION)
    shutil.copytree(submitted.clone.path("data"), clone.path("data"))
    done = clone.snakemake(FOLD, "--configfile", "slurm.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert measured(submitted.clone) == measured(clone)


def measured(clone: Clone) -> dict[str, Any]:
    """The fold's result, without the time it took and the commit that the tree is at now."""
    result: dict[str, Any] = json.loads(clone.path(FOLD).read_text())
    del result["provenance"]["commit"]
    for run in result["runs"]:
        run.get("provenance", {}).pop("commit", None)
        del run["seconds"]
    return result


def test_two_workers_are_two_tasks_and_learn_what_two_devices_of_a_machine_learn(
    slurm: None, clone: Clone, tmp_path: Path
) -> None:
    done = submit(clone, SHARED, RUN)
    first, second = done.jobs("train")["synthetic_1_arsm-l2r_0"]
    assert done.facts(first)["JobState"] == "CANCELLED"
    facts = done.facts(second)
    assert facts["JobState"] == "COMPLETED"
    assert (facts["NumTasks"], facts["NumCPUs"], facts["TresPerJob"]) == ("2", "2", "gres:gpu:2")
    log = clone.path("results/logs/train/synthetic/fold1/arsm-l2r/seed0.log").read_text()
    # Each task has a GPU of its own.
    assert sorted(re.findall(rf"SLURM job {second}, CUDA_VISIBLE_DEVICES (\S+)", log)) == ["0", "1"]
    begun = re.search(r"epoch ([\d,]+) of 600", log)
    assert begun is not None
    assert int(begun[1].replace(",", "")) > 0

    local = Clone.of_project(tmp_path / "local")
    local.path("slurm.yaml").write_text(SHARED)
    shutil.copytree(clone.path("data"), local.path("data"))
    alone = local.snakemake(RUN, "--configfile", "slurm.yaml", "--cores", "2")
    assert alone.returncode == 0, alone.stdout + alone.stderr
    records = [json.loads(each.path(RUN).read_text()) for each in (clone, local)]
    devices = [record.pop("device") for record in records]
    assert devices == ["cpu, 2 workers in 2 processes", "cpu, 2 workers in one process"]
    assert records[0]["selected_epoch"] == records[1]["selected_epoch"]
    for name in ("vali.scores", "test.scores"):
        one, other = (each.path(RUN).with_name(name).read_bytes() for each in (clone, local))
        assert one == other
