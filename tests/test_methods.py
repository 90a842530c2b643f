"""The registry of methods knows which of them train networks, and so can use a GPU."""

from pathlib import Path

import pytest

from arsm_l2r.methods import METHODS, make_ranker, trains_network
from arsm_l2r.network_ranker import NetworkRanker


@pytest.mark.parametrize("method", METHODS)
def test_methods_with_a_network_are_known(method: str) -> None:
    settings = {"measure": method.removeprefix("adarank-")} if "adarank" in method else {}
    ranker = make_ranker(method, settings, seed=0, threads=1, checkpoint=Path("none"))
    assert trains_network(method) == isinstance(ranker, NetworkRanker)
