"""What was measured, what is missing, what does not belong together."""

import json
from math import isnan
from pathlib import Path

import pytest

from arsm_l2r.analysis.completeness import (
    missing,
    mixed_provenance,
    mixed_relevance,
    relevant_from,
)
from arsm_l2r.analysis.measured import figures, load_folds, measures_of, per_query_table, runs_table
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import in_order

from ..made_up import MEASURES, fold, folds, run, write_measures


def only(table, **keys):
    return figures(table).filter(measure="map", convention="letor", **keys).row(0, named=True)


def test_figure_is_the_unweighted_mean_over_folds_of_the_mean_over_seeds() -> None:
    table = runs_table(
        [
            fold(1, [run("listnet", 0.1, seed=0), run("listnet", 0.3, seed=1)]),
            fold(2, [run("listnet", 0.8, seed=0)]),
        ]
    )
    figure = only(table, method="listnet")
    assert figure["value"] == pytest.approx(((0.1 + 0.3) / 2 + 0.8) / 2)
    assert (figure["folds"], figure["seeds"]) == (2, 2)


def test_spread_is_over_seeds_that_have_every_fold() -> None:
    runs = [run("listnet", 0.1, seed=0), run("listnet", 0.3, seed=1)]
    table = runs_table([fold(1, [*runs, run("listnet", 0.9, seed=2)]), fold(2, runs)])
    assert only(table)["spread"] == pytest.approx(((0.1 - 0.2) ** 2 + (0.3 - 0.2) ** 2) ** 0.5)


def test_one_seed_has_no_spread() -> None:
    assert only(runs_table(folds({"listnet": 0.4})))["spread"] is None


@pytest.mark.parametrize("bad", [None, float("nan")])
def test_a_value_that_is_no_number_makes_no_figure(bad: float | None) -> None:
    table = runs_table([fold(1, [run("listnet", bad)]), fold(2, [run("listnet", 0.4)])])
    assert isnan(only(table)["value"])


def test_no_folds_make_an_empty_table() -> None:
    assert figures(runs_table([])).height == 0
    assert per_query_table([], Layout(Path("nowhere"))).height == 0


def test_measures_are_the_papers_and_then_others() -> None:
    own = run("listnet", 0.4)
    own["test"]["letor"] = {"rr": 0.5, **own["test"]["letor"], "p@5": 0.2}
    assert measures_of(runs_table([fold(1, [own])])) == [*MEASURES, "rr", "p@5"]
    assert measures_of(runs_table([])) == MEASURES


def test_query_values_are_read_where_they_are(tmp_path: Path) -> None:
    write_measures(tmp_path, 1, "listnet", [0.1, 0.2])
    table = per_query_table(folds({"listnet": 0.4, "ranksvm": 0.3}), Layout(tmp_path))
    assert table.filter(convention="letor").select("fold", "method", "qid", "map").rows() == [
        (1, "listnet", 0, 0.1),
        (1, "listnet", 1, 0.2),
    ]


def test_methods_come_in_the_papers_order_and_others_with_the_baselines() -> None:
    assert in_order(["arsm-l2r", "own", "listnet", "ranksvm"]) == [
        "ranksvm",
        "listnet",
        "own",
        "arsm-l2r",
    ]


@pytest.mark.parametrize("text", ["{", "[]", '{"dataset": "mq2007"}'])
def test_a_file_that_is_no_fold_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fold1.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"fold1\.json"):
        load_folds([path])
    with pytest.raises(UserError, match="cannot be read"):
        load_folds([tmp_path / "fold2.json"])


def test_folds_are_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "fold1.json"
    path.write_text(json.dumps(folds({"listnet": 0.4})[0]))
    assert load_folds([path]) == folds({"listnet": 0.4})[:1]


def told(results, methods=("listnet",), seeds=(0,), dataset="mq2007") -> list[str]:
    return missing(dataset, results, 5, methods, seeds)


def test_nothing_missing_is_nothing_said() -> None:
    assert told(folds({"listnet": 0.4})) == []


def test_missing_folds_are_listed() -> None:
    results = folds({"listnet": 0.4})
    assert told(results[1:]) == [
        "mq2007: fold 1 of 5 is missing; figures are means over the others."
    ]
    assert "folds 1, 2 and 3 of 5 are missing" in told(results[3:])[0]
    assert told([], dataset="ohsumed") == ["ohsumed: no fold has been measured."]


def test_missing_methods_and_seeds_are_listed() -> None:
    results = folds({"listnet": 0.4})
    assert told(results, methods=("listnet", "own")) == ["mq2007: own is missing."]
    assert told(results, seeds=(0, 1)) == [
        "mq2007: seed 1 is missing for ListNet in folds 1, 2, 3, 4 and 5."
    ]


def test_runs_of_one_origin_are_not_mixed() -> None:
    assert mixed_provenance("mq2007", folds({"listnet": 0.4})) == []


def test_different_code_between_folds_is_said() -> None:
    results = [fold(1, [run("listnet", 0.4)]), fold(2, [run("listnet", 0.4)], code="other")]
    assert mixed_provenance("mq2007", results) == [
        "mq2007: its runs come from different versions of the code: c, other."
    ]


def test_different_code_inside_a_fold_is_said() -> None:
    runs = [run("listnet", 0.4, provenance={"code": code}) for code in ("a", "b")]
    assert "a, b" in mixed_provenance("mq2007", [fold(1, runs, code="mixed")])[0]


def test_each_method_is_trained_by_code_of_its_own() -> None:
    runs = [run(name, 0.4, provenance={"code": name}) for name in ("listnet", "ranksvm")]
    assert mixed_provenance("mq2007", [fold(1, runs, code="mixed"), fold(2, runs)]) == []


def test_different_settings_are_said_of_folds_with_the_same_runs_only() -> None:
    one, other = fold(1, [run("listnet", 0.4)]), fold(2, [run("listnet", 0.4)], config="t")
    assert mixed_provenance("mq2007", [one, other]) == [
        "mq2007: its folds were run with different settings."
    ]
    assert mixed_provenance("mq2007", [one, fold(2, [run("ranksvm", 0.4)], config="t")]) == []


def test_what_map_counts_as_relevant_comes_from_what_was_measured() -> None:
    usual, other = run("listnet", 0.4), run("ranksvm", 0.4, relevant_from=2)
    assert relevant_from([fold(1, [usual]), fold(2, [usual])]) == {1}
    assert mixed_relevance("mq2007", [fold(1, [usual])]) == []
    assert relevant_from([fold(1, [other])]) == {2}
    assert mixed_relevance("mq2007", [fold(1, [usual, other])]) == [
        "mq2007: MAP counts labels from 1 and 2 as relevant, by run."
    ]
