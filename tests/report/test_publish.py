"""What is published can be made again from what is published."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from arsm_l2r.analysis.claims import judged
from arsm_l2r.analysis.claims.claim import Answer
from arsm_l2r.analysis.completeness import commits, other_settings, several_commits
from arsm_l2r.analysis.dataset import analysed
from arsm_l2r.analysis.measured import load_folds, per_query_table
from arsm_l2r.analysis.paired import EXCHANGES
from arsm_l2r.analysis.stored import read_analysis, write_analysis
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.configuration import load_configuration
from arsm_l2r.experiments.layout import FORMATS, DataFiles, Layout
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.provenance import fingerprint_of, settings_fingerprint
from arsm_l2r.experiments.rankings import places, rankings_of, read_ranking
from arsm_l2r.experiments.results import check_fold
from arsm_l2r.experiments.studies import CLAIMS, TABLED, Study
from arsm_l2r.files import read_json, write_json
from arsm_l2r.letor.store import Stored
from arsm_l2r.rankers.score_file import read_scores, write_scores
from arsm_l2r.report.claim_files import claims_markdown, load_claims, write_claim
from arsm_l2r.report.latex import document
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.page import render, shown_options, write_page
from arsm_l2r.report.publish import publish, publish_again, publish_studies, published_tables
from arsm_l2r.report.published_studies import origins_of
from arsm_l2r.report.table import Cell, Group, Table

from ..letor.tiny import DATASET, changed, store
from ..made_up import (
    PROVENANCE,
    ROOT,
    config_of,
    fold,
    plan,
    record,
    run,
    write_measures,
    write_results,
)

METHODS: dict[str, dict[str, Any]] = {"ranksvm": {"costs": [1.0]}, "arsm-l2r": {"epochs": 2}}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Complete results of two methods with one seed on five folds."""
    folder = tmp_path / "results"
    draw = np.random.default_rng(0)
    made = plan(folder, METHODS)
    facts = {"selected_epoch": 1, "epochs": 2, "seconds": 1.5, "device": "cpu"}
    prints = {"config": config_of(made.methods), "tensorflow": "2"}
    queries = [pl.int_range(4, eager=True) + 4 * part for part in range(5)]
    parts = [
        pl.DataFrame({"label": [1, 0] * 4, "qid": own.repeat_by(2).explode(), "a": [0.5] * 8})
        for own in queries
    ]
    dtypes = {"label": pl.UInt8, "qid": pl.Int64, "a": pl.Float32}
    tables = [part.cast(dtypes) for part in parts]
    store(changed(DATASET, name="mq2007", docids=False), tables, data_of(folder).parts("mq2007"))
    stored = Stored(data_of(folder).parts("mq2007"))
    given = []
    for number in range(1, 6):
        runs = []
        for method in METHODS:
            values = draw.random(4)
            write_measures(folder, number, method, values.tolist())
            scored = made.layout.run("mq2007", number, method, 0).test
            write_scores(scored, draw.random(2 * len(values)))
            runs.append(run(method, float(values.mean()), **facts))
        divided = [
            "+".join(stored.index.parts[part - 1].fingerprint for part in each)
            for each in stored.divided(number)
        ]
        given.append(fold(number, runs, data=fingerprint_of(divided), **prints))
    write_results(made, given)
    layout = made.layout
    layout.captions("mq2007").parent.mkdir(parents=True)
    for path in (
        *(layout.figure("mq2007", "cutoffs", ending) for ending in ("svg", "png")),
        layout.captions("mq2007"),
    ):
        path.write_text("figure")
    layout.table("cost", "md").parent.mkdir()
    layout.table("cost", "md").write_text("cost")
    layout.claim("highest", "json").parent.mkdir()
    layout.claim("highest", "json").write_text("claim")
    layout.report.write_text("page")
    return folder


def data_of(results: Path) -> DataFiles:
    """The data that these results were made from."""
    return DataFiles(results.parent / "data")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


def published(results: Path, **changes: dict[str, Any]) -> Path:
    output = results.parent / "published"
    if changes:
        plan(results, {**METHODS, **changes})
    publish(Plan.load(results), output, data_of(results))
    return output


def test_results_tables_figures_and_page_are_published_and_nothing_else(results: Path) -> None:
    output = published(results)
    found = {str(path.relative_to(output)) for path in output.rglob("*.*")}
    names = ["datasets", "mq2007", "mq2007_comparison", "mq2007_comparison_paper"]
    tables = {
        f"tables/{name}.{ending}" for name in [*names, "mq2007_published"] for ending in FORMATS
    }
    endings = ("json", "parquet", "rankings.parquet")
    folds = {f"mq2007/fold{k}.{ending}" for k in range(1, 6) for ending in endings}
    figures = {"figures/mq2007/cutoffs.svg", "figures/mq2007/captions.json"}
    others = {"analysis/mq2007.json", "configuration.json", "claims/highest.json"}
    others |= {"mq2007/data.json", "tables/cost.md", "tables/tables.tex", "report.html"}
    others |= {"origins.json", "origins.md"}
    assert found == tables | folds | figures | others


def test_values_of_queries_are_the_same_as_in_the_results(results: Path) -> None:
    folds = load_folds(sorted((results / "mq2007").glob("fold*.json")))
    before = per_query_table(folds, Layout(results))
    after = per_query_table(folds, Layout(published(results)))
    assert before.filter(split="test").select(after.columns).equals(after)


def test_rankings_are_those_of_the_scores(results: Path) -> None:
    output = published(results)
    stored = Stored(data_of(results).parts("mq2007"), "mq2007")
    made = Plan.load(results)
    for own in made.runs("mq2007"):
        judged = stored.judged(stored.divided(own.fold)[2])
        scores = read_scores(own.files.test, 8)
        path = rankings_of(Layout(output), "mq2007", own.fold)
        found = read_ranking(path, own, judged)
        for each in range(4):
            both = slice(2 * each, 2 * each + 2)
            assert np.array_equal(np.argsort(found[both]), np.argsort(scores[both]))
            assert sorted(found[both]) == [-2, -1]


def test_results_on_other_data_are_not_published(results: Path) -> None:
    path = Layout(results).fold("mq2007", 2)
    content = read_json(path)
    content["provenance"]["data"] = "0" * 64
    path.write_text(json.dumps(content))
    with pytest.raises(UserError, match=r"mq2007/fold2.json: is of other data than these parts"):
        published(results)
    assert sorted(path.name for path in results.parent.iterdir()) == ["data", "results"]


def test_tied_documents_have_the_same_place() -> None:
    scores = np.array([0.5, 0.25, 0.5, 7, -1, 3])
    assert places(scores, np.array([3, 1, 2])).tolist() == [1, 2, 1, 1, 2, 1]


def test_rankings_of_other_documents_are_refused(results: Path) -> None:
    path = rankings_of(Layout(published(results)), "mq2007", 1)
    stored = Stored(data_of(results).parts("mq2007"), "mq2007")
    (own, *_) = Plan.load(results).runs("mq2007")
    judged = stored.judged([1])  # which fold 1 does not test on
    with pytest.raises(UserError, match=r"fold1.rankings.parquet: ranks other documents"):
        read_ranking(path, own, judged)
    with pytest.raises(UserError, match=r"fold1.rankings.parquet(?s:.*)no column .ranksvm.seed9"):
        read_ranking(path, replace(own, seed=9), judged)


def test_tables_come_out_of_the_published_files_as_out_of_the_results(results: Path) -> None:
    output = Layout(published(results))
    made = published_tables(Plan.load(output.root))
    assert made
    for name, texts in made.items():
        for ending, text in texts.items():
            assert output.table(name, ending).read_text(encoding="utf-8") == text


def test_the_analysis_comes_out_of_the_published_files_as_out_of_the_results(
    results: Path, tmp_path: Path
) -> None:
    for path in results.rglob("measures.parquet"):  # a cut-off that is measured for the figure only
        pl.read_parquet(path).with_columns(pl.col("ndcg@1").alias("ndcg@2")).write_parquet(path)
    whole = analysed(Plan.load(results), "mq2007")
    assert list(whole.cutoffs["letor"]["ranksvm"]) == [1, 2, 3, 5, 10]
    write_analysis(Layout(results).analysis("mq2007"), whole)
    output = published(results)
    again = tmp_path / "again.json"
    write_analysis(again, analysed(Plan.load(output), "mq2007"))
    assert again.read_bytes() == Layout(output).analysis("mq2007").read_bytes()


def test_what_is_published_is_made_anew_and_the_rest_kept(results: Path) -> None:
    output = Layout(published(results))
    output.captions("mq2007").write_text('{"dataset": "mq2007", "figures": []}')
    output.claim("highest", "json").unlink()
    write_page(Plan.load(output.root), "--configfile it's.yaml")
    kept = contents(output.root)
    output.table("mq2007", "md").write_text("old")
    output.claim("highest", "json").write_text("old")
    content = read_json(output.analysis("mq2007"))
    output.analysis("mq2007").write_text(json.dumps({**content, "title": "old"}))
    publish_again(output.root)
    found = contents(output.root)
    assert not {path for path in found if path.endswith(".png")}
    assert read_json(output.claim("highest", "json"))["name"] == "highest"
    assert found["tables/mq2007.md"] == kept["tables/mq2007.md"]
    for path in ("figures/mq2007/cutoffs.svg", "tables/cost.md", "mq2007/fold1.parquet"):
        assert found[path] == kept[path]
    analysis = read_analysis(output.analysis("mq2007"))
    assert (analysis.title, analysis.exchanges) == ("MQ2007", EXCHANGES)
    page = output.report.read_text(encoding="utf-8")
    assert shown_options(page) == "--configfile it's.yaml"
    assert json.loads(kept["analysis/mq2007.json"])["exchanges"] != EXCHANGES
    publish_again(output.root)
    assert contents(output.root) == found


def test_results_that_were_not_published_are_not_made_again(results: Path) -> None:
    before = contents(results)
    with pytest.raises(UserError, match=r"fold1.parquet: not there, so that .*results is not what"):
        publish_again(results)
    assert contents(results) == before


def test_what_cannot_be_made_again_stays_as_it_was(results: Path) -> None:
    output = published(results)
    (output / "mq2007" / "fold2.json").write_text("{")
    before = contents(output)
    with pytest.raises(UserError, match=r"mq2007/fold2.json: not valid JSON"):
        publish_again(output)
    assert contents(output) == before


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


def with_claims(made: Plan, names: Sequence[str], commit: str = "c" * 40) -> None:
    """Make verdicts of experiments that never ran."""
    for name in [*TABLED, *names]:
        words = {"name": name, "title": "title", "says": f"says {name}"}
        verdict = {**words, "answer": Answer.HOLDS, "because": ["words"], "figure": None}
        write_json(made.layout.claim(name, "json"), verdict)
    write_json(made.layout.captions("mq2007"), {"dataset": "mq2007", "figures": []})
    for own in (own for name in names for own in made.evidence(name).runs):
        write_record(made, own, commit=commit)


def write_record(made: Plan, own: Run, **provenance: str) -> None:
    """Make the record of a run of an experiment, as it should be unless said otherwise."""
    method, settings = made.trained[own.name].method, made.training_settings(own.name, own.dataset)
    origin = {
        **PROVENANCE,
        "config": settings_fingerprint(method.name, own.seed, settings),
        "data": read_json(made.layout.fold(own.dataset, own.fold))["provenance"]["data"],
    }
    content = {**record(), "provenance": {**origin, **provenance}}
    write_json(own.files.record, content)


def test_what_was_published_of_claims_is_not_lost(results: Path) -> None:
    with_claims(Plan.load(results), ["levels"])
    output = published(results)
    before = contents(output)
    Layout(results).claim("levels", "json").unlink()
    with pytest.raises(UserError, match=r"would be lost; run snakemake ablations, let it stay"):
        published(results)
    assert contents(output) == before


def retrained(results: Path, commit: str) -> None:
    """Let another commit have trained the folds."""
    for number in range(1, 6):
        path = Layout(results).fold("mq2007", number)
        content = read_json(path)
        content["provenance"]["commit"] = commit
        path.write_text(json.dumps(content))


def test_what_these_results_do_not_have_may_stay(results: Path) -> None:
    made = Plan.load(results)
    with_claims(made, ["levels", "ties"])
    output = published(results)
    shutil.rmtree(results / "claims")
    retrained(results, "e" * 40)
    with_claims(made, ["ties"], commit="e" * 40)
    publish(made, output, data_of(results), keep=True)
    assert read_json(Layout(output).claim("levels", "json"))["says"] == "says levels"
    assert "says levels" in Layout(output).report.read_text()
    origins = read_json(origins_of(Layout(output)))["claim"]
    assert origins["levels"] == {"commit": "c" * 40, "trainings": 5 * 5, "configured": True}
    assert origins["ties"] == {"commit": "e" * 40, "trainings": 3 * 5, "configured": True}
    page = Layout(output).report.read_text()
    assert "Experiment “levels”: trained by an earlier commit than the tables." in page
    assert "Experiment “ties”" not in page


def test_what_stays_of_another_configuration_is_marked(results: Path) -> None:
    made = Plan.load(results)
    with_claims(made, ["levels"])
    output = published(results)
    shutil.rmtree(results / "claims")
    other = plan(results, METHODS, ablations={"seeds": {"levels": [0, 1]}})
    with_claims(other, [])
    publish(other, output, data_of(results), keep=True)
    publish(other, output, data_of(results), keep=True)
    assert not read_json(origins_of(Layout(output)))["claim"]["levels"]["configured"]
    table = origins_of(Layout(output)).with_suffix(".md").read_text()
    assert "| Experiment “levels”‡ | 25 |" in table
    assert "‡ Of an earlier configuration" in table


def test_what_the_configuration_does_not_know_cannot_stay(results: Path) -> None:
    search = {"chosen": {"method": "arsm-l2r", "vary": {"epochs": [2, 3]}}}
    made = plan(results, METHODS, search=search)
    for own in made.runs_of_study(made.searches["chosen"]):
        write_record(made, own)
    made.layout.search("chosen", "md").parent.mkdir()
    made.layout.search("chosen", "md").write_text("table")
    made.layout.search("stray", "md").write_text("table")
    output = published(results)
    assert not Layout(output).search("stray", "md").exists()
    shutil.rmtree(results / "search")
    with pytest.raises(UserError, match=r"chosen.md was published before.*put it back"):
        publish(plan(results, METHODS), output, data_of(results), keep=True)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"config": "0" * 64}, "other settings than those"), ({"data": "0" * 64}, "other data than")],
)
def test_experiments_of_other_settings_or_data_are_refused(
    results: Path, wrong: dict[str, str], message: str
) -> None:
    made = Plan.load(results)
    with_claims(made, ["ties"])
    write_record(made, made.evidence("ties").runs[4], **wrong)
    with pytest.raises(UserError, match=rf"seed0/run.json: was run .*{message}"):
        published(results)


def test_what_nobody_knows_of_what_stays_is_said(results: Path) -> None:
    made = Plan.load(results)
    with_claims(made, ["levels"])
    output = published(results)
    origins_of(Layout(output)).unlink()
    shutil.rmtree(results / "claims")
    with_claims(made, [])
    publish(made, output, data_of(results), keep=True)
    assert read_json(origins_of(Layout(output)))["claim"]["levels"] == {
        "commit": None,
        "trainings": None,
        "configured": True,
    }
    table = origins_of(Layout(output)).with_suffix(".md").read_text()
    assert "| Experiment “levels” | – | an earlier one |" in table


def test_experiments_are_published_beside_what_the_same_commit_trained(results: Path) -> None:
    made = Plan.load(results)
    with_claims(made, ["levels"])
    output = published(results)
    before = contents(output)
    shutil.rmtree(results / "claims")
    with_claims(made, ["ties"])
    assert publish_studies(made, output) == ["ties"]
    after = contents(output)
    assert "says ties" in after["report.html"].decode()
    assert "says levels" in after["report.html"].decode()
    assert {name for name in after if after[name] != before.get(name)} >= {
        "claims/ties.json",
        "origins.json",
        "report.html",
    }
    assert after["mq2007/fold1.json"] == before["mq2007/fold1.json"]
    origins = read_json(origins_of(Layout(output)))["claim"]
    assert {name: own["commit"] for name, own in origins.items()} == {
        "levels": "c" * 40,
        "ties": "c" * 40,
    }


def test_experiments_of_another_commit_or_configuration_are_refused(results: Path) -> None:
    made = Plan.load(results)
    with_claims(made, [])
    output = published(results)
    before = contents(output)
    with pytest.raises(UserError, match="no search or experiment is finished"):
        publish_studies(made, output)
    with_claims(made, ["ties"], commit="d" * 40)
    with pytest.raises(UserError, match=r"different commits: c{40} and d{40}"):
        publish_studies(made, output)
    with_claims(made, ["scorings"])
    Layout(results).claim("ties", "json").unlink()
    retrained(results, "e" * 40)
    with pytest.raises(UserError, match=r"different commits: c{40} and e{40}"):
        publish_studies(made, output)
    other = plan(results, {**METHODS, "arsm-l2r": {"epochs": 3}})
    with pytest.raises(UserError, match="another configuration"):
        publish_studies(other, output)
    assert contents(output) == before


def test_results_without_an_analysis_are_not_published(results: Path) -> None:
    Layout(results).analysis("mq2007").unlink()
    with pytest.raises(UserError, match=r"analysis/mq2007.json: not there; run the workflow"):
        published(results)


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
    assert sorted(path.name for path in results.parent.iterdir()) == ["data", "results"]


@pytest.mark.parametrize(
    ("commits", "message"),
    [
        (["a" * 40, "b" * 40], r"different commits: a{40}, b{40} and c{40}"),
        (["a" * 40 + "+changes"] * 5, r"files that differ from commit a{40}\."),
        (["unknown"] * 5, r"do not say which commit"),
    ],
)
def test_results_that_no_single_commit_made_are_refused(
    results: Path, commits: list[str], message: str
) -> None:
    for number, commit in enumerate(commits, start=1):
        path = Layout(results).fold("mq2007", number)
        content = read_json(path)
        content["provenance"]["commit"] = commit
        path.write_text(json.dumps(content))
    with pytest.raises(UserError, match=message):
        published(results)


def test_experiments_are_of_the_same_commit(results: Path) -> None:
    search = {"chosen": {"method": "arsm-l2r", "vary": {"epochs": [2, 3]}}}
    made = plan(results, METHODS, search=search)
    (study,) = made.searches.values()
    for at, trained in enumerate(made.runs_of_study(study)):
        write_record(made, trained, commit=f"{at % 2}")
    table = made.layout.search("chosen", "md")
    table.parent.mkdir()
    table.write_text("table")
    with pytest.raises(UserError, match=r"different commits: 0, 1 and c{40}"):
        publish(made, results.parent / "published", data_of(results))


def test_a_result_that_does_not_fit_the_schema_is_refused(results: Path) -> None:
    path = results / "mq2007" / "fold2.json"
    broken = json.loads(path.read_text())
    broken["runs"][0]["test"]["letor"]["map"] = 1.5
    path.write_text(json.dumps(broken))
    with pytest.raises(UserError, match=r"mq2007/fold2.json(?s:.*)runs.0.test.letor: map: 1.5"):
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


PUBLISHED = Plan.load(ROOT / "docs/reproduction", ROOT)


class TestWhatIsPublished:
    """The reproduction that is part of this project."""

    def test_every_fold_passes_the_schema(self) -> None:
        paths = sorted(PUBLISHED.layout.root.glob("*/fold*.json"))
        assert len(paths) == 2 * 5
        for path in paths:
            check_fold(json.loads(path.read_text(encoding="utf-8")), str(path))

    def test_every_fold_was_run_with_the_settings_that_are_published(self) -> None:
        folds = load_folds(sorted(PUBLISHED.layout.root.glob("*/fold*.json")))
        assert other_settings(folds, PUBLISHED.methods) == []

    def test_it_has_the_configuration_of_the_project(self) -> None:
        assert PUBLISHED.recorded == Plan(load_configuration(ROOT), ROOT).recorded

    def test_one_commit_made_every_run(self) -> None:
        folds = load_folds(sorted(PUBLISHED.layout.root.glob("*/fold*.json")))
        assert several_commits(commits(folds)) == []
        (commit,) = commits(folds)
        assert len(commit) == 40

    def test_nothing_that_could_be_published_is_left_out(self) -> None:
        layout = PUBLISHED.layout
        expected = [layout.search(name, "md") for name in PUBLISHED.searches]
        expected += [layout.claim(name, "json") for name in CLAIMS]
        folds = [(name, k) for name in PUBLISHED.datasets for k in PUBLISHED.folds(name)]
        assert [path for path in expected if not path.exists()] == []
        for dataset, number in folds:
            rankings = pl.read_parquet(rankings_of(layout, dataset, number))
            measured = pl.read_parquet(layout.gathered_queries(dataset, number))
            runs = [run for run in PUBLISHED.runs(dataset) if run.fold == number]
            assert rankings.columns[1:] == [f"{run.name}.seed{run.seed}" for run in runs]
            assert set(rankings["qid"]) == set(measured["qid"])

    @pytest.mark.parametrize("study", [s for s in PUBLISHED.searches.values() if s.space])
    def test_what_was_tuned_is_the_best_trial_of_its_search(self, study: Study) -> None:
        found = pl.read_csv(PUBLISHED.layout.search(study.name, "csv"))
        assert set(found["variant"]) == {each.name for each in study.variants}
        queries = {name: PUBLISHED.layout.description(name) for name in PUBLISHED.datasets}
        weights = {name: read_json(path)["judged"]["queries"] for name, path in queries.items()}
        weight = pl.col("dataset").replace_strict(weights)
        overall = found.group_by("variant").agg((pl.col("mean") * weight).sum() / weight.sum())
        best = overall.sort("mean")["variant"][-1]
        assert PUBLISHED.methods[study.method] == PUBLISHED.trained[best].settings

    @pytest.mark.slow
    def test_made_again_it_is_the_same_byte_for_byte(self, tmp_path: Path) -> None:
        again = tmp_path / "again"
        shutil.copytree(PUBLISHED.layout.root, again)
        for name in PUBLISHED.datasets:
            Layout(again).analysis(name).unlink()
        publish_again(again)
        assert contents(again) == contents(PUBLISHED.layout.root)

    def test_the_results_make_the_tables_byte_for_byte(self) -> None:
        made = published_tables(PUBLISHED)
        names = {f"{name}.{ending}" for name, texts in made.items() for ending in texts}
        stored = {path.name for path in PUBLISHED.layout.table("cost", "md").parent.iterdir()}
        unmade = {"tables.tex", *(f"cost.{ending}" for ending in FORMATS)}
        together = PUBLISHED.layout.table("tables", "tex").read_text(encoding="utf-8")
        assert together == document(list(PUBLISHED.tables))
        assert stored - names <= unmade
        for name, texts in made.items():
            for ending, text in texts.items():
                path = PUBLISHED.layout.table(name, ending)
                assert path.read_bytes() == text.encode(), path.name

    def test_the_results_make_the_claims_and_the_page(self, tmp_path: Path) -> None:
        titles = {name: PUBLISHED.catalogue[name].title for name in PUBLISHED.datasets}
        for name in (name for name, needs in CLAIMS.items() if not needs.ablations):
            write_claim(judged(name, PUBLISHED), titles, Layout(tmp_path))
        for path in (path for path in tmp_path.rglob("*.*") if path.suffix != ".png"):
            stored = PUBLISHED.layout.root / path.relative_to(tmp_path)
            assert stored.read_bytes() == path.read_bytes(), path.name
        claims = claims_markdown(load_claims(PUBLISHED.claims_shown()))
        assert PUBLISHED.layout.claim("claims", "md").read_text(encoding="utf-8") == claims
        page = PUBLISHED.layout.report.read_text(encoding="utf-8")
        assert shown_options(page) == ""
        assert page == render(PUBLISHED, "")

    def test_means_over_queries_are_what_the_folds_say(self) -> None:
        for path in PUBLISHED.layout.root.glob("*/fold*.json"):
            result = json.loads(path.read_text(encoding="utf-8"))
            queries = pl.read_parquet(path.with_suffix(".parquet"))
            for entry in result["runs"]:
                own = queries.filter(method=entry["method"], seed=entry["seed"], convention="letor")
                for measure, value in entry["test"]["letor"].items():
                    assert own[measure].mean() == pytest.approx(value, abs=1e-12)
