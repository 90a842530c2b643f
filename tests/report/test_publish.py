"""What is published can be made again from what is published."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from arsm_l2r.analysis.completeness import other_settings
from arsm_l2r.analysis.measured import load_folds
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.results import check_fold
from arsm_l2r.experiments.status import load_settings
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.publish import publish, published_tables
from arsm_l2r.report.table import Cell, Group, Table

from ..made_up import config_of, description, fold, run, write_measures

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "reproduction"
METHODS: dict[str, dict[str, Any]] = {"ranksvm": {"costs": [1.0]}, "arsm-l2r": {"epochs": 2}}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Complete results of two methods with one seed on five folds."""
    folder = tmp_path / "results"
    draw = np.random.default_rng(0)
    (folder / "mq2007").mkdir(parents=True)
    (folder / "mq2007" / "data.json").write_text(json.dumps(description()))
    facts = {"selected_epoch": 1, "epochs": 2, "seconds": 1.5, "device": "cpu"}
    prints = {"data": "a" * 64, "config": config_of(METHODS), "tensorflow": "2"}
    for number in range(1, 6):
        runs = []
        for method in METHODS:
            values = draw.random(4)
            write_measures(folder, number, method, values.tolist())
            runs.append(run(method, float(values.mean()), **facts))
        path = folder / "mq2007" / f"fold{number}.json"
        path.write_text(json.dumps(fold(number, runs, **prints)))
    (folder / "figures" / "mq2007").mkdir(parents=True)
    for name in ("cutoffs.svg", "cutoffs.png", "captions.json"):
        (folder / "figures" / "mq2007" / name).write_text("figure")
    (folder / "tables").mkdir()
    (folder / "tables" / "cost.md").write_text("cost")
    (folder / "report.html").write_text("page")
    return folder


def published(results: Path, **changes: dict[str, Any]) -> Path:
    output = results.parent / "published"
    publish(results, output, ["mq2007"], {**METHODS, **changes}, [0])
    return output


def test_results_tables_figures_and_page_are_published_and_nothing_else(results: Path) -> None:
    found = {str(path.relative_to(published(results))) for path in published(results).rglob("*.*")}
    tables = {
        f"tables/{name}.{ending}"
        for name in ("datasets", "mq2007", "mq2007_comparison", "mq2007_comparison_paper")
        for ending in ("tex", "html", "csv", "md")
    }
    tables |= {f"tables/mq2007_published.{ending}" for ending in ("tex", "html", "csv", "md")}
    folds = {f"mq2007/fold{k}.{ending}" for k in range(1, 6) for ending in ("json", "parquet")}
    figures = {"figures/mq2007/cutoffs.svg", "figures/mq2007/captions.json"}
    assert found == tables | folds | figures | {"mq2007/data.json", "tables/cost.md", "report.html"}


def test_values_of_queries_are_the_same_as_in_the_results(results: Path) -> None:
    folds = load_folds(sorted((results / "mq2007").glob("fold*.json")))
    before = per_query_table(folds, results)
    after = per_query_table(folds, published(results))
    assert before.filter(split="test").select(after.columns).equals(after)


def test_tables_come_out_of_the_published_files_as_out_of_the_results(results: Path) -> None:
    output = published(results)
    made = published_tables(output)
    assert made
    for name, text in made.items():
        assert (output / "tables" / name).read_text(encoding="utf-8") == text


def test_incomplete_results_are_not_published_and_the_old_stay(results: Path) -> None:
    output = published(results)
    (results / "mq2007" / "fold3.json").unlink()
    with pytest.raises(UserError, match=r"not complete(?s:.*)fold 3 of 5 is missing"):
        published(results)
    with pytest.raises(UserError, match="ListNet is missing"):
        published(results, listnet={})
    assert (output / "mq2007" / "fold3.json").exists()


def test_results_of_other_settings_are_not_published(results: Path) -> None:
    with pytest.raises(UserError, match=r"mq2007: fold 5 was run with other settings"):
        published(results, **{"arsm-l2r": {"epochs": 3}})


def test_what_was_published_of_claims_is_not_lost(results: Path) -> None:
    (results / "claims").mkdir()
    (results / "claims" / "claims.md").write_text("claims")
    output = published(results)
    (results / "claims" / "claims.md").unlink()
    (results / "claims").rmdir()
    with pytest.raises(UserError, match=r"would be lost; run snakemake ablations"):
        published(results)
    assert (output / "claims" / "claims.md").read_text() == "claims"


def test_a_folder_with_something_else_is_left_alone(results: Path) -> None:
    other = results.parent / "published" / "design.md"
    other.parent.mkdir()
    other.write_text("mine")
    with pytest.raises(UserError, match="holds something else"):
        published(results)
    assert other.read_text() == "mine"


def test_results_without_a_report_are_not_published(results: Path) -> None:
    (results / "report.html").unlink()
    with pytest.raises(UserError, match=r"report.html: not there; run the workflow"):
        published(results)
    assert [path.name for path in results.parent.iterdir()] == ["results"]


def test_a_result_that_does_not_fit_the_schema_is_refused(results: Path) -> None:
    path = results / "mq2007" / "fold2.json"
    broken = json.loads(path.read_text())
    broken["runs"][0]["test"]["letor"]["map"] = 1.5
    path.write_text(json.dumps(broken))
    with pytest.raises(UserError, match=r"mq2007/fold2.json(?s:.*)runs.0.test.letor.map"):
        published(results)


def test_markdown_has_captions_groups_bold_and_notes() -> None:
    table = Table(
        name="t",
        label="l",
        caption="What is | measured.",
        columns=["Method", "MAP"],
        alignment="lr",
        groups=[Group([[Cell("A*"), Cell("0.5", bold=True)]], title="Group")],
        notes=["p <0.05"],
        data=pl.DataFrame(),
    )
    assert markdown(table).splitlines() == [
        r"**What is \| measured.**",
        "",
        "| Method | MAP |",
        "| --- | ---: |",
        "| **Group** |  |",
        r"| A\* | **0.5** |",
        "",
        "p &lt;0.05",
    ]


@pytest.mark.skipif(not PUBLISHED.exists(), reason="nothing has been published yet")
class TestWhatIsPublished:
    """The reproduction that is part of this project."""

    def test_every_fold_passes_the_schema(self) -> None:
        paths = sorted(PUBLISHED.glob("*/fold*.json"))
        assert len(paths) == 2 * 5
        for path in paths:
            check_fold(json.loads(path.read_text(encoding="utf-8")), str(path))

    def test_every_fold_was_run_with_the_settings_of_the_configuration(self) -> None:
        folds = load_folds(sorted(PUBLISHED.glob("*/fold*.json")))
        assert other_settings(folds, load_settings(ROOT)["methods"]) == []

    def test_the_results_make_the_tables_byte_for_byte(self) -> None:
        made = published_tables(PUBLISHED)
        stored = {path.name for path in (PUBLISHED / "tables").iterdir()}
        assert stored - made.keys() == {f"cost.{ending}" for ending in ("tex", "html", "csv", "md")}
        for name, text in made.items():
            assert (PUBLISHED / "tables" / name).read_bytes() == text.encode(), name

    def test_means_over_queries_are_what_the_folds_say(self) -> None:
        for path in PUBLISHED.glob("*/fold*.json"):
            result = json.loads(path.read_text(encoding="utf-8"))
            queries = pl.read_parquet(path.with_suffix(".parquet"))
            for entry in result["runs"]:
                own = queries.filter(method=entry["method"], seed=entry["seed"], convention="letor")
                for measure, value in entry["test"]["letor"].items():
                    assert own[measure].mean() == pytest.approx(value, abs=1e-12)
