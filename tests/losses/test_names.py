"""Losses by name, and losses that give themselves one."""

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.losses import (
    CallableLoss,
    LevelCountLoss,
    Loss,
    NDCGLoss,
    OrderedNDCGLoss,
    PointwiseLoss,
    ShuffledNDCGLoss,
    ZeroOneLoss,
    check_loss_name,
    loss_by_name,
    loss_class,
    loss_descriptions,
    loss_names,
)
from arsm_l2r.losses.loss import LOSSES

from ..registries import forget_what_is_added
from .levelled import long_queries, losses

SOME = long_queries(3)


@pytest.fixture(autouse=True)
def _forget_losses_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_what_is_added(LOSSES, monkeypatch)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("ndcg", NDCGLoss(None)),
        ("ndcg@1", NDCGLoss(1)),
        ("ndcg@12", NDCGLoss(12)),
        ("ndcg-file-order", OrderedNDCGLoss(None)),
        ("ndcg-file-order@12", OrderedNDCGLoss(12)),
        ("ndcg-random-order@12", ShuffledNDCGLoss(12)),
        ("zero-one", ZeroOneLoss()),
    ],
)
def test_cutoff_is_part_of_the_name(name: str, loss: Loss) -> None:
    assert type(loss_by_name(name)) is loss_class(name) is type(loss)
    assert losses(loss_by_name(name), SOME).tolist() == losses(loss, SOME).tolist()


def test_every_name_gives_another_loss() -> None:
    names = [name.replace("@K", "@2") for name in loss_names()]
    assert len({tuple(losses(loss_by_name(name), SOME)) for name in names}) == len(names)


@pytest.mark.parametrize(
    "name",
    ["", "NDCG", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "ndcg@K", "map", " ndcg", "zero-one@3"],
)
@pytest.mark.parametrize("ask", [loss_by_name, check_loss_name, loss_class])
def test_unknown_name_is_refused_with_the_names_there_are(ask, name: str) -> None:
    with pytest.raises(ConfigError, match="no loss") as refusal:
        ask(name)
    assert repr(name) in str(refusal.value)
    assert all(known in str(refusal.value) for known in loss_names())


def test_class_with_a_name_is_found_by_it_and_described_by_its_docstring() -> None:
    class Mine(ZeroOneLoss):
        """What I mind.

        And more about it.
        """

        name = "mine"

    assert type(loss_by_name("mine")) is Mine
    assert loss_names()[-1] == "mine"
    assert loss_descriptions()["mine"] == "What I mind."


def test_class_that_truncates_is_made_with_and_without_a_cutoff() -> None:
    class Mine(ZeroOneLoss):
        name = "mine"
        truncates = True

        def __init__(self, cutoff: int | None) -> None:
            self.cutoff = cutoff

    assert loss_names()[-2:] == ["mine", "mine@K"]
    assert [loss_by_name(name).cutoff for name in ("mine", "mine@7")] == [None, 7]


def test_class_that_always_truncates_has_no_name_without_a_cutoff() -> None:
    class Mine(ZeroOneLoss):
        name = "mine@K"

        def __init__(self, cutoff: int) -> None:
            self.cutoff = cutoff

    assert loss_by_name("mine@7").cutoff == 7
    with pytest.raises(ConfigError, match="no loss 'mine'"):
        check_loss_name("mine")


def test_class_without_a_name_of_its_own_is_not_found() -> None:
    before = loss_names()

    class Other(NDCGLoss):
        pass

    assert loss_names() == before
    assert type(loss_by_name("ndcg")) is NDCGLoss
    assert Other.name == ""


def test_two_classes_of_one_name_are_refused_and_both_are_named() -> None:
    with pytest.raises(
        ConfigError,
        match=r"two definitions of the loss 'ndcg': NDCGLoss in .*ndcg.py and .*\.Mine in",
    ):

        class Mine(ZeroOneLoss):
            name = "ndcg"


def test_class_that_is_defined_again_takes_the_place_of_the_old_one() -> None:
    def define() -> type[Loss]:
        class Mine(ZeroOneLoss):
            name = "mine"

        return Mine

    first, second = define(), define()
    assert loss_class("mine") is second is not first


def test_losses_say_whether_they_can_move_single_documents() -> None:
    assert LevelCountLoss.moves_documents
    assert PointwiseLoss.moves_documents
    assert NDCGLoss.moves_documents
    for kind in (CallableLoss, OrderedNDCGLoss, ShuffledNDCGLoss):
        assert not kind.moves_documents
