"""Variants compared on validation data, from what their runs left."""

from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.files import write_json
from arsm_l2r.report.html import html
from arsm_l2r.report.latex import latex
from arsm_l2r.report.search_table import MEASURES, search_table, validated
from arsm_l2r.report.table import csv

from ..made_up import plan, record

TITLES = {"mq2007": "MQ2007", "ohsumed": "OHSUMED"}
FROM_1 = dict.fromkeys(TITLES, 1)
SEARCH = {"tuning": {"method": "arsm-l2r", "vary": {"levels": [20, 5], "loss": ["ndcg"]}}}


def searched(results: Path) -> Plan:
    """Runs of two epochs, the first of which was selected. The higher, the later the variant."""
    made = plan(results, {"arsm-l2r": {}}, datasets=list(TITLES), search=SEARCH)
    study = made.searches["tuning"]
    names = [variant.name for variant in study.variants]
    for run in made.runs_of_study(study):
        write_json(run.files.record, record(seconds=2.5))
        value = 0.1 * names.index(run.name) + 0.1 * run.fold
        value += 0.01 if run.dataset == "ohsumed" else 0
        pl.DataFrame({"epoch": [1, 2], **{name: [value, 0.9] for name in MEASURES}}).write_parquet(
            run.files.history
        )
    return made


def found_in(made: Plan) -> pl.DataFrame:
    return validated(made.runs_of_study(made.searches["tuning"]))


def test_the_selected_epochs_are_measured(tmp_path: Path) -> None:
    made = searched(tmp_path)
    found, second = found_in(made), made.searches["tuning"].variants[1]
    assert found.height == 3 * 2 * 5
    assert set(found["epoch"]) == {1}
    (value,) = found.filter(variant=second.name, fold=2, dataset="ohsumed")["map"]
    assert value == pytest.approx(0.1 + 0.2 + 0.01)


def test_methods_that_do_not_count_epochs_can_be_searched(tmp_path: Path) -> None:
    made = searched(tmp_path)
    for path in tmp_path.rglob("history.parquet"):
        pl.read_parquet(path).rename({"epoch": "tree"}).write_parquet(path)
    assert set(found_in(made)["epoch"]) == {1}


def test_test_scores_are_not_needed_and_not_read(tmp_path: Path) -> None:
    made = searched(tmp_path)
    for folder in tmp_path.rglob("seed0"):
        (folder / "test.scores").write_text("not a number\n")
    found_in(made)


def test_the_table_has_a_group_per_setting_and_the_best_value_in_bold(tmp_path: Path) -> None:
    made = searched(tmp_path)
    table = search_table(made.searches["tuning"], found_in(made), TITLES, {}, {}, FROM_1)
    assert [group.title for group in table.groups] == ["levels", "loss"]
    levels = table.groups[0].rows
    assert [row[0].text for row in levels] == ["20 (start)", "5"]
    assert [row[-1].bold for row in levels] == [False, True]
    assert levels[0][1].text == "0.3000"
    assert levels[0][-1].text == "0.3050"
    assert "levels 20, loss ndcg@10" in table.notes[-1]
    assert "test" not in csv(table)
    for text in (html(table), latex(table)):
        assert "0.3050" in text
    assert len(csv(table).splitlines()) == 1 + 3 * len(TITLES)


TRIALS = {
    "mine": {
        "method": "lambdamart",
        "settings": {"trees": 5},
        "trials": 3,
        "space": {"leaves": {"one_of": [7, 15]}, "l2": {"low": 0.0, "high": 1.0}},
    }
}


def test_trials_stand_best_first_and_every_query_counts_the_same(tmp_path: Path) -> None:
    made = plan(tmp_path, {"lambdamart": {}}, datasets=list(TITLES), search=TRIALS)
    study = made.searches["mine"]
    reached = {"mq2007": [0.40, 0.42, 0.41], "ohsumed": [0.50, 0.46, 0.55]}
    for run in made.runs_of_study(study):
        write_json(run.files.record, record(seconds=2.5))
        value = reached[run.dataset][[each.name for each in study.variants].index(run.name)]
        pl.DataFrame({"tree": [1], **{name: [value] for name in MEASURES}}).write_parquet(
            run.files.history
        )
    found = validated(made.runs_of_study(study))
    winner = study.variants[1].settings
    table = search_table(study, found, TITLES, dict.fromkeys(TITLES, 50), winner, FROM_1)
    (group,) = table.groups
    assert [row[0].text for row in group.rows] == ["3", "1", "2"]
    assert [row[-1].text for row in group.rows] == ["0.4800", "0.4500", "0.4400"]
    table = search_table(study, found, TITLES, {"mq2007": 9900, "ohsumed": 100}, winner, FROM_1)
    (group,) = table.groups
    assert [row[0].text for row in group.rows] == ["2", "3", "1"]
    assert [row[-1].bold for row in group.rows] == [True, False, False]
    assert list(table.columns[:3]) == ["Trial", "leaves", "l2"]
    assert "3 trials, points of a Halton sequence over: leaves 7 or 15; l2 0 to 1." in " ".join(
        table.notes
    )
    assert "trees 5" in " ".join(table.notes)
    assert table.notes[-1] == "The configuration has the settings of trial 2."
    other = search_table(
        study, found, TITLES, dict.fromkeys(TITLES, 1), {**winner, "trees": 6}, FROM_1
    )
    assert other.notes[-1] == "The configuration has the settings of none of these trials."
    for text in (html(table), latex(table)):
        assert "Mean by query" in text


def test_a_run_that_is_not_there_is_named(tmp_path: Path) -> None:
    made = searched(tmp_path)
    last = made.searches["tuning"].variants[2]
    made.layout.run("mq2007", 2, last.name, 0).record.unlink()
    with pytest.raises(UserError, match=r"fold2/arsm-l2r\+loss=ndcg/seed0/run.json: cannot be"):
        found_in(made)
