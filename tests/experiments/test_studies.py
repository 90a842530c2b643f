"""Studies: one change at a time, under names that say which."""

from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.studies import Variant, variants

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
