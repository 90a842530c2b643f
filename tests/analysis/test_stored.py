"""The analysis of a data set: what is written is what is read, and nothing else is."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.analysis.dataset import best_baseline
from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.stored import Analysis, read_analysis, write_analysis
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout

from ..made_up import analysed, fold, folds, run, write_measures

METHODS = {"ranksvm": 0.4, "listnet": 0.42, "arsm-l2r": 0.5}


@pytest.fixture
def analysis(tmp_path: Path) -> Analysis:
    """Of one fold with values per query, and four without."""
    for method, value in METHODS.items():
        write_measures(tmp_path, 1, method, [value, 0.2])
    return analysed(folds(METHODS), tmp_path, rounds=100)


def test_it_is_read_as_it_was_written(analysis: Analysis, tmp_path: Path) -> None:
    path = Layout(tmp_path).analysis("mq2007")
    write_analysis(path, analysis)
    assert read_analysis(path) == analysis
    text = path.read_bytes()
    write_analysis(path, read_analysis(path))
    assert path.read_bytes() == text


def test_values_that_are_no_numbers_are_written_as_nothing(tmp_path: Path) -> None:
    found = analysed([fold(1, [run("arsm-l2r", None), run("ranksvm", float("nan"))])], tmp_path)
    path = tmp_path / "analysis.json"
    write_analysis(path, found)
    assert "NaN" not in path.read_text()
    assert read_analysis(path) == found
    assert read_analysis(path).runs[1].test["map"] is None


def test_nothing_measured_can_be_written_too(tmp_path: Path) -> None:
    path = tmp_path / "analysis.json"
    write_analysis(path, analysed([]))
    assert read_analysis(path).missing == ["mq2007: no fold has been measured."]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: content.pop("measures"), r"measures: Field required"),
        (lambda content: content.update(runs="none"), r"runs: Input should be a valid array"),
        (
            lambda content: content["compared"]["letor"][0].update(ours="high"),
            r"compared\.letor\.0\.ours: Input should be a valid number",
        ),
    ],
)
def test_a_file_of_another_shape_is_named_with_what_is_wrong(
    analysis: Analysis, tmp_path: Path, damage: Any, message: str
) -> None:
    path = tmp_path / "mq2007.json"
    write_analysis(path, analysis)
    content = json.loads(path.read_text())
    damage(content)
    path.write_text(json.dumps(content))
    with pytest.raises(UserError, match=rf"mq2007\.json: not an analysis of results: {message}"):
        read_analysis(path)


@pytest.mark.parametrize("text", ["{", "[]", "", '"x"'])
def test_a_file_that_is_something_else_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mq2007.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"mq2007\.json: not"):
        read_analysis(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_analysis(tmp_path / "ohsumed.json")


def test_folds_of_another_data_set_are_refused() -> None:
    with pytest.raises(UserError, match="a fold of ohsumed among those of mq2007"):
        analysed(folds(METHODS, "ohsumed"))


def test_the_best_baseline_is_the_strongest_on_test_data_that_is_not_ours() -> None:
    good_on_test = run("ranksvm", 0.3)
    good_on_test["test"] = {"letor": {"ndcg@10": 0.45}}
    runs = [good_on_test, run("listnet", 0.4), run("arsm-l2r", 0.5), run("arsm-l2r-tuned", 0.6)]
    assert best_baseline(runs_table([fold(1, runs)])) == "ranksvm"
    assert best_baseline(runs_table([fold(1, [run("arsm-l2r", 0.5)])])) is None


def test_differences_of_queries_are_from_the_best_baseline_largest_first(
    analysis: Analysis,
) -> None:
    assert analysis.best_baseline == "listnet"
    assert analysis.query_differences == pytest.approx([0.5 - 0.42, 0.0])


def test_cut_offs_come_from_queries_and_else_from_summaries(
    analysis: Analysis, tmp_path: Path
) -> None:
    by_method = analysis.cutoffs["letor"]
    assert list(by_method) == list(METHODS)
    # One fold of queries, and four of which only the summaries are there.
    assert by_method["arsm-l2r"][10] == pytest.approx((0.35 + 4 * 0.5) / 5)
    path = Layout(tmp_path).run("mq2007", 1, "arsm-l2r", 0).measures
    pl.read_parquet(path).with_columns(pl.lit(0.7).alias("ndcg@2")).write_parquet(path)
    again = analysed(folds(METHODS), tmp_path, rounds=100)
    assert again.cutoffs["letor"]["arsm-l2r"][2] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("compared", "letor", 0, "ours"), 7.0),
        (("compared", "letor", 0, "low"), 0.9999),
        (("compared", "letor", 0, "ahead", "p"), 7.0),
        (("compared", "letor", 0, "ahead", "corrected"), -0.1),
        (("compared", "letor", 0, "ahead", "value"), 7.0),
        (("compared", "letor", 0, "folds"), 7.0),
        (("runs", 0, "test", "ndcg@10"), 7.0),
        (("fold_means", "listnet", "1", "map"), 7.0),
        (("cutoffs", "letor", "listnet", "10"), 7.0),
        (("relevant_from",), 77),
        (("relevant_from",), 1.0),
    ],
)
def test_what_no_analysis_can_hold_is_refused(
    analysis: Analysis, tmp_path: Path, place: tuple, value: float
) -> None:
    path = tmp_path / "analysis.json"
    write_analysis(path, analysis)
    content = json.loads(path.read_text())
    holder = content
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    path.write_text(json.dumps(content))
    with pytest.raises(UserError, match=r"analysis\.json: not an analysis of results: "):
        read_analysis(path)


def test_training_is_summed_up_by_method() -> None:
    runs = [run("listnet", 0.4, seed, seconds=s, selected_epoch=e) for seed, s, e in
            ((0, 1.0, 3), (1, 3.0, 5))]  # fmt: skip
    (found,) = analysed([fold(1, runs)]).training
    assert (found.total, found.median, found.selected) == (4.0, 2.0, 4.0)
    assert found.devices == ["cpu"]
