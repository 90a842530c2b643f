"""What is known of methods: who trains a network, in which order they stand, users' own."""

from pathlib import Path

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments import methods
from arsm_l2r.experiments.methods import add_methods, in_order, known_methods, method_title
from arsm_l2r.extensions import load_extensions
from arsm_l2r.rankers.network_ranker import NetworkRanker

PAPERS = ["ranksvm", "listnet", "adarank-map", "adarank-ndcg", "arsm-l2r"]


def test_methods_with_a_network_are_known() -> None:
    for method in known_methods().values():
        assert method.trains_network == issubclass(method.ranker, NetworkRanker), method.name


def test_the_papers_methods_are_marked_and_stand_in_its_order() -> None:
    assert [name for name, each in known_methods().items() if each.in_paper] == PAPERS
    assert [name for name, each in known_methods().items() if each.ours] == [
        "arsm-l2r",
        "arsm-l2r-tuned",
    ]


def test_no_two_methods_look_alike() -> None:
    looks = [(each.colour, each.marker) for each in known_methods().values()]
    assert len(set(looks)) == len(looks)
    assert len({each.title for each in known_methods().values()}) == len(looks)


def test_others_stand_by_name_between_the_baselines_and_ours() -> None:
    mixed = ["zeta", "arsm-l2r", "lambdamart", "alpha", "ranksvm"]
    assert in_order(mixed) == ["ranksvm", "lambdamart", "alpha", "zeta", "arsm-l2r"]
    assert method_title("alpha") == "alpha"


OWN = """
from arsm_l2r.rankers.baselines.ranksvm import RankSVM
from arsm_l2r.rankers.method import Method

class Mine(RankSVM):
    pass

MINE = Method(name="{name}", title="Mine", description="my own", ranker=Mine, colour="#123456")
"""


def test_a_users_file_adds_a_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "_ADDED", {})
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(name="mine"))
    (module,) = load_extensions([path])
    add_methods(module)
    assert method_title("mine") == "Mine"
    assert in_order(["mine", "arsm-l2r", "ranksvm"]) == ["ranksvm", "mine", "arsm-l2r"]


def test_a_users_method_cannot_take_the_name_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "_ADDED", {})
    path = tmp_path / "taken.py"
    path.write_text(OWN.format(name="ranksvm"))
    (module,) = load_extensions([path])
    with pytest.raises(ConfigError, match=r"taken.py: there is a method 'ranksvm' already"):
        add_methods(module)
