"""Estimators by name, what they need, and which losses they can do with."""

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.estimators import (
    arsm,
    check_combination,
    estimator,
    estimator_by_name,
    estimator_descriptions,
    estimator_names,
    estimator_record,
    local_expectation,
    reinforce_leave_one_out,
)
from arsm_l2r.estimators.registry import ESTIMATORS
from arsm_l2r.losses import NDCGLoss, OrderedNDCGLoss, loss_class, loss_names

from ..registries import forget_what_is_added


@pytest.fixture(autouse=True)
def _forget_estimators_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_what_is_added(ESTIMATORS, monkeypatch)


def test_names_lead_to_the_estimators() -> None:
    assert estimator_by_name("arsm") is arsm
    assert estimator_by_name("reinforce-loo") is reinforce_leave_one_out
    assert estimator_by_name("local-expectation") is local_expectation


def test_names_stand_in_the_order_of_the_derivation() -> None:
    # Draws of a study over all of them depend on it.
    paper = ["reinforce", "reinforce-loo", "ar", "ars", "arsm", "local-expectation"]
    assert estimator_names()[: len(paper)] == paper


def test_unknown_estimator_is_refused_with_the_names_there_are() -> None:
    known = ", ".join(estimator_names())
    with pytest.raises(ConfigError, match=f"no estimator 'armst'; there are {known}"):
        estimator_by_name("armst")


def test_function_is_found_by_the_name_it_is_given_with_what_it_needs() -> None:
    @estimator("mine", needs_moves=True, least_samples=3)
    def mine(logits, loss, batch, seed, *, samples=3):
        """As I would do it."""

    assert estimator_by_name("mine") is mine
    assert estimator_names()[-1] == "mine"
    assert estimator_descriptions()["mine"] == "As I would do it."
    record = estimator_record("mine")
    assert (record.needs_moves, record.least_samples) == (True, 3)


def test_two_estimators_of_one_name_are_refused_and_both_are_named() -> None:
    with pytest.raises(ConfigError, match=r"the estimator 'arsm': arsm in .*arsm.py and .*mine in"):

        @estimator("arsm")
        def mine(logits, loss, batch, seed, *, samples=1):
            pass


@pytest.mark.parametrize("name", estimator_names())
@pytest.mark.parametrize("form", loss_names())
def test_only_losses_that_move_documents_go_with_estimators_that_need_it(name, form) -> None:
    loss, record = form.replace("@K", "@10"), estimator_record(name)
    if record.needs_moves and not loss_class(loss).moves_documents:
        with pytest.raises(
            ValueError, match=f"the estimator {name} cannot be used with the loss {loss}; use arsm"
        ):
            check_combination(name, loss, samples=record.least_samples)
    else:
        check_combination(name, loss, samples=record.least_samples)


def test_losses_and_functions_are_checked_like_names() -> None:
    def own(levels, batch):
        pass

    check_combination("local-expectation", NDCGLoss(), samples=1)
    check_combination("arsm", own, samples=1)
    for loss, title in ((OrderedNDCGLoss(), "OrderedNDCGLoss"), (own, r".*\.own")):
        with pytest.raises(ValueError, match=f"cannot be used with the loss {title};"):
            check_combination("local-expectation", loss, samples=1)


def test_too_few_samples_are_refused_before_training() -> None:
    with pytest.raises(ValueError, match="the estimator reinforce-loo needs at least 2 samples"):
        check_combination("reinforce-loo", "ndcg", samples=1)


@pytest.mark.parametrize(
    ("name", "loss", "message"), [("none", "ndcg", "no estimator"), ("arsm", "none", "no loss")]
)
def test_unknown_names_are_refused(name: str, loss: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_combination(name, loss, samples=1)
