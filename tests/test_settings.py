"""Settings: defaults are filled in, and every mistake is told, all at once."""

from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.settings import check_settings, load_yaml

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["epochs", "methods"],
    "properties": {
        "epochs": {"type": "integer", "minimum": 1, "description": "Passes over\nthe data."},
        "rate": {"type": "number", "default": 1e-4},
        "metric": {"enum": ["ndcg", "map"], "default": "ndcg"},
        "cut": {"type": ["integer", "null"], "default": None},
        "methods": {
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/method"},
        },
        "network": {
            "type": "object",
            "default": {},
            "additionalProperties": False,
            "properties": {"units": {"type": "integer", "default": 500}},
        },
        "runs": {
            "type": "array",
            "default": [],
            "items": {"type": "object", "properties": {"seed": {"default": 0}}},
        },
    },
    "$defs": {
        "method": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"trees": {"type": "integer", "default": 100}},
        }
    },
}
LEAST = {"epochs": 3, "methods": {}}


def problems_of(settings: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        check_settings(settings, SCHEMA, source="config.yaml")
    first, *problems = str(caught.value).split("\n  - ")
    assert first == "config.yaml: settings that cannot be used"
    return problems


def test_defaults_are_filled_in_at_every_depth() -> None:
    settings = {**LEAST, "methods": {"lambdamart": {}}, "runs": [{}, {"seed": 7}]}
    assert check_settings(settings, SCHEMA, source="config.yaml") == {
        "epochs": 3,
        "rate": 1e-4,
        "metric": "ndcg",
        "cut": None,
        "methods": {"lambdamart": {"trees": 100}},
        "network": {"units": 500},
        "runs": [{"seed": 0}, {"seed": 7}],
    }


def test_given_values_win_over_defaults() -> None:
    settings = {**LEAST, "rate": 0, "network": {"units": 7}, "cut": 10}
    filled = check_settings(settings, SCHEMA, source="config.yaml")
    assert (filled["rate"], filled["network"], filled["cut"]) == (0, {"units": 7}, 10)


def test_neither_settings_nor_schema_are_changed() -> None:
    settings = {**LEAST, "methods": {"lambdamart": {}}}
    check_settings(settings, SCHEMA, source="")["network"]["units"] = 1
    assert settings == {**LEAST, "methods": {"lambdamart": {}}}
    assert check_settings(LEAST, SCHEMA, source="")["network"] == {"units": 500}


def test_unknown_keys_are_named_with_those_allowed() -> None:
    allowed = "epochs, rate, metric, cut, methods, network, runs"
    assert problems_of({**LEAST, "epoch": 3, "seed": 1}) == [
        f"top level: unknown key 'epoch'; allowed are {allowed}",
        f"top level: unknown key 'seed'; allowed are {allowed}",
    ]
    assert problems_of({**LEAST, "network": {"layers": 2}}) == [
        "network: unknown key 'layers'; allowed are units"
    ]


def test_missing_keys_are_told_once() -> None:
    assert problems_of({}) == ["top level: missing epochs, methods"]
    assert problems_of({"epochs": 3}) == ["top level: missing methods"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"epochs": "many"}, "epochs: must be integer, not 'many' (Passes over the data.)"),
        ({"epochs": 3.0}, "epochs: must be integer, not 3.0 (Passes over the data.)"),
        ({"epochs": True}, "epochs: must be integer, not True (Passes over the data.)"),
        ({"rate": "1e-4"}, "rate: must be number, not '1e-4'"),
        ({"cut": "ten"}, "cut: must be integer or null, not 'ten'"),
        ({"metric": "mrr"}, "metric: must be one of ndcg, map, not 'mrr'"),
        ({"epochs": 0}, "epochs: 0 is less than the minimum of 1 (Passes over the data.)"),
        ({"runs": [{}, 3]}, "runs.1: must be object, not 3"),
        ({"methods": {"a": {"trees": "x"}}}, "methods.a.trees: must be integer, not 'x'"),
    ],
)
def test_wrong_value_names_key_value_and_what_it_must_be(
    changes: dict[str, Any], expected: str
) -> None:
    assert problems_of({**LEAST, **changes}) == [expected]


def test_all_problems_are_told_in_the_order_of_their_keys() -> None:
    runs = [0, *[{}] * 10, 11]
    settings = {"methods": {"b": 1, 2: 1}, "network": 3, "runs": runs, "wrong": 1}
    told = [problem.partition(":")[0] for problem in problems_of(settings)]
    assert told == [
        *["top level", "top level"],
        *["methods.2", "methods.b"],
        *["network", "runs.0", "runs.11"],
    ]


@pytest.mark.parametrize("settings", [None, 3, []])
def test_settings_of_another_kind_are_refused(settings: Any) -> None:
    assert problems_of(settings) == [f"top level: must be object, not {settings!r}"]


def test_yaml_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: [1, é]\n", encoding="utf-8")
    assert load_yaml(path) == {"a": [1, "é"]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a: 1\nb: [", r"config\.yaml: not valid YAML: (.|\n)*line 2"),
        (b"a: \xff", r"config\.yaml: not valid YAML: .*utf-8"),
        (None, r"config\.yaml: cannot be read: No such file"),
    ],
    ids=["syntax", "encoding", "missing"],
)
def test_unreadable_yaml_is_told_with_its_place(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "config.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=expected):
        load_yaml(path)
