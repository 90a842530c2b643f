"""Settings: defaults are filled in, and every mistake is told, all at once."""

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from arsm_l2r.errors import ConfigError
from arsm_l2r.settings import Settings, Unique, checked, load_yaml


class Method(Settings):
    trees: int = 100


class Network(Settings):
    units: int = 500


class OneRun(Settings):
    seed: int = 0


class Example(Settings):
    epochs: Annotated[int, Field(ge=1)] = Field(description="Passes over\nthe data.")
    rate: float = 1e-4
    metric: Literal["ndcg", "map"] = "ndcg"
    cut: int | None = None
    methods: dict[str, Method]
    network: Network = Network()
    runs: list[OneRun] = Field([])
    quick: bool = False
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1), Unique] = Field([0])


LEAST = {"epochs": 3, "methods": {}}


def problems_of(settings: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        checked(Example, settings, source="config.yaml")
    first, *problems = str(caught.value).split("\n  - ")
    assert first == "config.yaml: settings that cannot be used"
    return problems


def test_defaults_are_filled_in_at_every_depth() -> None:
    settings = {**LEAST, "methods": {"lambdamart": {}}, "runs": [{}, {"seed": 7}]}
    assert checked(Example, settings, source="config.yaml").model_dump(mode="json") == {
        "epochs": 3,
        "rate": 1e-4,
        "metric": "ndcg",
        "cut": None,
        "methods": {"lambdamart": {"trees": 100}},
        "network": {"units": 500},
        "runs": [{"seed": 0}, {"seed": 7}],
        "quick": False,
        "seeds": [0],
    }


def test_given_values_win_over_defaults() -> None:
    settings = {**LEAST, "rate": 0, "network": {"units": 7}, "cut": 10}
    filled = checked(Example, settings, source="config.yaml")
    assert (filled.rate, filled.network.units, filled.cut) == (0, 7, 10)


def test_what_was_given_is_not_changed() -> None:
    settings = {**LEAST, "methods": {"lambdamart": {}}, "seeds": ["1", "2"]}
    assert checked(Example, settings, source="").seeds == [1, 2]
    assert settings == {**LEAST, "methods": {"lambdamart": {}}, "seeds": ["1", "2"]}


def test_text_is_read_as_the_number_that_is_due() -> None:
    """Snakemake hands over what stands inside lists and mappings as text."""
    given = {"epochs": "3", "rate": "0.5", "cut": "null", "methods": {"a": {"trees": "7"}}}
    filled = checked(Example, {**given, "quick": "true"}, source="")
    assert filled.quick is True
    assert (filled.epochs, filled.rate, filled.cut, filled.methods["a"].trees) == (3, 0.5, None, 7)


def test_unknown_keys_are_named_with_those_allowed() -> None:
    allowed = "epochs, rate, metric, cut, methods, network, runs, quick, seeds"
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
        ({"rate": float("nan")}, "rate: must be a finite number, not nan"),
        ({"cut": "ten"}, "cut: must be integer or null, not 'ten'"),
        ({"metric": "mrr"}, "metric: must be one of ndcg, map, not 'mrr'"),
        ({"epochs": 0}, "epochs: 0 is less than the minimum of 1 (Passes over the data.)"),
        ({"runs": [{}, 3]}, "runs.1: must be object, not 3"),
        ({"methods": {"a": {"trees": "x"}}}, "methods.a.trees: must be integer, not 'x'"),
        ({"seeds": []}, "seeds: must have at least 1, not []"),
        ({"seeds": [0, 1, 1]}, "seeds: 1 is there twice"),
        ({"seeds": 0}, "seeds: must be a list, such as [0], not 0"),
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
        *["top level", "methods.2", "methods", "methods.b"],
        *["network", "runs.0", "runs.11", "top level"],
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
        (b"a: 1\nb: 2\na: 3\n", r"the key 'a' is there twice(.|\n)*line 3"),
        (b"a: \xff", r"config\.yaml: not valid YAML: .*utf-8"),
        (None, r"config\.yaml: cannot be read: No such file"),
    ],
    ids=["syntax", "key twice", "encoding", "missing"],
)
def test_unreadable_yaml_is_told_with_its_place(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "config.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=expected):
        load_yaml(path)
