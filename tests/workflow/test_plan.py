"""What the workflow would do, and how it refuses what it cannot do."""

import pytest

from .conftest import Clone


def test_the_full_reproduction_trains_every_combination(clone: Clone) -> None:
    jobs = clone.jobs()
    data_sets, folds, methods, seeds = 2, 5, 7, 3
    assert jobs["train"] == jobs["evaluate"] == data_sets * folds * methods * seeds
    assert jobs["fold"] == data_sets * folds
    assert jobs["fetch"] == jobs["prepare"] == jobs["describe"] == data_sets


def test_one_fold_is_typed_without_cores_and_needs_only_its_jobs(clone: Clone) -> None:
    jobs = clone.jobs("results/mq2007/fold2.json")
    assert jobs == {"fetch": 1, "prepare": 1, "train": 21, "evaluate": 21, "fold": 1}


def test_a_search_trains_its_start_and_every_other_value(clone: Clone) -> None:
    clone.path("search.yaml").write_text(
        "search: {mine: {method: arsm-l2r, seeds: [0, 1], vary: {levels: [5, 20, 40]}},"
        " open-choices: {vary: {loss: [ndcg@10]}}, tuning: {vary: {loss: [ndcg@10]}}}"
    )
    done = clone.jobs("results/search/mine.html", "--configfile", "search.yaml")
    assert done["train"] == 2 * 5 * 2 * len(("start", 5, 40))
    assert "evaluate" not in done  # nothing is measured on test documents


def test_a_method_that_is_left_out_takes_its_studies_with_it(clone: Clone) -> None:
    jobs = clone.jobs("--config", "methods={arsm-l2r: null}")
    assert jobs["train"] == 2 * 5 * 6 * 3


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
            ["search: arsm-l2r+levels=1", "methods.arsm-l2r.levels", "minimum"],
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
