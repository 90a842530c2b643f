"""Runs in TREC's format."""

import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.letor.trec import format_run


def test_documents_are_ranked_by_query_and_ties_keep_their_order() -> None:
    run = format_run(
        ["q", "q", "q", 7, 7], ["A", "B", "C", "A", "B"], [0.5, 2.0, 0.5, -1e-20, 0.1], "tag"
    )
    assert run.splitlines() == [
        "q Q0 B 1 2.0 tag",
        "q Q0 A 2 0.5 tag",
        "q Q0 C 3 0.5 tag",
        "7 Q0 B 1 0.1 tag",
        "7 Q0 A 2 -1e-20 tag",
    ]
    assert run.endswith("\n")


def test_document_without_a_name_is_called_by_query_and_place() -> None:
    run = format_run([3, 3, 4], ["A", None, None], [1, 2, 3], "t")
    assert [line.split()[2] for line in run.splitlines()] == ["3.2", "A", "4.1"]


@pytest.mark.parametrize(
    ("qids", "docids", "message"),
    [
        (["a b"], ["A"], "'a b' in query a b: a run has no place for white space"),
        (["a"], ["A B"], "'A B' in query a: a run has no place"),
        (["a"], [""], "'' in query a: a run has no place"),
        (["a", "a"], ["A", "A"], "two documents of query a are called 'A'"),
    ],
)
def test_names_that_a_run_cannot_hold_are_refused(qids, docids, message: str) -> None:
    with pytest.raises(UserError, match=message):
        format_run(qids, docids, [1.0] * len(qids), "t")
