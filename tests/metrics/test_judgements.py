import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arsm_l2r.metrics import Judgements


@given(group=st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_group_and_offsets_say_the_same(group: list[int]) -> None:
    labels = np.arange(sum(group)) % 3
    offsets = [sum(group[:query]) for query in range(len(group) + 1)]
    by_group, by_offsets = Judgements(labels, group), Judgements(labels, offsets=offsets)
    assert by_group.queries == by_offsets.queries == len(group)
    assert by_group.group.tolist() == by_offsets.group.tolist() == group
    assert by_group.offsets.tolist() == by_offsets.offsets.tolist() == offsets
    assert by_group.query.tolist() == by_offsets.query.tolist()


def test_each_document_knows_its_query() -> None:
    assert Judgements([0] * 4, [1, 2, 1]).query.tolist() == [0, 1, 1, 2]


def test_labels_are_relevant_from_1_unless_it_is_said() -> None:
    assert Judgements([0, 1, 2], [3]).relevant.tolist() == [False, True, True]
    assert Judgements([0, 1, 2], [3], relevant_from=2).relevant.tolist() == [False, False, True]


@pytest.mark.parametrize("relevant_from", [0, -1, 53])
def test_what_cannot_be_relevant_is_refused(relevant_from: int) -> None:
    with pytest.raises(
        ValueError, match=f"relevant_from must be from 1 to 52, not {relevant_from}"
    ):
        Judgements([0, 1, 2], [3], relevant_from=relevant_from)


def test_gains_double_with_each_label() -> None:
    gains = Judgements([0, 1, 2, 3, 52], [5]).gains
    assert gains.tolist() == [0, 1, 3, 7, 2**52 - 1]


def test_ideal_gains_are_sorted_inside_each_query() -> None:
    judgements = Judgements([0, 2, 1, 1, 3], [3, 2])
    assert judgements.ideal_gains.tolist() == [3, 1, 0, 7, 1]


def test_table_by_rank_is_0_past_the_end_of_a_query() -> None:
    judgements = Judgements([0] * 4, [1, 3])
    table = judgements.by_rank(np.array([9.0, 1.0, 2.0, 3.0]), 2)
    assert table.tolist() == [[9, 0], [1, 2]]
    assert judgements.by_rank(np.ones(4), 4).sum(axis=1).tolist() == [1, 3]


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64])
def test_whole_labels_are_taken_in_any_type_of_number(dtype) -> None:
    assert Judgements(np.array([2, 0, 1], dtype), [3]).labels.tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 1, -1], r"label -1 of document 2 is below 0"),
        ([53, 0, 0], r"label 53 of document 0 is above 52"),
        ([0, 0.5, 1], r"labels must be whole numbers, but labels\[1\] is 0.5"),
        ([0, 1, float("nan")], r"labels must be whole numbers, but labels\[2\] is nan"),
        ([float("inf"), 1, 1], r"labels must be whole numbers, but labels\[0\] is inf"),
        (["0", "1", "2"], r"labels must be whole numbers, not <U1"),
        ([[0, 1, 2]], r"labels must be one-dimensional, not of shape \(1, 3\)"),
    ],
)
def test_labels_that_are_none_are_refused(labels: list, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Judgements(labels, [3])


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        ([1, 0, 2], r"query 1 \(from 0\) has 0 documents"),
        ([4, -1], r"query 1 \(from 0\) has -1 documents"),
        ([1, 1], "the queries have 2 documents, but there are 3 labels"),
        ([2, 2], "the queries have 4 documents, but there are 3 labels"),
        ([1.5, 1.5], r"group must be whole numbers, but group\[0\] is 1.5"),
        ([], "at least one query"),
    ],
)
def test_group_that_does_not_fit_is_refused(group: list, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Judgements([0, 1, 2], group)


@pytest.mark.parametrize(
    ("offsets", "reason"),
    [
        ([1, 3], "offsets must begin with 0"),
        ([], "offsets must begin with 0"),
        ([0], "at least one query"),
        ([0, 2, 2, 3], r"query 1 \(from 0\) has 0 documents"),
        ([0, 2, 1, 3], r"query 1 \(from 0\) has -1 documents"),
        ([0, 2], "the queries have 2 documents, but there are 3 labels"),
        ([0, 4], "the queries have 4 documents, but there are 3 labels"),
        ([0, 1.5, 3], r"offsets must be whole numbers, but offsets\[1\] is 1.5"),
    ],
)
def test_offsets_that_do_not_fit_are_refused(offsets: list, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Judgements([0, 1, 2], offsets=offsets)


def test_no_documents_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one query"):
        Judgements([], [])


def test_both_group_and_offsets_are_refused() -> None:
    with pytest.raises(ValueError, match="either group or offsets"):
        Judgements([0, 1], [2], offsets=[0, 2])


def test_neither_group_nor_offsets_is_refused() -> None:
    with pytest.raises(ValueError, match="either group or offsets"):
        Judgements([0, 1])
