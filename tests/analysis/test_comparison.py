"""Ours beside the paper's, with values worked out by hand."""

import re
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.analysis.compared import Compared, compare
from arsm_l2r.analysis.measured import per_query_table, runs_table
from arsm_l2r.analysis.paired import EXCHANGES, exactness
from arsm_l2r.analysis.words import p_value, signed
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.metrics import monte_carlo_error
from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.html import html
from arsm_l2r.report.table import csv, number
from arsm_l2r.report.table_files import table_texts

from ..made_up import analysed, fold, folds, run, write_measures


def compared(results: list[dict[str, Any]], folder: Path, **more: Any) -> list[Compared]:
    queries = per_query_table(results, Layout(folder))
    return compare("mq2007", runs_table(results), queries, **more)


def row(table: list[Compared], method: str, measure: str = "map") -> Compared:
    (found,) = [each for each in table if (each.method, each.measure) == (method, measure)]
    return found


def test_difference_is_ours_minus_the_papers(tmp_path: Path) -> None:
    found = row(compared(folds({"arsm-l2r": 0.47}), tmp_path), "arsm-l2r")
    assert (found.paper, found.ours) == (0.4608, pytest.approx(0.47))
    assert found.difference == pytest.approx(0.47 - 0.4608)
    assert (found.folds, found.seeds, found.spread) == (5, 1, None)


def test_spread_over_two_seeds(tmp_path: Path) -> None:
    results = [fold(1, [run("listnet", 0.4), run("listnet", 0.5, seed=1)])]
    assert row(compared(results, tmp_path), "listnet").spread == pytest.approx(0.1 / sqrt(2))


def test_exact_p_of_four_queries_and_holm_over_five_measures(tmp_path: Path) -> None:
    """All four queries differ the same way: 2 of 16 exchanges are as extreme."""
    for place in (1, 2):
        write_measures(tmp_path, place, "arsm-l2r", [0.75, 0.5])
        write_measures(tmp_path, place, "listnet", [0.5, 0.25])
    results = folds({"arsm-l2r": 0.625, "listnet": 0.375})
    table = compared(results, tmp_path)
    found = row(table, "listnet")
    assert found.ahead.value == pytest.approx(0.25)
    assert found.ahead.p == pytest.approx(2 / 2**4)
    assert found.ahead.corrected == pytest.approx(5 * 2 / 2**4)
    assert found.queries == 4
    assert row(table, "arsm-l2r").ahead is None


def test_queries_are_averaged_over_seeds_before_they_are_resampled(tmp_path: Path) -> None:
    """Seeds that differ on each query, but not on average, leave an interval without width."""
    write_measures(tmp_path, 1, "listnet", [0.25, 0.75], seed=0)
    write_measures(tmp_path, 1, "listnet", [0.75, 0.25], seed=1)
    results = [fold(1, [run("listnet", 0.5), run("listnet", 0.5, seed=1)])]
    found = row(compared(results, tmp_path), "listnet")
    assert (found.low, found.high, found.paper_inside) == (0.5, 0.5, False)


def test_paper_inside_the_interval(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.0, 1.0] * 10)
    found = row(compared([fold(1, [run("listnet", 0.5)])], tmp_path), "listnet")
    assert found.low < 0.4652 < found.high
    assert found.paper_inside is True


def test_queries_are_paired_by_fold_and_query(tmp_path: Path) -> None:
    """The baseline misses a fold: only the queries that both have are compared."""
    write_measures(tmp_path, 1, "arsm-l2r", [0.5, 0.5])
    write_measures(tmp_path, 2, "arsm-l2r", [0.9, 0.9])
    write_measures(tmp_path, 2, "listnet", [0.4, 0.4])
    found = row(compared(folds({"arsm-l2r": 0.7, "listnet": 0.4}), tmp_path), "listnet")
    assert found.ahead.value == pytest.approx(0.5)


def test_method_that_is_not_in_the_paper_has_no_paper_figure(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "own", [0.4, 0.6])
    found = row(compared(folds({"own": 0.5}), tmp_path), "own")
    assert (found.paper, found.difference, found.paper_inside) == (None, None, None)
    assert found.low is not None


def test_nan_has_no_interval_and_no_p(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "arsm-l2r", [0.5, 0.5])
    results = folds({"listnet": float("nan"), "arsm-l2r": 0.5})
    found = row(compared(results, tmp_path), "listnet")
    assert {getattr(found, key) for key in ("ours", "difference", "low", "high", "ahead")} == {None}


def test_table_says_inside_and_outside_and_approves_of_neither(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.0, 1.0] * 10)
    write_measures(tmp_path, 1, "arsm-l2r", [0.9, 0.8])
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.85)])]
    table = comparison_table(analysed(results, tmp_path))
    cells = {group.title: group.rows[0][7] for group in table.groups}
    assert (cells["ListNet"].text, cells["ListNet"].tone) == ("inside", None)
    assert (cells["ARSM-L2R"].text, cells["ARSM-L2R"].tone) == ("outside", "outside")
    assert html(table).count("background-color: #fbe0c3") == 5


def test_table_says_what_an_interval_cannot_tell(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.0, 1.0] * 10)
    table = comparison_table(analysed([fold(1, [run("listnet", 0.5)])], tmp_path))
    row = table.groups[0].rows[0]
    low, high = (float(end) for end in row[5].text.split(" to "))
    assert float(row[6].text.removeprefix("±")) == pytest.approx((high - low) / 2, abs=1e-4)
    (said,) = [note for note in table.notes if "half of an interval" in note]
    assert said.startswith("With 20 queries")
    # The paper's figures of ListNet lie between 0.4002 and 0.4652.
    assert said.endswith("of 5 that are inside, 5 are more than 0.010 from ours, at most 0.0998.")


def test_one_seed_leaves_the_spread_blank(tmp_path: Path) -> None:
    table = comparison_table(analysed(folds({"listnet": 0.5}), tmp_path))
    assert table.groups[0].rows[0][4].text == ""


def test_significant_differences_are_marked(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "arsm-l2r", [0.6] * 20)
    write_measures(tmp_path, 1, "listnet", [0.5] * 20)
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.6)])]
    table = comparison_table(analysed(results, tmp_path))
    last = table.groups[0].rows[0][-1]
    assert last.text.endswith("*")
    assert last.bold


P_VALUES = {
    **{None: "–", float("nan"): "–", 0.0: "<0.001", 0.000499: "<0.001", 0.0005: "0.001"},
    **{0.0123: "0.012", 0.0994: "0.099", 0.0996: "0.10", 0.187: "0.19", 1.0: "1.00"},
}


@pytest.mark.parametrize(("p", "text"), P_VALUES.items())
def test_p_values_as_printed(p: float | None, text: str) -> None:
    assert p_value(p) == text


@pytest.mark.parametrize("tests", [1, 4, 20, 36])
@pytest.mark.parametrize("p", [0.0015, 0.01, 0.05, 0.09, 0.11, 0.3, 0.9])
def test_no_more_digits_of_p_are_printed_than_a_million_exchanges_give(
    p: float, tests: int
) -> None:
    unit = 10.0 ** -len(p_value(p).partition(".")[2])
    assert monte_carlo_error(p, EXCHANGES, tests) < 2 * unit


def test_how_exact_p_values_are_is_said_below_the_table(tmp_path: Path) -> None:
    for method, value in (("listnet", 0.5), ("arsm-l2r", 0.6)):
        write_measures(tmp_path, 1, method, [value] * 30)
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.6)])]
    notes = " ".join(comparison_table(analysed(results, tmp_path, rounds=2000)).notes)
    assert (
        "2,000 exchanges were drawn, or all made if there are no more: near 0.05 the standard "
        "error is at most 0.0049 for p and 0.0112 for corrected p." in notes
    )
    assert exactness(1_000_000, 30).endswith("0.0003 for p and 0.0013 for corrected p.")


SIGNS = {0.00004: "0.0000", 0.00006: "+0.0001", 0.0: "0.0000", 0.25: "+0.2500", -1.5: "−1.5000"}


@pytest.mark.parametrize(
    ("value", "text"), [*SIGNS.items(), (-0.0, "0.0000"), (-4e-5, "0.0000"), (-6e-5, "−0.0001")]
)
def test_what_rounds_to_zero_has_no_sign(value: float, text: str) -> None:
    assert signed(value) == number(value, "+.4f") == text
    assert number(value) == text.removeprefix("+")


def test_a_difference_of_zero_has_no_sign_in_any_format(tmp_path: Path) -> None:
    """Means over queries that are equal, but for the last bits of their sums."""
    write_measures(tmp_path, 1, "arsm-l2r", [0.1, 0.2, 0.0] * 20)
    write_measures(tmp_path, 1, "listnet", [0.0, 0.0, 0.3] * 20)
    results = [fold(1, [run("listnet", 0.1), run("arsm-l2r", 0.1)])]
    ahead = row(compared(results, tmp_path), "listnet").ahead
    assert ahead.value != 0
    assert (ahead.p, ahead.corrected) == (1.0, 1.0)
    for value in (ahead.value, -ahead.value, -0.00003):
        analysis = analysed(results, tmp_path)
        rows = [
            replace(each, ahead=each.ahead and replace(each.ahead, value=value))
            for each in analysis.compared["letor"]
        ]
        table = comparison_table(replace(analysis, compared={"letor": rows}))
        for text in table_texts(table).values():
            assert not re.search(r"(-|−|&#8722;|\$-\$|\+)0\.0000\b", text)


def test_small_p_values_are_numbers_in_csv(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "arsm-l2r", [0.6] * 16)
    write_measures(tmp_path, 1, "listnet", [0.5] * 16)
    results = [fold(1, [run("listnet", 0.5), run("arsm-l2r", 0.6)])]
    table = pl.read_csv(csv(comparison_table(analysed(results, tmp_path, rounds=2**16))).encode())
    assert table["p"].drop_nulls().to_list() == pytest.approx([2 / 2**16] * 5, rel=0.005)


def test_both_conventions_have_a_table(tmp_path: Path) -> None:
    analysis = analysed(folds({"listnet": 0.5}), tmp_path)
    names = [comparison_table(analysis, each).name for each in ("letor", "paper")]
    assert names == ["mq2007_comparison", "mq2007_comparison_paper"]
    notes = comparison_table(analysis).notes
    assert any("single queries are missing for 5 runs" in note for note in notes)


def test_figures_outside_the_tolerance_are_listed_below_the_table(tmp_path: Path) -> None:
    notes = comparison_table(analysed(folds({"listnet": 0.4101}), tmp_path)).notes
    assert "More than 0.010 from the paper's: ListNet NDCG@10, ListNet MAP." in notes


def test_what_was_measured_besides_has_rows_of_its_own(tmp_path: Path) -> None:
    own = run("listnet", 0.5)
    own["test"] = {"letor": {**own["test"]["letor"], "rr": 0.625}}
    table = comparison_table(analysed([fold(1, [own])], tmp_path))
    assert [line[0].text for line in table.groups[0].rows][-2:] == ["MAP", "RR"]
    last = table.groups[0].rows[-1]
    assert [cell.text for cell in last[1:3]] == ["–", "0.6250"]
    assert csv(table).splitlines()[-1].startswith("ListNet,RR,,0.6250,")


def test_seeds_that_disagree_are_told(tmp_path: Path) -> None:
    for seed, value in enumerate([0.75, 0.25]):
        write_measures(tmp_path, 1, "arsm-l2r", [value] * 4, seed)
        write_measures(tmp_path, 1, "listnet", [0.4] * 4, seed)
    runs = [run(name, 0.5, seed) for name in ("arsm-l2r", "listnet") for seed in (0, 1)]
    found = row(compared([fold(1, runs)], tmp_path), "listnet")
    assert found.ahead.value == pytest.approx(0.1)
    assert not found.ahead.consistent


def test_what_the_paper_does_not_print_has_no_columns(tmp_path: Path) -> None:
    own = folds({"listnet": 0.5, "arsm-l2r": 0.4}, "synthetic")
    table = comparison_table(analysed(own, tmp_path, "synthetic", "Synthetic"))
    left = ["Measure", "Ours", "Seeds' s.d.", "95% interval", "Half of it"]
    assert table.columns == left
    assert len(table.alignment) == len(left)
    assert {len(row) for group in table.groups for row in group.rows} == {len(left)}
    assert (
        table.caption
        == "The figures and how sure they are on Synthetic dataset (LETOR's evaluation)."
    )
    assert not any("paper's figure" in note or "Difference" in note for note in table.notes)
    in_paper = comparison_table(analysed(folds({"listnet": 0.5}), tmp_path))
    assert {"Paper", "Difference", "Paper is"} < set(in_paper.columns)
