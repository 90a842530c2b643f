"""Variants compared on validation data, from what their runs left."""

from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.studies import variants
from arsm_l2r.report.html import html
from arsm_l2r.report.latex import latex
from arsm_l2r.report.search import MEASURES, search_table, validated
from arsm_l2r.report.table import csv

TRIED = variants(
    "tuning",
    {"method": "arsm-l2r", "vary": {"levels": [20, 5], "loss": ["ndcg"]}},
    {"arsm-l2r": {"levels": 20, "loss": "ndcg@10"}},
)
FOLDS = {"mq2007": 2, "ohsumed": 2}
TITLES = {"mq2007": "MQ2007", "ohsumed": "OHSUMED"}


def write_runs(results: Path) -> None:
    """Runs of two epochs, the first of which was selected. The higher, the later in `TRIED`."""
    for number, variant in enumerate(TRIED):
        for dataset in FOLDS:
            for fold in (1, 2):
                folder = results / dataset / f"fold{fold}" / variant.name / "seed0"
                folder.mkdir(parents=True)
                (folder / "run.json").write_text('{"selected_epoch": 1, "seconds": 2.5}')
                value = 0.1 * number + 0.2 * fold + (0.01 if dataset == "ohsumed" else 0)
                pl.DataFrame(
                    {"epoch": [1, 2], **{name: [value, 0.9] for name in MEASURES}}
                ).write_parquet(folder / "history.parquet")


def test_the_selected_epochs_are_measured(tmp_path: Path) -> None:
    write_runs(tmp_path)
    found = validated(TRIED, FOLDS, [0], tmp_path)
    assert found.height == len(TRIED) * 2 * 2
    assert set(found["epoch"]) == {1}
    row = found.row(
        by_predicate=(pl.col("variant") == TRIED[1].name)
        & (pl.col("fold") == 2)
        & (pl.col("dataset") == "ohsumed"),
        named=True,
    )
    assert row["map"] == pytest.approx(0.1 + 0.4 + 0.01)


def test_methods_that_do_not_count_epochs_can_be_searched(tmp_path: Path) -> None:
    write_runs(tmp_path)
    for path in tmp_path.rglob("history.parquet"):
        pl.read_parquet(path).rename({"epoch": "tree"}).write_parquet(path)
    assert set(validated(TRIED, FOLDS, [0], tmp_path)["epoch"]) == {1}


def test_test_scores_are_not_needed_and_not_read(tmp_path: Path) -> None:
    write_runs(tmp_path)
    for folder in tmp_path.rglob("seed0"):
        (folder / "test.scores").write_text("not a number\n")
    validated(TRIED, FOLDS, [0], tmp_path)


def test_the_table_has_a_group_per_setting_and_the_best_value_in_bold(tmp_path: Path) -> None:
    write_runs(tmp_path)
    table = search_table("tuning", TRIED, validated(TRIED, FOLDS, [0], tmp_path), TITLES)
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
    lines = csv(table).splitlines()
    assert len(lines) == 1 + len(TRIED) * len(TITLES)


def test_a_run_that_is_not_there_is_named(tmp_path: Path) -> None:
    write_runs(tmp_path)
    (tmp_path / "mq2007" / "fold2" / TRIED[2].name / "seed0" / "run.json").unlink()
    with pytest.raises(UserError, match=r"fold2/arsm-l2r\+loss=ndcg/seed0/run.json: cannot be"):
        validated(TRIED, FOLDS, [0], tmp_path)
