import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.training.batches import BatchPlan, BatchPlanner

groups = st.lists(st.integers(1, 9), min_size=1, max_size=40)
per_batch = st.integers(1, 12)


def mq2007_like() -> np.ndarray:
    """Documents per query as in a training set of MQ2007: 1,017 queries of 6 to 147."""
    draw = np.random.default_rng(0)
    return np.clip(draw.gamma(4.0, 10.4, size=1017), 6, 147).astype(np.int64)


def members(plan: BatchPlan) -> list[tuple[int, ...]]:
    """The rows of each query of a batch."""
    return [tuple(plan.documents[plan.query == number]) for number in range(plan.queries)]


@settings(deadline=None)
@given(group=groups, queries_per_batch=per_batch, epoch=st.integers(1, 5))
def test_every_query_is_whole_and_in_exactly_one_batch(group, queries_per_batch, epoch) -> None:
    plans = list(BatchPlanner(np.array(group), queries_per_batch, seed=0).epoch(epoch))
    ends = np.cumsum(group)
    expected = [tuple(range(end - size, end)) for size, end in zip(group, ends, strict=True)]
    assert sorted(query for plan in plans for query in members(plan)) == sorted(expected)


@settings(deadline=None)
@given(group=groups, queries_per_batch=per_batch)
def test_filling_rows_belong_to_no_query_and_stand_at_the_end(group, queries_per_batch) -> None:
    planner = BatchPlanner(np.array(group), queries_per_batch, seed=0)
    for plan in planner.epoch(1):
        real = sum(map(len, members(plan)))
        assert (plan.query[real:] == planner.queries_per_batch).all()
        assert (np.diff(plan.query) >= 0).all()
        assert not plan.documents[real:].any()
        assert plan.documents.shape == plan.query.shape


@pytest.mark.parametrize(
    ("queries", "at_most", "sizes"),
    [(108, 64, [54, 54]), (10, 4, [4, 3, 3]), (5, 64, [5]), (64, 64, [64]), (3, 1, [1, 1, 1])],
)
def test_batches_are_as_even_as_can_be(queries: int, at_most: int, sizes: list[int]) -> None:
    planner = BatchPlanner(np.full(queries, 2), at_most, seed=0)
    assert [plan.queries for plan in planner.epoch(1)] == sizes
    assert planner.queries_per_batch == max(sizes)


def test_single_batch_is_filled_up_to_a_multiple_of_16_and_no_further() -> None:
    (plan,) = BatchPlanner(np.array([3, 1, 2]), 64, seed=0).epoch(1)
    assert len(plan.documents) == 16
    (plan,) = BatchPlanner(np.array([30, 2]), 64, seed=0).epoch(1)
    assert len(plan.documents) == 32


@pytest.mark.parametrize(("epochs", "most_sizes", "most_filling"), [(60, 3, 0.09), (2000, 5, 0.05)])
def test_long_trainings_take_more_sizes_and_less_filling(epochs, most_sizes, most_filling) -> None:
    group = mq2007_like()
    planner = BatchPlanner(group, 64, seed=0, epochs=epochs)
    sizes = [len(plan.documents) for epoch in range(200) for plan in planner.epoch(epoch)]
    assert len(set(sizes)) <= most_sizes
    filling = sum(sizes) / (200 * group.sum()) - 1
    assert filling < most_filling


def test_batches_of_other_folds_have_the_same_sizes() -> None:
    group = mq2007_like()

    def sizes(part: slice) -> set[int]:
        planner = BatchPlanner(group[part], 16, seed=0)
        return {len(plan.documents) for epoch in range(50) for plan in planner.epoch(epoch)}

    assert sizes(slice(0, 800)) == sizes(slice(217, 1017))


def test_order_depends_on_seed_and_epoch_and_nothing_else() -> None:
    group = np.array([1, 2, 3, 4, 5, 6])

    def rows(seed: int, epoch: int) -> list[int]:
        plans = BatchPlanner(group, 2, seed=seed).epoch(epoch)
        return [row for plan in plans for query in members(plan) for row in query]

    assert rows(seed=0, epoch=3) == rows(seed=0, epoch=3)
    assert len({tuple(rows(0, 3)), tuple(rows(0, 4)), tuple(rows(1, 3)), tuple(rows(1, 4))}) == 4
