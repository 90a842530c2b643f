"""How the queries of a batch are shared out among workers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.training.batches import BatchPlan, BatchPlanner
from arsm_l2r.training.shares import Shares


def members(plan: BatchPlan) -> list[tuple[int, ...]]:
    """The rows of each query of a batch or share."""
    return [tuple(plan.documents[plan.query == number]) for number in range(plan.queries)]


@settings(deadline=None)
@given(
    group=st.lists(st.integers(1, 9), min_size=1, max_size=40),
    per_batch=st.integers(1, 12),
    workers=st.integers(1, 5),
)
def test_every_query_is_whole_and_in_exactly_one_share(group, per_batch, workers) -> None:
    planner = BatchPlanner(np.array(group), per_batch, seed=0)
    shares = Shares(workers, planner.queries_per_batch, 5.0)
    for plan in planner.epoch(1):
        found = shares(plan)
        assert len(found) == workers
        assert sorted(q for share in found for q in members(share)) == sorted(members(plan))
        assert max(share.queries for share in found) <= -(-plan.queries // workers)
        for share in found:
            real = sum(map(len, members(share)))
            assert (share.query[real:] == shares.queries).all()
            assert not share.documents[real:].any()


def test_a_single_worker_has_the_batch_itself() -> None:
    (plan,) = BatchPlanner(np.array([3, 1, 2]), 64, seed=0).epoch(1)
    (share,) = Shares(1, 3, 6.0)(plan)
    assert share is plan


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([10, 1, 1, 10], [11, 11]),
        # Queries come first: two for each, although one has more documents than all others.
        ([90, 5, 5, 5], [95, 10]),
        ([4, 3, 3, 2, 1], [7, 6]),
    ],
)
def test_documents_are_as_even_as_queries_allow(sizes: list[int], expected: list[int]) -> None:
    (plan,) = BatchPlanner(np.array(sizes), 64, seed=0).epoch(1)
    found = Shares(2, len(sizes), sum(sizes))(plan)
    documents = [sum(map(len, members(share))) for share in found]
    assert sorted(documents, reverse=True) == expected


def test_shares_have_few_sizes() -> None:
    draw = np.random.default_rng(0)
    group = np.clip(draw.gamma(4.0, 10.4, size=1017), 6, 147).astype(np.int64)
    planner = BatchPlanner(group, 16, seed=0)
    shares = Shares(2, planner.queries_per_batch, group.sum() / 64)
    sizes = {
        len(share.documents)
        for epoch in range(1, 4)
        for plan in planner.epoch(epoch)
        for share in shares(plan)
    }
    assert len(sizes) <= 4


def test_shares_of_long_trainings_are_filled_up_less() -> None:
    (plan,) = BatchPlanner(np.arange(30, 50), 64, seed=0).epoch(1)

    def rows(epochs: int) -> int:
        found = Shares(2, 20, 700.0, epochs)(plan)
        return sum(len(share.documents) for share in found)

    assert plan.queries == 20
    assert rows(60) > rows(2000) >= sum(range(30, 50))
