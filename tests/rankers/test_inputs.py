import numpy as np
import pytest

from arsm_l2r.rankers.inputs import checked_features, checked_queries, group_of_qid

FEATURES = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]


def test_features_become_a_contiguous_table_of_single_precision() -> None:
    table = checked_features(np.asfortranarray(np.array(FEATURES)))
    assert table.dtype == np.float32
    assert table.flags.c_contiguous
    assert table.tolist() == FEATURES


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ([1.0, 2.0], r"must be \(documents, features\), not of shape \(2,\)"),
        (np.zeros((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\)"),
        ([[0, 1], [np.nan, 0]], "feature 0 of document 1 is nan"),
        ([[0, np.inf]], "feature 1 of document 0 is inf"),
        ([[1e39, 0]], "feature 0 of document 0 is inf"),  # beyond single precision
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_features_that_are_no_table_of_finite_numbers_are_refused(features, message) -> None:
    with pytest.raises(ValueError, match=message):
        checked_features(features)


def test_wrong_number_of_features_is_refused() -> None:
    with pytest.raises(ValueError, match="2 features, but there must be 3"):
        checked_features(FEATURES, columns=3)


def test_group_and_qid_say_the_same() -> None:
    _, by_group = checked_queries(FEATURES, [0, 1, 2], [2, 1])
    _, by_qid = checked_queries(FEATURES, [0, 1, 2], qid=[7, 7, 3])
    assert by_group.group.tolist() == by_qid.group.tolist() == [2, 1]


@pytest.mark.parametrize("qid", [[7, 7, 3], ["b", "b", "a"], [0.5, 0.5, -1]])
def test_queries_may_have_any_names_in_any_order(qid: list) -> None:
    assert group_of_qid(qid).tolist() == [2, 1]


@pytest.mark.parametrize(
    ("labels", "queries", "message"),
    [
        ([0, 1], {"group": [3]}, "the queries have 3 documents, but there are 2 labels"),
        ([0, 1, 2], {"group": [2]}, "the queries have 2 documents, but there are 3 labels"),
        ([0, 1], {"group": [2]}, "3 documents, but 2 labels"),
        ([0, 1, 2], {"qid": [1, 1]}, "the queries have 2 documents, but there are 3 labels"),
        ([0, 1, 2], {"group": [3, 0]}, r"query 1 \(from 0\) has 0 documents"),
        ([0, 1, 2], {"group": [4, -1]}, r"query 1 \(from 0\) has -1 documents"),
        ([0, 1, 2], {}, "give either group or qid"),
        ([0, 1, 2], {"group": [3], "qid": [1, 1, 1]}, "give either group or qid"),
        ([0, 1, 2], {"qid": [1, 2, 1]}, "the documents of query 1 do not stand together"),
        ([0, 1, 2], {"qid": [[1, 1, 1]]}, r"one query per document, not of shape \(1, 3\)"),
        ([0, 1, 2], {"qid": []}, r"one query per document, not of shape \(0,\)"),
        ([0, -1, 2], {"group": [3]}, "label -1 of document 1 is below 0"),
        ([0, 1, 31], {"group": [3]}, "label 31 of document 2 is above 30"),
        ([0, 1, 0.5], {"group": [3]}, r"labels\[2\] is 0.5"),
        ([0, np.nan, 1], {"group": [3]}, r"labels\[1\] is nan"),
        (["a", "b", "c"], {"group": [3]}, "labels must be whole numbers"),
    ],
)
def test_what_does_not_fit_together_is_refused(labels, queries, message) -> None:
    with pytest.raises(ValueError, match=message):
        checked_queries(FEATURES, labels, **queries)


def test_highest_label_is_allowed() -> None:
    _, judgements = checked_queries(FEATURES, [0, 1, 30], [3])
    assert judgements.labels.tolist() == [0, 1, 30]
