"""Files as users have them: scikit-learn's, compressed, without labels, tables."""

import bz2
import gzip
import io
import lzma
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file

from arsm_l2r.errors import Advice, ParseError
from arsm_l2r.letor.own_files import read_own
from arsm_l2r.letor.parse import parse_file

PLAIN = "2 qid:1 1:0.5 2:1 #docid = A\n0 qid:1 1:0.25 2:3\n1 qid:2 1:0 2:1\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes, name: str = "data.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refused(path: Path, message: str, **options: object) -> None:
    with pytest.raises(ParseError) as caught:
        read_own(path, **options)  # type: ignore[arg-type]
    assert str(caught.value) == f"{path}{message}"


def test_what_the_workflow_reads_is_read_the_same(written) -> None:
    path = written(PLAIN)
    strict, own = parse_file(path), read_own(path)
    assert own.table.equals(strict.table.with_columns(pl.col("label").cast(pl.Int64)))
    assert own.group.tolist() == [2, 1]
    assert own.labels.tolist() == [2, 0, 1]
    np.testing.assert_array_equal(own.features, np.float32([[0.5, 1], [0.25, 3], [0, 1]]))
    assert (own.feature_names, own.zero_based) == (None, False)


# ── scikit-learn ──────────────────────────────────────────────────────────────────────────


def dumped(path: Path, features: np.ndarray, zero_based: bool, comment: str | None) -> None:
    labels, qids = np.arange(len(features)) % 3, np.arange(len(features)) // 2
    dump_svmlight_file(
        features, labels, str(path), zero_based=zero_based, query_id=qids, comment=comment
    )


@pytest.mark.filterwarnings("ignore::arsm_l2r.errors.Advice")
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.0, 0.5, -2.25]), min_size=3, max_size=3), min_size=1),
    st.booleans(),
    st.sampled_from([None, "made\nby a test"]),
)
def test_what_scikit_learn_writes_is_read_as_it_was(
    tmp_path: Path, values: list[list[float]], zero_based: bool, comment: str | None
) -> None:
    features = np.array(values)
    dumped(tmp_path / "data.txt", features, zero_based, comment)
    data = read_own(tmp_path / "data.txt", features=3, sparse=True, zero_based=zero_based)
    np.testing.assert_array_equal(data.features, features)
    assert data.labels.tolist() == (np.arange(len(features)) % 3).tolist()
    assert data.table["qid"].to_list() == (np.arange(len(features)) // 2).tolist()
    recognised = read_own(tmp_path / "data.txt", features=3, sparse=True)
    if comment or not zero_based or features[:, 0].any():
        np.testing.assert_array_equal(recognised.features, features)
        assert recognised.zero_based is zero_based


@pytest.mark.parametrize(
    "text",
    [
        "1 qid:1 1:3\n0 qid:1 0:1 1:2\n",
        "1 qid:1 1:3\n0 qid:1 00:1 1:2\n",
        "# Column indices are zero-based\n#\n1 qid:1 1:3\n",
    ],
)
def test_features_from_0_are_recognised_and_said(written, text: str) -> None:
    with pytest.warns(Advice, match=r"data\.txt: its features are numbered from 0.*--zero-based"):
        data = read_own(written(text))
    assert data.zero_based
    assert data.features[0].tolist() == [0, 3]


@pytest.mark.filterwarnings("error")
def test_what_is_said_to_be_zero_based_is_read_so_without_advice(written) -> None:
    assert read_own(written("1 qid:1 2:3\n"), zero_based=True).features.tolist() == [[0, 0, 3]]
    assert read_own(written("1 qid:1 0:3\n"), zero_based=True).features.tolist() == [[3]]
    assert read_own(written("1 qid:1 2:3\n")).features.tolist() == [[0, 3]]


def test_limits_of_features_from_0_are_one_lower(written) -> None:
    path = written("1 qid:1 0:1 2:3\n")
    assert read_own(path, features=3, zero_based=True).features.tolist() == [[1, 0, 3]]
    refused(path, ":1: feature number above 1: '2:3'", features=2, zero_based=True)
    with pytest.raises(ParseError, match=r"highest feature number is 2, .* be 4 .* from 0;"):
        read_own(path, features=4, zero_based=True)
    refused(path, ":1: feature numbers start at 1: '0:1'", zero_based=False)


def test_zero_based_file_cut_off_in_its_last_line_is_refused(written) -> None:
    path = written("1 qid:1 0:1 1:3\n0 qid:1 0:1")
    refused(path, ":2: truncated last line: '0 qid:1 0:1'", zero_based=True)


def test_the_workflow_still_refuses_what_only_users_may_write(written) -> None:
    for line, message in {
        "1 qid:1 0:1": "feature numbers start at 1: '0:1'",
        "# a comment": "a comment without a document",
        "1.0 qid:1 1:1": "label is not a non-negative integer: '1.0'",
        "1 qid:a 1:1": "query number is not a non-negative integer: 'qid:a'",
        "qid:1 1:1": "label is not a non-negative integer: 'qid:1'",
    }.items():
        path = written(f"{line}\n")
        with pytest.raises(ParseError, match=re.escape(f"{path}:1: {message}")):
            parse_file(path)


# ── labels and queries ────────────────────────────────────────────────────────────────────


def test_labels_that_are_whole_are_read(written) -> None:
    data = read_own(written("1.0 qid:1 1:1\n2.00 qid:1 1:1\n0. qid:1 1:1\n3 qid:1 1:1\n"))
    assert data.labels.tolist() == [1, 2, 0, 3]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1.5 qid:1 1:1", "label is not a non-negative integer: '1.5'"),
        ("-1 qid:1 1:1", "labels start at 0: '-1'"),
        ("-1.0 qid:1 1:1", "labels start at 0: '-1.0'"),
        ("31.0 qid:1 1:1", "label too large: '31.0'"),
        ("1 1:1", "no 'qid:' after the label: '1 1:1'"),
        ("1 qid: 1:1", "query has no name, or one with ':' or control characters in it: 'qid:'"),
        ("1 qid:1:2", "query has no name, or one with ':' or control characters in it: 'qid:1:2'"),
        ("1 qid:1 1:x", "feature value is not a finite number: '1:x'"),
        ("qid:1 1:1", "no label, but other lines have labels"),
    ],
)
def test_malformed_line_is_refused_with_its_number_in_the_file(
    written, line: str, message: str
) -> None:
    refused(written(f"# made by hand\n\n0 qid:1 1:1\n{line}\n"), f":4: {message}")


def test_queries_have_any_names_and_are_numbers_if_all_are(written) -> None:
    named = read_own(written("1 qid:abc-12 1:1\n0 qid:abc-12 1:2\n0 qid:é 1:2\n"))
    assert named.table["qid"].to_list() == ["abc-12", "abc-12", "é"]
    assert named.group.tolist() == [2, 1]
    assert read_own(written("1 qid:7 1:1\n")).table["qid"].to_list() == [7]
    assert read_own(written("1 qid:007 1:1\n")).table["qid"].to_list() == ["007"]
    huge = "9" * 30
    assert read_own(written(f"1 qid:{huge} 1:1\n")).table["qid"].to_list() == [huge]


@pytest.mark.parametrize("names", [("1", "2"), ("a", "b-2")])
def test_document_that_stands_apart_is_told_with_line_and_query(written, names) -> None:
    one, two = names
    text = f"# head\n1 qid:{one} 1:0\n0 qid:{one} 1:0\n1 qid:{two} 1:0\n\n1 qid:{one} 1:1\n"
    refused(
        written(text),
        f":6: the documents of query {one} do not stand together: this one comes after those of "
        "other queries; sort the file by query",
    )


def test_documents_without_labels_are_read_where_none_are_needed(written) -> None:
    path = written("qid:a 1:1 2:5 #docid = X\n qid:a\t1:3\n")
    data = read_own(path, labels_needed=False)
    assert not data.labelled
    assert data.features.tolist() == [[1, 5], [3, 0]]
    assert data.table["docid"].to_list() == ["X", None]
    refused(path, ": has no labels, which are needed here")
    refused(
        written("qid:a 1:1\nqid:a 2:1 1:1\n"),
        ":2: feature numbers must increase, each at most once: '1:1'",
        labels_needed=False,
    )


# ── where bytes come from ─────────────────────────────────────────────────────────────────

PACKERS = [gzip.compress, bz2.compress, lzma.compress]


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("name", ["data.txt", "data.gz"])
def test_compressed_file_is_told_from_its_content(written, pack, name: str) -> None:
    plain, packed = read_own(written(PLAIN)), read_own(written(pack(PLAIN.encode()), name))
    assert packed.table.equals(plain.table)
    assert packed.fingerprint == plain.fingerprint


@pytest.mark.parametrize("pack", PACKERS)
def test_damaged_compressed_file_is_one_line_that_names_it(written, pack) -> None:
    whole = pack(PLAIN.encode() * 100)
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 0xFF
    for damaged in (whole[:-5], whole[: len(whole) // 2], whole[:12], bytes(changed)):
        path = written(damaged, "data.gz")
        with pytest.raises(ParseError) as caught:
            read_own(path)
        assert str(caught.value).startswith(f"{path}: damaged or cut off")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_and_named(monkeypatch: pytest.MonkeyPatch, pack) -> None:
    def given(text: str) -> None:
        stream = SimpleNamespace(buffer=io.BytesIO(pack(text.encode())))
        monkeypatch.setattr(sys, "stdin", stream)

    given(PLAIN)
    assert read_own(Path("-")).labels.tolist() == [2, 0, 1]
    given("x qid:1 1:1\n")
    with pytest.raises(ParseError, match=r"^standard input:1: label is not"):
        read_own(Path("-"))
    given("")
    with pytest.raises(ParseError, match=r"^standard input: holds no documents"):
        read_own(Path("-"))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ParseError, match=r"^standard input: is closed"):
        read_own(Path("-"))


def test_text_in_another_encoding_is_told_with_the_line(written) -> None:
    with pytest.raises(ParseError, match=r"data\.txt:2: not UTF-8 text"):
        read_own(written(gzip.compress(b"1 qid:1 1:1\n\xff\xfe\n")))
