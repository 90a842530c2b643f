"""Ours beside the paper's, with values worked out by hand."""

from math import sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.analysis.comparison import compare
from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.report.build import tables_of
from arsm_l2r.report.comparison_table import comparison_table, p_value
from arsm_l2r.report.html import html

from ..made_up import description, fold, folds, run, write_measures


def compared(results: list[dict[str, Any]], folder: Path, **more: Any) -> pl.DataFrame:
    return compare(
        "mq2007", runs_table(results), per_query_table(results, folder), load_paper(), **more
    )


def row(table: pl.DataFrame, method: str, measure: str = "map") -> dict[str, Any]:
    return table.filter(method=method, measure=measure).row(0, named=True)


def test_difference_is_ours_minus_the_papers(tmp_path: Path) -> None:
    found = row(compared(folds({"arsm-l2r": 0.47}), tmp_path), "arsm-l2r")
    assert (found["paper"], found["ours"]) == (0.4608, pytest.approx(0.47))
    assert found["difference"] == pytest.approx(0.47 - 0.4608)
    assert (found["folds"], found["seeds"], found["spread"]) == (5, 1, None)


def test_spread_over_two_seeds(tmp_path: Path) -> None:
    results = [fold(1, [run("listnet", 0.4), run("listnet", 0.5, seed=1)])]
    assert row(compared(results, tmp_path), "listnet")["spread"] == pytest.approx(0.1 / sqrt(2))


def test_exact_p_of_four_queries_and_holm_over_five_measures(tmp_path: Path) -> None:
    """All four queries differ the same way: 2 of 16 exchanges are as extreme."""
    for number in (1, 2):
        write_measures(tmp_path, number, "arsm-l2r", [0.75, 0.5])
        write_measures(tmp_path, number, "listnet", [0.5, 0.25])
    results = folds({"arsm-l2r": 0.625, "listnet": 0.375})
    table = compared(results, tmp_path)
    found = row(table, "listnet")
    assert found["arsm_ahead"] == pytest.approx(0.25)
    assert found["p"] == pytest.approx(2 / 2**4)
    assert found["p_corrected"] == pytest.approx(5 * 2 / 2**4)
    assert found["queries"] == 4
    assert row(table, "arsm-l2r")["p"] is None


def test_queries_are_averaged_over_seeds_before_they_are_resampled(tmp_path: Path) -> None:
    """Seeds that differ on each query, but not on average, leave an interval without width."""
    write_measures(tmp_path, 1, "listnet", [0.25, 0.75], seed=0)
    write_measures(tmp_path, 1, "listnet", [0.75, 0.25], seed=1)
    results = [fold(1, [run("listnet", 0.5), run("listnet", 0.5, seed=1)])]
    found = row(compared(results, tmp_path), "listnet")
    assert (found["low"], found["high"], found["paper_inside"]) == (0.5, 0.5, False)


def test_paper_inside_the_interval(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.0, 1.0] * 10)
    found = row(compared([fold(1, [run("listnet", 0.5)])], tmp_path), "listnet")
    assert found["low"] < 0.4652 < found["high"]
    assert found["paper_inside"] is True


def test_queries_are_paired_by_fold_and_query(tmp_path: Path) -> None:
    """The baseline misses a fold: only the queries that both have are compared."""
    write_measures(tmp_path, 1, "arsm-l2r", [0.5, 0.5])
    write_measures(tmp_path, 2, "arsm-l2r", [0.9, 0.9])
    write_measures(tmp_path, 2, "listnet", [0.4, 0.4])
    found = row(compared(folds({"arsm-l2r": 0.7, "listnet": 0.4}), tmp_path), "listnet")
    assert found["arsm_ahead"] == pytest.approx(0.5)


def test_method_that_is_not_in_the_paper_has_no_paper_figure(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "own", [0.4, 0.6])
    found = row(compared(folds({"own": 0.5}), tmp_path), "own")
    assert (found["paper"], found["difference"], found["paper_inside"]) == (None, None, None)
    assert found["low"] is not None


def test_nan_has_no_interval_and_no_p(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [float("nan"), 0.5])
    write_measures(tmp_path, 1, "arsm-l2r", [0.5, 0.5])
    results = folds({"listnet": float("nan"), "arsm-l2r": 0.5})
    found = row(compared(results, tmp_path), "listnet")
    assert {found[key] for key in ("ours", "difference", "low", "high", "p", "p_corrected")} == {
        None
    }


def test_table_says_inside_and_outside_in_colour_symbol_and_word(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.0, 1.0] * 10)
    write_measures(tmp_path, 1, "arsm-l2r", [0.9, 0.8])
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.85)])]
    table = comparison_table("mq2007", "MQ2007", compared(results, tmp_path), load_paper())
    cells = {group.title: group.rows[0][6] for group in table.groups}
    assert (cells["ListNet"].text, cells["ListNet"].tone) == ("● inside", "inside")
    assert (cells["ARSM-L2R"].text, cells["ARSM-L2R"].tone) == ("○ outside", "outside")
    page = html(table)
    assert page.count("&#9679; inside") == page.count("&#9675; outside") == 5
    assert page.count("background-color: #cfe5f5") == 5


def test_one_seed_leaves_the_spread_blank(tmp_path: Path) -> None:
    table = comparison_table(
        "mq2007", "MQ2007", compared(folds({"listnet": 0.5}), tmp_path), load_paper()
    )
    assert table.groups[0].rows[0][4].text == ""


def test_significant_differences_are_marked(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "arsm-l2r", [0.6] * 20)
    write_measures(tmp_path, 1, "listnet", [0.5] * 20)
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.6)])]
    table = comparison_table("mq2007", "MQ2007", compared(results, tmp_path), load_paper())
    last = table.groups[0].rows[0][-1]
    assert last.text.endswith("*")
    assert last.bold


@pytest.mark.parametrize(
    ("p", "text"), [(None, "–"), (0.00001, "<0.0001"), (0.0123, "0.0123"), (1.0, "1.0000")]
)
def test_p_values_as_printed(p: float | None, text: str) -> None:
    assert p_value(p) == text


def test_both_conventions_have_a_table(tmp_path: Path) -> None:
    tables = tables_of(description(), folds({"listnet": 0.5}), tmp_path)
    assert [table.name for table in tables] == [
        "mq2007",
        "mq2007_comparison",
        "mq2007_comparison_paper",
    ]
    assert any("single queries are missing for 5 runs" in note for note in tables[1].notes)


def test_figures_outside_the_tolerance_are_listed_below_the_table(tmp_path: Path) -> None:
    notes = tables_of(description(), folds({"listnet": 0.4101}), tmp_path)[1].notes
    assert "More than 0.010 from the paper's: ListNet NDCG@10, ListNet MAP." in notes
