"""Studies: one change at a time, under names that say which."""

from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.configuration import Search
from arsm_l2r.experiments.studies import Variant, trials, variants
from arsm_l2r.rankers.baselines.lambdamart import LambdaMART
from arsm_l2r.settings import checked

METHODS: dict[str, Any] = {
    "boost": {"trees": 10, "hidden": [5], "loss": "ndcg@10", "rate": 1e-4, "stop": None},
    "left-out": None,
}


def study(methods: dict[str, Any] = METHODS, **description: Any) -> list[Variant]:
    return variants("study", **{"method": "boost", "settings": {}, **description}, methods=methods)


def names(description: dict[str, Any]) -> list[str]:
    return [each.name for each in study(**description)]


def test_every_value_is_the_start_with_one_change() -> None:
    found = study(settings={"rate": 0.1}, vary={"trees": [5, 10], "stop": [3]})
    start = {**METHODS["boost"], "rate": 0.1}
    assert [(each.changes, each.settings) for each in found] == [
        ({}, start),
        ({"trees": 5}, {**start, "trees": 5}),
        ({"stop": 3}, {**start, "stop": 3}),
    ]
    assert {each.method for each in found} == {"boost"}


def test_a_grid_is_every_combination() -> None:
    found = study(grid={"trees": [5, 10], "rate": [1e-4, 0.1]})
    assert [each.changes for each in found] == [
        {"trees": 5},
        {"trees": 5, "rate": 0.1},
        {},
        {"rate": 0.1},
    ]


def test_names_say_what_differs_from_the_method_and_can_be_part_of_a_path() -> None:
    assert names({"settings": {"rate": 0.001}, "vary": {"hidden": [[], [7, 3]]}}) == [
        "boost+rate=0.001",
        "boost+hidden=none+rate=0.001",
        "boost+hidden=7x3+rate=0.001",
    ]
    (odd,) = names({"vary": {"loss": ["a b/c"]}})[1:]
    assert odd == "boost+loss=a-b-c"
    assert Path(odd).name == odd


def test_names_do_not_depend_on_the_order_of_keys() -> None:
    description: dict[str, Any] = {"settings": {"rate": 0.1, "trees": 5}, "vary": {"stop": [3]}}
    turned = {"boost": dict(reversed(METHODS["boost"].items()))}
    found = [each.name for each in study(turned, **description)]
    assert found == names(description)


def test_what_is_the_method_itself_has_its_name_and_is_not_trained_again() -> None:
    assert names({"vary": {"trees": [20]}})[0] == "boost"
    assert names({"settings": {"trees": 20}, "vary": {"trees": [10]}}) == [
        "boost+trees=20",
        "boost",
    ]


def test_two_studies_share_what_they_have_in_common() -> None:
    assert (
        names({"vary": {"trees": [20]}})[1]
        == names({"settings": {"trees": 20}, "vary": {"stop": [3]}})[0]
    )


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ({"method": "bost", "vary": {}}, r"study: the method 'bost' is not in"),
        ({"method": "left-out", "vary": {}}, "'left-out' is not in"),
        ({"method": "boost", "vary": {"tree": [1]}}, "boost has no setting 'tree'; it has trees,"),
        ({"method": "boost", "settings": {"x": 1}, "vary": {}}, "has no setting 'x'"),
    ],
)
def test_unknown_methods_and_settings_are_named(description: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        study(**description)


SPACE = {
    "leaves": {"low": 4, "high": 64, "log": True},
    "l2": {"low": 0.0, "high": 2.0},
    "select_on": {"one_of": ["mean", "map"]},
}


def searched(count: int, **changes: Any) -> list[Variant]:
    given = {"method": "lambdamart", "space": SPACE, "trials": count, **changes}
    return trials("mine", checked(Search, given, source="here"), LambdaMART)


def test_trials_are_points_of_their_space_and_have_nothing_else_of_the_method() -> None:
    found = searched(40, settings={"trees": 7})
    assert len({tuple(each.changes.values()) for each in found}) == 40
    for each in found:
        assert set(each.changes) == set(SPACE)
        assert isinstance(each.settings["leaves"], int)
        assert 4 <= each.settings["leaves"] <= 64
        assert 0 <= each.settings["l2"] <= 2
        assert each.settings["trees"] == 7
        assert each.settings["learning_rate"] == LambdaMART.learning_rate
    leaves = [each.settings["leaves"] for each in found]
    assert 15 <= sum(each < 16 for each in leaves) <= 25  # half of them, on a logarithmic scale
    assert {each.settings["select_on"] for each in found} == {"mean", "map"}
    assert [each.name for each in found[:2]] == ["lambdamart+mine-01", "lambdamart+mine-02"]


def test_more_trials_leave_those_that_there_are_as_they_are() -> None:
    assert searched(30)[:12] == searched(12)


def test_trials_are_the_same_for_a_seed_and_others_for_another() -> None:
    assert searched(5) == searched(5)
    assert searched(5, drawn_with=1) != searched(5)


def test_a_trial_of_an_unknown_setting_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"search\.mine: lambdamart has no setting 'leafs'; it has"
    ):
        searched(2, space={"leafs": {"one_of": [3]}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"space": {"l2": {"low": 2.0, "high": 1.0}}}, "low 2 must be less than high 1"),
        ({"space": {"l2": {"low": 0.0, "high": 1.0, "log": True}}}, "low 0 has no logarithm"),
        ({"space": {"l2": {"low": 0.0}}}, "needs either one_of, or both low and high"),
        ({"space": {"l2": {"one_of": [1.0], "log": True}}}, "has one_of, and so neither low"),
        ({"space": {"l2": {"one_of": []}}}, "space.l2.one_of: must have at least 1"),
        ({"space": {"l2": 3}}, "space.l2: must be object, not 3"),
        ({"space": {"l2": {"lo": 3}}}, "space.l2: unknown key 'lo'; allowed are one_of, low"),
        ({"space": {}}, "needs either vary, or both trials and space"),
        ({"trials": None}, "needs either vary, or both trials and space"),
        ({"vary": {"l2": [1.0]}}, "needs either vary, or both trials and space"),
        ({"trials": 0}, "trials: 0 is less than the minimum of 1"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        searched(3, **changes)


def test_a_space_can_be_read() -> None:
    given = {"method": "lambdamart", "space": SPACE, "trials": 3}
    space = checked(Search, given, source="here").space
    assert {setting: str(choices) for setting, choices in space.items()} == {
        "leaves": "4 to 64 (logarithmic)",
        "l2": "0 to 2",
        "select_on": "mean or map",
    }
