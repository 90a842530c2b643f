"""Every figure comes out of whatever there is."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from arsm_l2r.analysis.benchmarks import read_benchmarks
from arsm_l2r.analysis.claims.claim import Answer, Claim
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.layout import FIGURES, Layout
from arsm_l2r.experiments.methods import add_methods
from arsm_l2r.extensions import load_extensions
from arsm_l2r.files import read_json, write_json
from arsm_l2r.report.figure_files import draw_again, write_figures
from arsm_l2r.report.figures import cutoffs, differences, estimator_curves, intervals, jobs
from arsm_l2r.report.figures.style import method_style

from ..made_up import analysed, fold, folds, run, write_measures

METHODS = {"ranksvm": 0.4, "listnet": 0.42, "arsm-l2r": 0.5}


def drawn(results: Path, given: list[dict[str, Any]], title: str = "MQ2007") -> dict[str, Any]:
    """Draw everything; the words of each figure by its name."""
    analysis = analysed(given, results, title=title, rounds=10)
    jobs = read_benchmarks(results / "benchmarks", "mq2007", analysis.methods, seeds_of(analysis))
    write_figures(analysis, jobs, Layout(results))
    folder = Layout(results).captions("mq2007").parent
    for name in FIGURES:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        ElementTree.fromstring((folder / f"{name}.svg").read_text(encoding="utf-8"))
    figures = json.loads((folder / "captions.json").read_text(encoding="utf-8"))["figures"]
    assert [words["name"] for words in figures] == list(FIGURES)
    for words in figures:
        assert words["caption"].endswith(".")
        assert ". " not in words["caption"]
        assert words["title"]
        assert words["alternative"]
    return {words["name"]: words for words in figures}


def seeds_of(analysis: Analysis) -> set[int]:
    return {each.seed for each in analysis.runs}


def write_history(results: Path, number: int, epochs: int, seed: int = 0) -> None:
    path = Layout(results).run("mq2007", number, "arsm-l2r", seed).history
    path.parent.mkdir(parents=True, exist_ok=True)
    values = [epoch / epochs for epoch in range(epochs)]
    columns = {
        "objective": [-v for v in values],
        "ndcg@1": values,
        "ndcg@10": values,
        "map": values,
    }
    table = pl.DataFrame({"epoch": range(1, epochs + 1), **columns})
    table.write_parquet(path)


def test_one_fold_and_one_seed(tmp_path: Path) -> None:
    for method, value in METHODS.items():
        write_measures(tmp_path, 1, method, [value, 0.2])
    write_history(tmp_path, 1, 3)
    runs = [run(method, value, selected_epoch=2) for method, value in METHODS.items()]
    words = drawn(tmp_path, [fold(1, runs)])
    assert "fold 1: 2" in words["training"]["alternative"]
    assert "ListNet" in words["differences"]["title"]
    assert "better on 1" in words["differences"]["alternative"]
    assert "ARSM-L2R 0.3500" in words["cutoffs"]["alternative"]
    assert words["jobs"]["alternative"].startswith("Empty")


def test_nothing_at_all(tmp_path: Path) -> None:
    words = drawn(tmp_path, [])
    assert all(each["alternative"].startswith("Empty") for each in words.values())


def test_without_the_papers_method(tmp_path: Path) -> None:
    words = drawn(tmp_path, folds({"ranksvm": 0.4, "own <method> $x$": 0.3}))
    assert words["differences"]["alternative"].startswith("Empty")
    assert "own <method> $x$" in words["cutoffs"]["alternative"]


def test_a_method_without_the_deepest_cut_off(tmp_path: Path) -> None:
    lacking = run("listnet", 0.4)
    lacking["test"] = {"letor": {"ndcg@1": 0.4, "ndcg@10": None}}
    words = drawn(tmp_path, [fold(1, [run("ranksvm", 0.3), lacking])])
    assert words["cutoffs"]["alternative"].endswith("At cut-off 10: RankSVM 0.3000.")


def test_values_that_are_no_numbers(tmp_path: Path) -> None:
    drawn(tmp_path, [fold(1, [run("arsm-l2r", None), run("ranksvm", float("nan"))])])


def test_long_histories_are_thinned(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_history(tmp_path, 1, 2000, seed)
    runs = [run("arsm-l2r", 0.5, seed, selected_epoch=1999) for seed in (0, 1)]
    words = drawn(tmp_path, [fold(1, runs)])
    assert "mean of 25 epochs" in words["training"]["caption"]
    assert Layout(tmp_path).figure("mq2007", "training").stat().st_size < 100_000


@pytest.mark.slow
def test_the_same_data_make_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for attempt in ("one", "two"):
        results = tmp_path / attempt
        for method, value in METHODS.items():
            write_measures(results, 1, method, [value, 0.2])
        drawn(results, folds(METHODS))
        contents.append([path.read_bytes() for path in sorted((results / "figures").rglob("*.*"))])
    assert contents[0] == contents[1]


def test_a_title_is_text_and_no_formula(tmp_path: Path) -> None:
    drawn(tmp_path, folds(METHODS), title="<b>$x_1^$</b>")
    assert "&lt;b&gt;$x_1^$" in Layout(tmp_path).figure("mq2007", "spread").read_text(
        encoding="utf-8"
    )


def test_a_method_of_a_users_has_its_own_colour_and_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from arsm_l2r.rankers.baselines.ranksvm import RankSVM\n"
        "from arsm_l2r.rankers.method import Method\n\n"
        'MINE = Method("mine", "My method", "of mine", RankSVM, "#123456", "d", ":")\n'
    )
    monkeypatch.setattr("arsm_l2r.experiments.methods._ADDED", {})
    for module in load_extensions([path]):
        add_methods(module)
    expected = {"color": "#123456", "marker": "d", "linestyle": ":"}
    assert method_style("mine", ["mine", "other"]) == expected
    words = drawn(tmp_path, folds({"mine": 0.4, "arsm-l2r": 0.5}))
    assert "My method" in words["cutoffs"]["alternative"]
    assert "#123456" in Layout(tmp_path).figure("mq2007", "spread").read_text(encoding="utf-8")


def test_methods_without_a_record_can_be_told_apart() -> None:
    one, two = (method_style(name, ["one", "listnet", "two"]) for name in ("one", "two"))
    assert one["color"] != two["color"]
    assert one["marker"] != two["marker"]


@pytest.mark.parametrize("unknown", ["NA", "-", ""])
def test_benchmarks_may_not_know_the_memory(tmp_path: Path, unknown: str) -> None:
    folder = tmp_path / "benchmarks" / "train" / "mq2007" / "fold1" / "ranksvm"
    folder.mkdir(parents=True)
    (folder / "seed0.tsv").write_text(f"s\th:m:s\tmax_rss\n1.5\t0:00:01\t{unknown}\n")
    jobs = read_benchmarks(tmp_path / "benchmarks", "mq2007", ["ranksvm"], [0])
    assert jobs.rows() == [("train", "ranksvm", 0, 1.5, None, None)]
    words = drawn(tmp_path, folds(METHODS))
    assert "train RankSVM: 1.5 s, unknown MiB" in words["jobs"]["alternative"]


def rows_of_legend(figure: Any) -> list[int]:
    """How many entries the rows of a figure's one legend have; none lies on data."""
    assert not any(axes.get_legend() for axes in figure.axes)
    (legend,) = figure.legends
    entries, columns = len(legend.get_texts()), legend._ncols
    return [
        len(range(row, entries, -(-entries // columns))) for row in range(-(-entries // columns))
    ]


def test_legends_stand_below_the_data_in_rows_of_about_the_same_length(tmp_path: Path) -> None:
    points = [
        {"dataset": "mq2007", "measure": measure, "row": "A", "value": 0.1, "low": 0.0, "high": 0.2}
        for measure in ("ndcg@10", "map")
    ]
    claim = Claim("ties", "t", "s", Answer.HOLDS, [], drawn={"points": pl.DataFrame(points)})
    titles = {"mq2007": "MQ2007"}
    drawing = intervals.draw(claim, titles, heading="h", axis="difference", caption="c.")
    assert sum(rows_of_legend(drawing.figure)) == 2
    names = ["reinforce", "ar", "ars", "arsm"]
    variance = pl.DataFrame(
        [{"dataset": "mq2007", "estimator": n, "stage": "start", "variance": 1.0} for n in names]
    )
    curves = pl.DataFrame(
        [
            {"dataset": "mq2007", "estimator": n, "epoch": 1, "seconds": 1.0, "ndcg@10": 0.4}
            for n in names
        ]
    )
    claim = Claim("estimators", "t", "s", Answer.HOLDS, [], variance, {"curves": curves})
    assert sum(rows_of_legend(estimator_curves.draw(claim, titles).figure)) == 4
    seven = folds({f"method{n}": 0.1 * n for n in range(1, 7)} | {"arsm-l2r": 0.4})
    rows = rows_of_legend(cutoffs.draw(analysed(seven, rounds=10)).figure)
    assert sum(rows) == 7
    assert max(rows) - min(rows) <= 1


def test_trainings_that_were_not_measured_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "benchmarks" / "train" / "mq2007"
    for number in range(1, 5):
        path = folder / f"fold{number}" / "ranksvm" / "seed0.tsv"
        path.parent.mkdir(parents=True)
        path.write_text("s\th:m:s\tmax_rss\n1.5\t0:00:01\t10\n")
    analysis = analysed(folds(METHODS), rounds=10)
    measured = read_benchmarks(tmp_path / "benchmarks", "mq2007", METHODS, [0])
    drawing = jobs.draw(analysis, measured)
    assert "of trainings, 1 of RankSVM left no measurement" in drawing.caption
    labels = [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()]
    assert labels == ["train RankSVM (4 of 5)"]
    whole = jobs.draw(analysed(folds(METHODS)[:4], rounds=10), measured)
    assert "no measurement" not in whole.caption


def test_figures_of_the_analysis_alone_are_drawn_again_and_others_stay(tmp_path: Path) -> None:
    for method, value in METHODS.items():
        write_measures(tmp_path, 1, method, [value, 0.2])
    before = drawn(tmp_path, [fold(1, [run(method, value) for method, value in METHODS.items()])])
    layout = Layout(tmp_path)
    stored = layout.captions("mq2007")
    old = [{**words, "title": "old"} for words in read_json(stored)["figures"]]
    write_json(stored, {"dataset": "mq2007", "figures": old})
    layout.figure("mq2007", "jobs").write_text("kept")
    draw_again(analysed([fold(1, [run("listnet", 0.1)])], tmp_path, rounds=10), layout)
    titles = {each["name"]: each["title"] for each in read_json(stored)["figures"]}
    assert titles["spread"] == before["spread"]["title"]
    assert titles["differences"] != "old"
    assert titles["jobs"] == titles["cutoffs"] == "old"
    assert layout.figure("mq2007", "jobs").read_text() == "kept"


def test_queries_are_compared_with_the_strongest_baseline(tmp_path: Path) -> None:
    weak_on_test = run("lambdamart", 0.9)
    weak_on_test["test"] = {"letor": {"ndcg@10": 0.1}}
    runs = [weak_on_test, run("listnet", 0.4), run("arsm-l2r", 0.5)]
    for each in runs:
        write_measures(tmp_path, 1, each["method"], [each["test"]["letor"]["ndcg@10"]] * 2)
    drawing = differences.draw(analysed([fold(1, runs)], tmp_path, rounds=10))
    assert drawing.title == "MQ2007: ARSM-L2R against ListNet, query by query"
