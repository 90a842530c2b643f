"""What the workflow would do, and how it refuses what it cannot do."""

import itertools
import re

import pytest
import yaml

from .conftest import ROOT, Clone

METHODS = [
    name
    for name, settings in yaml.safe_load((ROOT / "config/config.yaml").read_text())[
        "methods"
    ].items()
    if settings is not None
]
DATA_SETS, FOLDS, SEEDS = ["mq2007", "ohsumed"], range(1, 6), range(3)


def test_the_full_reproduction_trains_every_combination(clone: Clone) -> None:
    jobs = clone.jobs()
    trainings = len(DATA_SETS) * len(FOLDS) * len(METHODS) * len(SEEDS)
    assert jobs["train"] == jobs["evaluate"] == trainings
    assert jobs["fold"] == len(DATA_SETS) * len(FOLDS)
    assert jobs["fetch"] == jobs["prepare"] == jobs["describe"] == len(DATA_SETS)


@pytest.mark.parametrize("gpus", [0, 2])
def test_every_training_is_listed_with_its_resources(clone: Clone, gpus: int) -> None:
    done = clone.snakemake("--dry-run", "--resources", f"gpu={gpus}")
    listed = re.findall(
        r"Training (\S+) on (\S+), fold (\d), seed (\d) "
        r"\(threads 1, memory (\d+) MB, time (\d+) min, GPUs (\d)\)",
        done.stdout,
    )
    combinations = itertools.product(METHODS, DATA_SETS, FOLDS, SEEDS)
    assert sorted((*job[:2], int(job[2]), int(job[3])) for job in listed) == sorted(combinations)
    memory, minutes = {}, {}
    for method, data_set, _, _, megabytes, time, gpu in listed:
        network = method.startswith(("arsm-l2r", "listnet"))
        assert int(gpu) == (min(gpus, 1) if network else 0)
        memory[method, data_set], minutes[method, data_set] = int(megabytes), int(time)
    for method in METHODS:
        assert memory[method, "mq2007"] > memory[method, "ohsumed"] >= 1000
    assert minutes["arsm-l2r", "mq2007"] > minutes["arsm-l2r", "ohsumed"] >= 30


def test_a_configuration_based_on_another_is_all_there_is_to_type(clone: Clone) -> None:
    jobs = clone.jobs("--configfile", "config/mslr30k.yaml")
    assert jobs["train"] == 8 * len(FOLDS)
    done = clone.snakemake(
        "--dry-run", "--configfile", "config/mslr30k.yaml", "--config", "seeds=[4]"
    )
    assert "Training arsm-l2r on mslr-web30k, fold 1, seed 4 " in done.stdout
    assert "results/mslr30k/mslr-web30k/fold1.json" in done.stdout


def test_every_rule_says_what_it_needs_and_what_it_does() -> None:
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.M)[1:]:
            if "    shell:" not in rule:
                continue  # a target
            for directive in ("log", "benchmark", "message"):
                assert f"\n    {directive}:" in rule, (path.name, rule.partition(":")[0])


def test_every_rule_that_is_submitted_says_what_it_needs() -> None:
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        text = path.read_text()
        local = re.search(r"^localrules:\n((?: +\w+,\n)+)", text, re.M)
        here = re.findall(r"\w+", local[1]) if local else []
        for rule in re.split(r"^rule ", text, flags=re.M)[1:]:
            name = rule.partition(":")[0]
            if "    shell:" in rule and name not in here:
                assert "\n    resources:" in rule, (path.name, name)
                assert "mem_mb=" in rule, (path.name, name)


def test_one_fold_is_typed_without_cores_and_needs_only_its_jobs(clone: Clone) -> None:
    jobs = clone.jobs("results/mq2007/fold2.json")
    runs = len(METHODS) * len(SEEDS)
    assert jobs == {"fetch": 1, "prepare": 1, "train": runs, "evaluate": runs, "fold": 1}


def test_a_search_measures_nothing_on_test_documents(clone: Clone) -> None:
    jobs = clone.jobs("results/search/tuned-trees.html")
    assert jobs["train"] == len(DATA_SETS) * len(FOLDS) * 12
    assert "evaluate" not in jobs


def test_the_demo_keeps_to_its_own_results(clone: Clone) -> None:
    done = clone.snakemake("--dry-run", "--configfile", "config/demo.yaml")
    assert done.returncode == 0, done.stderr
    assert "results/demo/synthetic/fold1.json" in done.stdout
    assert "results/synthetic" not in done.stdout
    assert "results/mq2007" not in done.stdout


def test_wrong_settings_are_told_at_once_and_without_a_traceback(clone: Clone) -> None:
    clone.path("wrong.yaml").write_text("{epochs: 3, methods: {arsm-l2r: {levels: 1}}}")
    done = clone.snakemake("--dry-run", "--configfile", "wrong.yaml")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "top level: unknown key 'epochs'; allowed are datasets" in said
    assert "methods.arsm-l2r.levels: 1 is less than the minimum of 2" in said
    assert "Traceback" not in said


def test_the_summary_of_a_dry_run_is_short(clone: Clone) -> None:
    """As the README says it."""
    done = clone.snakemake("-n", "--quiet", "rules", "host")
    said = done.stdout + done.stderr
    assert done.returncode == 0
    assert re.search(r"^train +\d+$", said, re.M)
    assert len(said) < 4000
    assert "snakemake -n --quiet rules host " in (ROOT / "README.md").read_text("utf-8")


def test_a_fold_that_does_not_exist_is_refused(clone: Clone) -> None:
    done = clone.snakemake("--dry-run", "results/mq2007/fold6.json")
    assert done.returncode != 0
    assert "No rule to produce results/mq2007/fold6.json" in done.stdout + done.stderr


def test_unreachable_data_are_said_with_what_to_do_by_hand(clone: Clone) -> None:
    catalogue = clone.path("config/datasets.yaml")
    text = catalogue.read_text().replace("http://research.microsoft.com", "http://127.0.0.1:9")
    catalogue.write_text(text)
    done = clone.snakemake("results/ohsumed/data.json", LETOR_MIRROR="", no_proxy="127.0.0.1")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert said.count("OHSUMED could not be fetched") == 1
    assert "http://127.0.0.1:9" in said
    assert "Get it by hand: https://www.microsoft.com" in said
    assert str(clone.path("data/downloads")) in said
    assert not clone.path("data/ohsumed/text").exists()
