"""What the registry of methods knows of them: who trains a network, what cannot go together."""

from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.methods import METHODS, check_combination, make_ranker, trains_network
from arsm_l2r.rankers.network_ranker import NetworkRanker


@pytest.mark.parametrize("method", METHODS)
def test_methods_with_a_network_are_known(method: str) -> None:
    settings = {"measure": method.removeprefix("adarank-")} if "adarank" in method else {}
    ranker = make_ranker(method, settings, seed=0, threads=1, checkpoint=Path("none"))
    assert trains_network(method) == isinstance(ranker, NetworkRanker)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"estimator": "local-expectation", "loss": "ndcg-file-order@10"},
            "x: the estimator local-expectation cannot be used with the loss ndcg-file-order@10",
        ),
        ({"estimator": "reinforce-loo", "samples": 1}, "needs at least 2 samples"),
    ],
)
def test_settings_that_cannot_be_trained_together_are_refused(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        check_combination(settings, "x")


def test_other_settings_are_not_refused() -> None:
    check_combination({"trees": 3}, "x")
    check_combination({"estimator": "arsm", "loss": "ndcg-file-order@10"}, "x")
    check_combination({"estimator": "reinforce-loo", "samples": 2}, "x")
