"""The workflow, run for real on the embedded data set with a tiny configuration."""

import json
import re
import shutil
from typing import Any

import pytest
import yaml

from .conftest import ROOT, Clone

FOLDS = range(1, 6)
METHODS = ["adarank-map", "arsm-l2r"]
MEASURES = ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map"]


def before_tables(jobs: dict[str, int]) -> dict[str, int]:
    """The jobs that measure; what is made of all measurements is made again after any."""
    return {
        name: count
        for name, count in jobs.items()
        if name
        in ("generate_synthetic", "fetch", "prepare", "describe", "train", "evaluate", "fold")
    }


def test_every_fold_has_a_result_of_the_documented_form(finished: Clone) -> None:
    for fold in FOLDS:
        result = json.loads(finished.path(f"results/synthetic/fold{fold}.json").read_text())
        assert list(result) == ["dataset", "fold", "runs", "provenance"]
        assert (result["dataset"], result["fold"]) == ("synthetic", fold)
        assert [run["method"] for run in result["runs"]] == METHODS
        for run in result["runs"]:
            assert {"method", "seed", "selected_epoch", "epochs", "seconds", "device"} <= set(run)
            for split in ("test", "vali"):
                assert list(run[split]) == ["letor", "paper"]
                for values in run[split].values():
                    assert list(values) == MEASURES
                    assert all(0 < value < 1 for value in values.values())
        assert {"package", "code", "data", "config", "tensorflow", "python"} <= set(
            result["provenance"]
        )
        assert len(result["provenance"]["data"]) == len(result["provenance"]["config"]) == 64


def test_folds_differ_in_data_and_results(finished: Clone) -> None:
    results = [
        json.loads(finished.path(f"results/synthetic/fold{fold}.json").read_text())
        for fold in FOLDS
    ]
    assert len({result["provenance"]["data"] for result in results}) == len(results)
    assert len({json.dumps(result["runs"][0]["test"]) for result in results}) == len(results)


def test_data_description_counts_the_synthetic_data(finished: Clone) -> None:
    data = json.loads(finished.path("results/synthetic/data.json").read_text())
    catalogue = yaml.safe_load(finished.path("config/datasets.yaml").read_text())
    parts = catalogue["synthetic"]["parts"]
    assert data["judged"]["documents"] == sum(part["rows"] for part in parts)
    assert [part["fingerprint"] for part in data["parts"]] == [
        part["fingerprint"] for part in parts
    ]


def test_every_table_is_made_in_three_formats(finished: Clone) -> None:
    for name in ("datasets", "synthetic", "synthetic_comparison", "synthetic_comparison_paper"):
        for ending in ("tex", "html", "csv"):
            assert finished.path(f"results/tables/{name}.{ending}").stat().st_size
    assert r"\input{synthetic.tex}" in finished.path("results/tables/tables.tex").read_text()


def test_the_page_is_made_with_every_figure(finished: Clone) -> None:
    page = finished.path("results/report.html").read_text(encoding="utf-8")
    assert page.count("<figure>") == 5
    assert "have not been" not in page
    assert "Nothing is missing" in page
    assert "--configfile tiny.yaml" in page
    assert str(finished.folder) not in page


def test_the_page_names_no_file_that_is_not_there(finished: Clone) -> None:
    page = finished.path("results/report.html").read_text(encoding="utf-8")
    text = re.sub(r"<(style|svg)\b.*?</\1>|<[^>]+>", " ", page, flags=re.S)
    named = set(
        re.findall(r"(?<![\w/.-])[\w.-]+(?:/[\w.-]+)+\.\w+|\b[\w-]+\.(?:yaml|zip|py)\b", text)
    )
    made = {"results/snakemake.html"}  # by the command that names it
    assert made < named
    assert {"results/synthetic/data.json", "tiny.yaml", "data/generated/synthetic.zip"} < named
    assert not {name for name in named - made if not finished.path(name).exists()}


def test_snakemakes_own_report_has_the_tables(finished: Clone) -> None:
    done = finished.tiny("--report", "snakemake-report.html")
    assert done.returncode == 0, done.stdout + done.stderr
    content = finished.path("snakemake-report.html").read_text()
    assert "synthetic_comparison.html" in content
    assert "figures/synthetic/cutoffs.svg" in content
    assert "results/report.html" in content


def test_a_second_run_does_nothing(finished: Clone) -> None:
    assert finished.jobs("--configfile", "tiny.yaml") == {}


def test_every_job_left_a_log_and_a_benchmark(finished: Clone) -> None:
    for kind, ending in (("logs", "log"), ("benchmarks", "tsv")):
        folder = finished.path(f"results/{kind}/train/synthetic")
        assert len(list(folder.rglob(f"*.{ending}"))) == len(METHODS) * len(FOLDS)


def test_checkpoints_are_removed_after_training(finished: Clone) -> None:
    assert not list(finished.path("results").rglob("checkpoints/**/*.npz"))


def test_a_changed_setting_reruns_what_depends_on_it(finished: Clone) -> None:
    finished.path("longer.yaml").write_text("methods: {arsm-l2r: {epochs: 3}}")
    jobs = finished.jobs("--configfile", "tiny.yaml", "longer.yaml")
    assert before_tables(jobs) == {"train": 5, "evaluate": 5, "fold": 5}
    assert jobs["analyse"] == 1


class Source:
    """The package's source in a clone, which its jobs import: to change it."""

    def __init__(self, clone: Clone) -> None:
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src", clone.path("src"), ignore=skipped)
        self._clone = clone

    def change(self, name: str, old: str, new: str) -> None:
        path = self._clone.path(f"src/arsm_l2r/{name}")
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def jobs(self) -> dict[str, int]:
        place = str(self._clone.path("src"))
        return self._clone.jobs("--configfile", "tiny.yaml", PYTHONPATH=place)


def test_changed_code_reruns_what_imports_it(finished: Clone) -> None:
    source = Source(finished)
    assert source.jobs() == {}

    source.change("report/figures/spread.py", "0.12", "0.11")
    assert set(source.jobs()) == {"draw_figures", "report_page", "all"}
    source.change("report/figures/spread.py", "0.11", "0.12")

    source.change("losses/ndcg.py", '"""Negative truncated', '"""In other words: truncated')
    assert source.jobs() == {}

    source.change("losses/ndcg.py", "from __future__ import annotations", CHANGED)
    jobs = source.jobs()
    assert jobs["train"] == 5  # arsm-l2r on every fold, and not AdaRank, which has no loss
    assert not {"fetch", "prepare", "describe"} & set(jobs)


CHANGED = "from __future__ import annotations\n\nANOTHER = 1"


def test_another_seed_adds_its_runs_and_keeps_the_others(finished: Clone) -> None:
    jobs = finished.jobs("--configfile", "tiny.yaml", "--config", "seeds=[0, 1]")
    assert before_tables(jobs) == {"train": 10, "evaluate": 10, "fold": 5}


def test_a_changed_description_of_the_data_makes_again_what_depends_on_it(finished: Clone) -> None:
    path = finished.path("config/datasets.yaml")
    original = path.read_text()
    path.write_text(original.replace("title: MQ2007", "title: Something else"))
    assert finished.jobs("--configfile", "tiny.yaml") == {}
    path.write_text(original.replace("title: Synthetic", "title: Something else"))
    assert before_tables(finished.jobs("--configfile", "tiny.yaml")) == {"describe": 1}
    head, _, own = original.partition("synthetic:\n")
    path.write_text(f"{head}synthetic:\n{own.replace('docids: true', 'docids: false')}")
    assert finished.jobs("--configfile", "tiny.yaml")["prepare"] == 1


LINEAR = """\
datasets: [synthetic]
seeds: [0]
methods:
  {arsm-l2r: null, arsm-l2r-tuned: null, listnet: null, listnet-network: null, lambdamart: null,
   lambdamart-tuned: null, adarank-map: null, adarank-ndcg: null, ranksvm: {costs: [1.0e-3]}}
"""


def count_relevant_from_2(clone: Clone) -> None:
    path = clone.path("config/datasets.yaml")
    head, _, own = path.read_text().partition("synthetic:\n")
    own = own.replace("labels: 3\n", "labels: 3\n  relevant_from: 2\n", 1)
    path.write_text(f"{head}synthetic:\n{own}")


def test_another_lowest_relevant_label_trains_and_measures_again(finished: Clone) -> None:
    count_relevant_from_2(finished)
    jobs = finished.jobs("--configfile", "tiny.yaml")
    assert before_tables(jobs) == {"describe": 1, "train": 10, "evaluate": 10, "fold": 5}


def test_another_lowest_relevant_label_changes_map_only(prepared: Clone) -> None:
    prepared.path("linear.yaml").write_text(LINEAR)
    target = "results/synthetic/fold3.json"
    found = []
    for change in (lambda _: None, count_relevant_from_2):
        change(prepared)
        done = prepared.snakemake(target, "--configfile", "linear.yaml")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Parsing" not in done.stdout + done.stderr  # nothing is prepared again
        (run,) = json.loads(prepared.path(target).read_text())["runs"]
        found.append(run)
    usual, other = found
    assert (usual.get("relevant_from"), other["relevant_from"]) == (None, 2)
    for split in ("test", "vali"):
        for convention, values in usual[split].items():
            differing = {n for n, value in values.items() if other[split][convention][n] != value}
            assert differing == {"map"}
            assert other[split][convention]["map"] < values["map"]


def test_the_mirror_is_no_reason_to_run_again(finished: Clone) -> None:
    mirrored = finished.jobs("--configfile", "tiny.yaml", "--config", "letor_mirror=/elsewhere")
    assert mirrored == {}


def test_gpu_settings_are_no_reason_to_run_again(finished: Clone) -> None:
    for options in (["--resources", "gpu=8"], ["--config", "allow_cpu=true"]):
        assert finished.jobs("--configfile", "tiny.yaml", *options) == {}, options


@pytest.mark.parametrize(
    ("deleted", "expected"),
    [
        ("results/synthetic/fold3.json", {"fold": 1}),
        (
            "results/synthetic/fold3/arsm-l2r/seed0/measures.parquet",
            {"evaluate": 1, "fold": 1},
        ),
        (
            "results/synthetic/fold3/adarank-map/seed0/model.npz",
            {"train": 1, "evaluate": 1, "fold": 1},
        ),
    ],
)
def test_a_deleted_result_comes_back_the_same(
    finished: Clone, deleted: str, expected: dict[str, int]
) -> None:
    before = measured(finished)
    finished.path(deleted).unlink()
    assert before_tables(finished.jobs("--configfile", "tiny.yaml")) == expected
    done = finished.tiny("results/synthetic/fold3.json", deleted)
    assert done.returncode == 0, done.stdout + done.stderr
    assert finished.path(deleted).exists()
    assert measured(finished) == before


def test_one_fold_trains_just_that_fold_and_gives_the_same_result_in_another_clone(
    finished: Clone, clone: Clone
) -> None:
    done = clone.tiny("results/synthetic/fold3.json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = {path.name for path in clone.path("results/synthetic").glob("fold*")}
    assert found == {"fold3", "fold3.json"}
    assert measured(clone) == measured(finished)


def measured(clone: Clone) -> dict[str, Any]:
    """The result of fold 3, without the time it took and the commit that the tree is at now."""
    result: dict[str, Any] = json.loads(clone.path("results/synthetic/fold3.json").read_text())
    del result["provenance"]["commit"]
    for run in result["runs"]:
        run.pop("provenance", {}).pop("commit", None)
        del run["seconds"]
    return result


def test_a_search_compares_variants_on_validation_data(finished: Clone) -> None:
    finished.path("search.yaml").write_text(
        "search: {mine: {method: arsm-l2r, vary: {levels: [2, 4]}}}"
    )
    target = "results/search/mine.html"
    done = finished.snakemake(target, "--configfile", "tiny.yaml", "search.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 (start)" in finished.path(target).read_text()
    lines = finished.path("results/search/mine.csv").read_text().splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("arsm-l2r,synthetic")  # trained already, and not again
    assert lines[2].startswith("arsm-l2r+levels=2,synthetic")
    assert not list(finished.path("results").rglob("arsm-l2r+levels=2/seed0/summary.json"))


DRAWN = """\
search:
  drawn:
    method: adarank-map
    trials: {trials}
    space: {{rounds: {{low: 1, high: 9}}, select_on: {{one_of: [map, mean]}}}}
"""


def test_trials_are_jobs_of_their_own_and_more_of_them_train_only_those(finished: Clone) -> None:
    target, given = "results/search/drawn.md", ("--configfile", "tiny.yaml", "drawn.yaml")
    finished.path("drawn.yaml").write_text(DRAWN.format(trials=2))
    assert finished.jobs(target, *given)["train"] == 2 * len(FOLDS)
    done = finished.snakemake(target, *given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 trials, points of a Halton sequence" in finished.path(target).read_text()
    assert finished.jobs(target, *given) == {}
    finished.path("drawn.yaml").write_text(DRAWN.format(trials=3))
    assert finished.jobs(target, *given)["train"] == len(FOLDS)


ABLATIONS = """\
ablations:
  settings: {epochs: 2, learning_rate: 1.0e-4}
  seeds: {levels: [0], losses: [0], ties: [0], estimators: [0], entropy: [0]}
  entropy:
    settings: {epochs: 2, learning_rate: 1.0e-4, averaging: 0.0}
    weights: [0.0, 0.5]
    estimators: [arsm]
    feature_scalings: [none]
  levels: [3, 4]
  losses: [ndcg@10]
  ties: [ndcg@10, ndcg-random-order@10]
  estimators: [arsm]
  learning_rates: [1.0e-4]
  gradient_queries: 2
  gradient_draws: 20
"""


def test_ablations_judge_every_claim_and_reuse_what_was_trained(finished: Clone) -> None:
    finished.path("ablations.yaml").write_text(ABLATIONS)
    configuration = ("--configfile", "tiny.yaml", "ablations.yaml")
    new = ("levels=3", "loss=ndcg-random-order@10", "entropy=0.5")
    assert finished.jobs("ablations", *configuration)["train"] == len(new) * len(FOLDS)
    done = finished.snakemake("ablations", *configuration)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in new:
        assert finished.path(f"results/synthetic/fold1/arsm-l2r+{name}/seed0/run.json").exists()
    claims = ("levels", "scorings", "estimators", "losses", "ties", "entropy")
    page = finished.path("results/report.html").read_text(encoding="utf-8")
    for name in claims:
        claim = json.loads(finished.path(f"results/claims/{name}.json").read_text())
        assert claim["answer"]
        assert claim["says"] in page.replace("&#39;", "'")
        assert f'id="claim-{name}"' in page
    assert finished.jobs("ablations", *configuration) == {}
    finished.path("results/claims/levels.svg").unlink()
    assert finished.jobs("ablations", *configuration) == {
        "judge_claim": 1,
        "report_page": 1,
        "ablations": 1,
    }
