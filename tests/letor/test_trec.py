"""Reading and writing TREC's files."""

import gzip
from pathlib import Path

import pytest

from arsm_l2r.errors import ParseError, UserError
from arsm_l2r.letor.trec import format_run, read_qrels, read_run


def written(folder: Path, text: str) -> Path:
    path = folder / "file.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_run_has_a_score_for_each_document(tmp_path: Path) -> None:
    path = written(tmp_path, "q1 Q0 a 1 2.5 me\nq1\tQ0\tb\t2\t-1e3\tme\n\n  2 Q0  a 1 0 me \r\n")
    assert read_run(path) == {"q1": {"a": 2.5, "b": -1000}, "2": {"a": 0}}


def test_qrels_have_a_label_for_each_document(tmp_path: Path) -> None:
    path = written(tmp_path, "q1 0 a 2\nq1\t0\tb\t-1\nq2 0 a 0")
    assert read_qrels(path) == {"q1": {"a": 2, "b": -1}, "q2": {"a": 0}}


def test_a_byte_order_mark_is_no_part_of_a_query(tmp_path: Path) -> None:
    assert list(read_run(written(tmp_path, "\ufeffq1 Q0 a 1 2.5 me\n"))) == ["q1"]
    assert list(read_qrels(written(tmp_path, "\ufeffq1 0 a 1\n"))) == ["q1"]


def test_runs_and_qrels_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "run.txt.gz"
    path.write_bytes(gzip.compress(b"q1 Q0 a 1 2.5 me\n"))
    assert read_run(path) == {"q1": {"a": 2.5}}
    path.write_bytes(gzip.compress(b"q1 0 a 2\n"))
    assert read_qrels(path) == {"q1": {"a": 2}}


GOOD_RUN, GOOD_QRELS = "1 Q0 a 1 0.5 me\n", "1 0 a 1\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 b 1 0.5", "5 columns, not 6 (query Q0 document rank score name): '1 Q0 b 1 0.5'"),
        ("1 Q0 b 1 0.5 me too", "7 columns, not 6"),
        ("1 Q0 b 1 high me", "not a number: 'high'"),
        ("1 Q0 b 1 1_0 me", "not a number: '1_0'"),
        ("1 Q0 b 1 nan me", "a score must be finite: 'nan'"),
        ("1 Q0 b 1 -inf me", "a score must be finite: '-inf'"),
        ("1 Q0 a 2 0.1 me", "document 'a' of query '1' for the second time"),
    ],
)
def test_lines_that_are_none_of_a_run_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path, f"{GOOD_RUN}{line}\n")
    with pytest.raises(ParseError) as refusal:
        read_run(path)
    assert str(refusal.value).startswith(f"{path}:2: {message}")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 0 b", "3 columns, not 4 (query iteration document label): '1 0 b'"),
        ("1 0 b 1 1", "5 columns, not 4"),
        ("1 0 b 1.5", "a label must be a whole number: '1.5'"),
        ("1 0 b -", "a label must be a whole number: '-'"),
        ("1 0 b 53", "a label must be 52 at most: '53'"),
        ("1 0 a 1", "document 'a' of query '1' for the second time"),
    ],
)
def test_lines_that_are_none_of_qrels_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path, f"{GOOD_QRELS}{line}\n")
    with pytest.raises(ParseError) as refusal:
        read_qrels(path)
    assert str(refusal.value).startswith(f"{path}:2: {message}")


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_files_without_lines_or_text_are_refused(tmp_path: Path, read) -> None:
    with pytest.raises(ParseError, match="has no lines"):
        read(written(tmp_path, "\n \n"))
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParseError, match=r"binary\.txt: cannot be read as a"):
        read(tmp_path / "binary.txt")
    with pytest.raises(ParseError, match=r"none\.txt: cannot be read: No such file"):
        read(tmp_path / "none.txt")


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
