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
        network = method.startswith("arsm-l2r") or method == "listnet"
        assert int(gpu) == (min(gpus, 1) if network else 0)
        memory[method, data_set], minutes[method, data_set] = int(megabytes), int(time)
    for method in METHODS:
        assert memory[method, "mq2007"] > memory[method, "ohsumed"] >= 1000
    assert minutes["arsm-l2r", "mq2007"] > minutes["arsm-l2r", "ohsumed"] >= 30


def test_every_rule_says_what_it_needs_and_what_it_does() -> None:
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.M)[1:]:
            if "    shell:" not in rule:
                continue  # a target
            for directive in ("log", "benchmark", "threads", "resources", "message"):
                assert f"\n    {directive}:" in rule, (path.name, rule.partition(":")[0])


def test_one_fold_is_typed_without_cores_and_needs_only_its_jobs(clone: Clone) -> None:
    jobs = clone.jobs("results/mq2007/fold2.json")
    runs = len(METHODS) * len(SEEDS)
    assert jobs == {"fetch": 1, "prepare": 1, "train": runs, "evaluate": runs, "fold": 1}


def test_a_search_trains_its_start_and_every_other_value(clone: Clone) -> None:
    clone.path("search.yaml").write_text(
        "search: {mine: {method: arsm-l2r, seeds: [0, 1], vary: {levels: [5, 20, 40]}},"
        " open-choices: {vary: {loss: [ndcg@10]}}, tuning: {vary: {loss: [ndcg@10]}}}"
    )
    done = clone.jobs("results/search/mine.html", "--configfile", "search.yaml")
    assert done["train"] == len(DATA_SETS) * len(FOLDS) * 2 * len(("start", 5, 40))
    assert "evaluate" not in done  # nothing is measured on test documents


def test_ablations_train_each_experiment_with_seeds_of_its_own(clone: Clone) -> None:
    seeds = "levels: [0, 1, 2], losses: [0], ties: [0, 1], estimators: [0]"
    clone.path("seeds.yaml").write_text(f"ablations: {{seeds: {{{seeds}}}}}")
    jobs = clone.jobs("ablations", "--configfile", "seeds.yaml")
    main = len(METHODS) * len(SEEDS)
    # C = 20, NDCG@10 and ARSM at 1e-3 are one variant, and so counted with the levels only.
    levels, losses, ties, estimators = 5 * 3, 6 * 1, 2 * 2, (5 * 2 - 1) * 1
    runs = main + levels + losses + ties + estimators
    assert jobs["train"] == len(DATA_SETS) * len(FOLDS) * runs


def test_a_method_that_is_left_out_takes_its_studies_with_it(clone: Clone) -> None:
    jobs = clone.jobs("--config", "methods={arsm-l2r: null}")
    assert jobs["train"] == len(DATA_SETS) * len(FOLDS) * (len(METHODS) - 1) * len(SEEDS)


def test_the_demo_keeps_to_its_own_results(clone: Clone) -> None:
    done = clone.snakemake("--dry-run", "--configfile", "config/demo.yaml")
    assert done.returncode == 0, done.stderr
    assert "results/demo/synthetic/fold1.json" in done.stdout
    assert "results/synthetic" not in done.stdout
    assert "results/mq2007" not in done.stdout


@pytest.mark.parametrize(
    ("setting", "messages"),
    [
        ("epochs: 3", ["unknown key 'epochs'", "allowed are", "datasets"]),
        ("seeds: zero", ["seeds", "must be array"]),
        ("datasets: [mq2008]", ["'mq2008'", "mq2007, ohsumed, synthetic"]),
        ("methods: {arsm-l2r: {level: 3}}", ["methods.arsm-l2r", "'level'", "levels"]),
        ("methods: {arsm-l2r: {levels: 1}}", ["methods.arsm-l2r.levels", "minimum"]),
        ("methods: {arsm-l2r: {estimator: magic}}", ["local-expectation", "'magic'"]),
        (
            "search: {mine: {method: arsm-l2r, vary: {level: [3]}}}",
            ["search.mine", "'level'", "levels"],
        ),
        (
            "search: {mine: {method: arsm-l2r, vary: {levels: [1]}}}",
            ["variant arsm-l2r+levels=1", "methods.arsm-l2r.levels", "minimum"],
        ),
        ("ablations: {seeds: [0]}", ["ablations.seeds", "must be object"]),
        ("ablations: {seeds: {level: [0]}}", ["ablations.seeds", "'level'", "levels"]),
        ("ablations: {scorings: [linear, sqared]}", ["ablations.scorings", "'sqared'", "squared"]),
        ("ablations: {losses: [ndgc]}", ["variant arsm-l2r+", "loss", "'ndgc'"]),
        (
            "ablations: {settings: {estimator: local-expectation}}",
            ["local-expectation cannot be used with the loss ndcg-file-order@10"],
        ),
        (
            "ablations: {settings: {loss: ndcg-file-order@10}, estimators: [arsm]}",
            ["ablations: gradients: the estimator local-expectation cannot be used with the loss"],
        ),
        ("methods: {boosting: {}}", ["unknown key 'boosting'", "arsm-l2r"]),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(
    clone: Clone, setting: str, messages: list[str]
) -> None:
    clone.path("wrong.yaml").write_text(setting)
    done = clone.snakemake("--dry-run", "--configfile", "wrong.yaml")
    assert done.returncode != 0
    for message in messages:
        assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


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
    assert "OHSUMED could not be fetched" in said
    assert "http://127.0.0.1:9" in said
    assert "Get it by hand: https://www.microsoft.com" in said
    assert str(clone.path("data/downloads")) in said
    assert not clone.path("data/ohsumed/text").exists()
