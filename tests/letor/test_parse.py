"""The fast parser against a slow, line-by-line one, on valid, odd and malformed files."""

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from arsm_l2r.errors import ParseError
from arsm_l2r.letor import lines, parse
from arsm_l2r.letor.grammar import OWN
from arsm_l2r.letor.lines import Fingerprint
from arsm_l2r.letor.parse import MAX_FEATURES, MAX_LABEL, parse_file

many = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True, params=[2**23, 60], ids=["whole", "in pieces"])
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read as a whole, or a line or two at a time: nobody may notice."""
    monkeypatch.setattr(lines, "BYTES_AT_ONCE", request.param)


# ── the slow parser: one line after the other, by the book ────────────────────────────────


@dataclass
class Document:
    line: int
    label: int
    qid: int
    docid: str | None
    values: dict[int, np.float32]


class Refused(Exception):  # noqa: N818 (not an error of the program)
    """A line that is not part of the language."""


@dataclass
class Slow:
    """What a file holds, and the numbers of the lines that must not be accepted."""

    documents: list[Document]
    refused: set[int]


def parse_slowly(content: bytes, features: int | None = None, *, sparse: bool = False) -> Slow:
    slow = Slow([], set())
    shapes = []  # (line, features, has a comment) of each line that is not blank
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, raw in enumerate(lines, start=1):
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            slow.refused.add(number)
            continue
        body, hash_sign, comment = line.partition("#")
        if not body.strip(" \t\r") and not hash_sign:
            continue
        named = [token.partition(":")[0] for token in body.split()[2:]]
        shapes.append((number, named, bool(hash_sign)))
        try:
            slow.documents.append(document_of(number, body, comment, features))
        except Refused:
            slow.refused.add(number)
    ends_inside_a_line = lines[-1].strip(b" \t\r") != b""
    if ends_inside_a_line and len(shapes) > 1 and not slow.refused and not sparse:
        *earlier, (number, entries, commented) = shapes
        all_of_them = {str(feature) for feature in range(1, len(earlier[0][1]) + 1)}
        each_has_all = all(
            {str(int(name)) for name in names} == all_of_them for _, names, _ in earlier
        )
        has_fewer_entries = each_has_all and len(entries) < len(all_of_them)
        lacks_a_comment = all(has for _, _, has in earlier) and not commented
        if has_fewer_entries or lacks_a_comment:
            slow.refused.add(number)
    return slow


def document_of(number: int, body: str, comment: str, features: int | None) -> Document:
    body = body.rstrip(" \t\r")
    tokens = [token for token in body.replace("\t", " ").split(" ") if token]
    if len(tokens) < 2 or not tokens[1].startswith("qid:"):
        raise Refused
    label, qid = whole(tokens[0]), whole(tokens[1].removeprefix("qid:"))
    if label > MAX_LABEL or qid >= 2**63:
        raise Refused
    values: dict[int, np.float32] = {}
    for token in tokens[2:]:
        index, colon, value = token.partition(":")
        position = whole(index)
        in_range = 1 <= position <= (features or MAX_FEATURES)
        in_order = position > max(values, default=0)
        if not (colon and in_range and in_order):
            raise Refused
        values[position] = finite(value)
    return Document(number, label, qid, docid_of(comment), values)


def whole(text: str) -> int:
    if not text or set(text) - set("0123456789"):
        raise Refused
    return int(text)


def finite(text: str) -> np.float32:
    if set(text) - set("0123456789+-.eE"):
        raise Refused
    try:
        with np.errstate(over="ignore"):
            value = np.float32(float(text))
    except ValueError:
        raise Refused from None
    if np.isinf(value):
        raise Refused
    return value


def docid_of(comment: str) -> str | None:
    _, found, rest = comment.partition("docid")
    if not found:
        return None
    after = rest.lstrip(" \t")
    word = after[1:].lstrip(" \t") if after.startswith("=") else ""
    if not word or word[0].isspace():
        return docid_of(rest)
    return word.split()[0]


def assert_parsers_agree(folder: Path, content: bytes, features: int | None = None) -> None:
    path = folder / "some.txt"
    path.write_bytes(content)
    sparse = features is not None
    slow = parse_slowly(content, features, sparse=sparse)
    if slow.documents and not slow.refused:
        parsed = parse_file(path, features=features, sparse=sparse)
        assert_same(parsed, slow.documents, features)
        return
    with pytest.raises(ParseError) as caught:
        parse_file(path, features=features, sparse=sparse)
    message = str(caught.value)
    if slow.refused:
        named = re.match(re.escape(f"{path}:") + r"(\d+): ", message)
        assert named, f"no line named: {message}"
        assert int(named[1]) in slow.refused
    else:
        assert message == f"{path}: holds no documents"


def assert_same(
    fast: parse.ParsedFile, documents: list[Document], features: int | None = None
) -> None:
    width = features or max(max(document.values, default=0) for document in documents)
    expected = np.zeros((len(documents), width), dtype=np.float32)
    for row, document in enumerate(documents):
        for index, value in document.values.items():
            expected[row, index - 1] = value
    table = fast.table
    assert table.columns == ["label", "qid", "docid", *(f"f{n}" for n in range(1, width + 1))]
    assert table.dtypes == [pl.UInt8, pl.Int64, pl.String, *[pl.Float32] * width]
    assert table["label"].to_list() == [document.label for document in documents]
    assert table["qid"].to_list() == [document.qid for document in documents]
    assert table["docid"].to_list() == [document.docid for document in documents]
    assert fast.line_numbers.to_list() == [document.line for document in documents]
    if width:
        actual = table.drop("label", "qid", "docid").to_numpy()
        np.testing.assert_array_equal(actual.view(np.uint32), expected.view(np.uint32))


# ── generated files ───────────────────────────────────────────────────────────────────────

WIDEST = 12

number_texts = st.one_of(
    st.floats(0, 1).map(lambda value: f"{value:.6f}"),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.integers(-1000, 1000).map(str),
    st.sampled_from(
        ["0", "-0", "1.", ".5", "+.5", "1e-3", "2E+2", "1e-400", "007", "3.4028235e38"]
    ),
)
gaps = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
comments = st.sampled_from(
    ["docid = D-1", " docid=D2 inc = 1 prob = 0.1", "docid =", "nothing", "", "# docid = x#y", "é"]
)


@st.composite
def documents(draw: st.DrawFn, indices: st.SearchStrategy[list[int]], commented: bool) -> str:
    label = draw(st.integers(0, MAX_LABEL))
    qid = draw(st.one_of(st.integers(0, 9), st.integers(0, 2**63 - 1)))
    gap = draw(gaps)
    entries = [f"{index}:{draw(number_texts)}" for index in draw(indices)]
    text = draw(st.sampled_from(["", "", " "])) + gap.join([str(label), f"qid:{qid}", *entries])
    text += draw(st.sampled_from(["", "", " ", "\t "]))
    return text + f"#{draw(comments)}" if commented else text


@st.composite
def letor_files(draw: st.DrawFn) -> bytes:
    dense = draw(st.booleans())
    all_indices = list(range(1, draw(st.integers(0, WIDEST)) + 1))
    sparse = st.lists(st.integers(1, WIDEST), unique=True, max_size=5).map(sorted)
    indices = st.just(all_indices) if dense else sparse
    commented = draw(st.sampled_from([[True], [False], [True, False]]))
    lines = [
        draw(documents(indices, draw(st.sampled_from(commented))))
        for _ in range(draw(st.integers(1, 5)))
    ]
    for _ in range(draw(st.integers(0, 2))):
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(["", " ", "\t\t"])))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    text = ending.join(lines) + (ending if draw(st.booleans()) else "")
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


@many
@given(letor_files(), st.sampled_from([None, WIDEST]))
def test_valid_files_give_the_values_of_the_slow_parser(
    tmp_path: Path, content: bytes, features: int | None
) -> None:
    assume(not parse_slowly(content, features).refused)  # leaves out what looks cut off
    assert_parsers_agree(tmp_path, content, features)


ODD_TOKENS = [
    *["nan", "1:nan", "1:inf", "1:-Infinity", "3:1_0", "+1:2", "-1:2", "0:1", "1:0.5", "3:0.5"],
    *["99:1", "100001:1", "4294967297:1", "99999999999999999999:1", "1:1e39", "1:1e999", "2:"],
    *[":2", "2", "2:3:4", "2:0x1", "2:1e", "2:.", "2:--1", "٣:1", "2:٣", "qid:3", "qid:", "qid:-1"],
    *["qid:9223372036854775808", "-1", "31", "300000000000000000000", "1.0", "#", "# docid = 7"],
    *["\n", "\r\n", "\r", "\x0b", "\x0c", "\x00", "\ufeff", "\u00a0", "\u2028", "\x85", "²:1"],
]


@st.composite
def mutated_files(draw: st.DrawFn) -> bytes:
    text = draw(letor_files()).decode()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["character", "token", "swap", "drop", "cut"]))
        if kind == "character":
            odd = draw(st.sampled_from("0123456789.:-+eE# \t\r\nqidx_\u0663"))
            text = text[:at] + odd + text[at + draw(st.integers(0, 1)) :]
        elif kind == "token":
            text = text[:at] + f" {draw(st.sampled_from(ODD_TOKENS))} " + text[at:]
        elif kind == "cut":
            text = text[:at]
        else:
            tokens = re.split("([ \t\r\n]+)", text)
            place = draw(st.integers(0, (len(tokens) - 1) // 2)) * 2
            odd = draw(st.sampled_from(ODD_TOKENS)) if kind == "swap" else ""
            text = "".join([*tokens[:place], odd, *tokens[place + 1 :]])
    content = text.encode()
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(content)))
        content = content[:at] + b"\xff" + content[at:]
    return content


@pytest.mark.slow
@settings(many, max_examples=500)
@given(mutated_files(), st.sampled_from([None, WIDEST, WIDEST]))
def test_mutated_files_are_read_or_refused_as_by_the_slow_parser(
    tmp_path: Path, content: bytes, features: int | None
) -> None:
    assert_parsers_agree(tmp_path, content, features)


@pytest.mark.slow
@settings(many, max_examples=500)
@given(mutated_files(), st.sampled_from([None, WIDEST]))
def test_grammar_of_users_has_every_file_of_letors_with_the_same_values(
    tmp_path: Path, content: bytes, features: int | None
) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(content)
    try:
        strict = parse_file(path, features=features, sparse=True).table
    except ParseError:
        with suppress(ParseError):  # and nothing else
            parse.parse_text(path, OWN, content=content, features=features, sparse=True)
        return
    own = parse.parse_text(path, OWN, content=content, features=features, sparse=True).table
    assert own.with_columns(pl.col("qid").cast(pl.Int64)).equals(strict)


# ── every kind of malformed line, by example ──────────────────────────────────────────────

GOOD = "2 qid:10 1:0.5 2:0.25 #docid = A"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2 1:0.5 2:0.25 #docid = B", "no 'qid:' after the label: '2 1:0.5 2:0.25'"),
        ("2", "no 'qid:' after the label: '2'"),
        ("2 qid:x 1:0.5", "query number is not a non-negative integer: 'qid:x'"),
        ("2 qid:9223372036854775808 1:0.5", "query number too large: 'qid:9223372036854775808'"),
        ("2 qid:10 0:0.5 1:0.5", "feature numbers start at 1: '0:0.5'"),
        ("2 qid:10 2:0.5 1:0.5", "feature numbers must increase, each at most once: '1:0.5'"),
        ("2 qid:10 1:0.5 1:0.5", "feature numbers must increase, each at most once: '1:0.5'"),
        ("2 qid:10 1:half", "feature value is not a finite number: '1:half'"),
        ("2 qid:10 1:1_0", "feature value is not a finite number: '1:1_0'"),
        ("2 qid:10 1:NaN", "feature value is not a finite number: '1:NaN'"),
        ("2 qid:10 1:inf", "feature value is not a finite number: '1:inf'"),
        ("2 qid:10 1:-Infinity", "feature value is not a finite number: '1:-Infinity'"),
        ("2 qid:10 1:1e39", "value too large for a 32-bit float: '1:1e39'"),
        ("2 qid:10 +1:0.5", "not a 'number:value' feature: '+1:0.5'"),
        ("2 qid:10 0.5", "not a 'number:value' feature: '0.5'"),
        ("2 qid:10 ١:0.5", "not a 'number:value' feature: '١:0.5'"),
        ("2 qid:10 100001:1", "feature number above 100000: '100001:1'"),
        ("-1 qid:10 1:0.5", "labels start at 0: '-1'"),
        ("١ qid:10 1:0.5", "label is not a non-negative integer: '١'"),
        ("1.5 qid:10 1:0.5", "label is not a non-negative integer: '1.5'"),
        ("31 qid:10 1:0.5", "label too large: '31'"),
        ("99999999999999999999 qid:10 1:0.5", "label too large: '99999999999999999999'"),
        ("2 qid:10\x0b1:0.5", "unexpected character: '2 qid:10\\x0b1:0.5'"),
        ("# docid = B", "a comment without a document"),
    ],
)
def test_malformed_line_is_refused_with_file_line_and_text(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "train.txt"
    path.write_text(f"{GOOD}\n\n{line}\n{GOOD}\n", encoding="utf-8")
    assert parse_slowly(path.read_bytes()).refused == {3}
    with pytest.raises(ParseError) as caught:
        parse_file(path)
    assert str(caught.value) == f"{path}:3: {message}"


def test_feature_above_the_declared_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("1 qid:1 1:0.5 3:0.5\n1 qid:1 2:0.5 4:0.5\n")
    assert parse_file(path).table.width == 3 + 4
    with pytest.raises(ParseError, match=r"train\.txt:2: feature number above 3: '4:0\.5'"):
        parse_file(path, features=3)


def test_fewer_features_than_declared_are_refused_unless_lines_are_sparse(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("1 qid:1 1:0.5 3:0.5\n1 qid:1 2:0.5\n")
    with pytest.raises(
        ParseError, match=r"train\.txt: the highest feature number is 3, but there must be 5"
    ):
        parse_file(path, features=5)
    assert parse_file(path, features=5, sparse=True).table.width == 3 + 5
    assert parse_file(path, features=3).table.width == 3 + 3


@pytest.mark.parametrize(
    "text",
    ["1 qid:1 2:1 7:1\n0 qid:1 1:1 9:1\n0 qid:1 3:1", "1 qid:1 2:1\n0 qid:1"],
)
def test_sparse_file_without_a_last_line_end_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "train.txt"
    path.write_text(text)
    assert parse_file(path).table.height == text.count("\n") + 1


@pytest.mark.parametrize(
    "last",
    ["2 qid:10 1:0.5", "2 qid:10 1:0.5 2:0.25", "2 qid:10 1:0.5 2:0.2", "2 qid:10"],
    ids=["fewer features", "no comment", "value cut short", "no features"],
)
def test_truncated_last_line_is_refused(tmp_path: Path, last: str) -> None:
    path = tmp_path / "train.txt"
    path.write_text(f"{GOOD}\n{GOOD}\n{last}")
    with pytest.raises(ParseError, match=rf"train\.txt:3: truncated last line: '{last}'"):
        parse_file(path)


def test_last_line_with_fewer_features_is_refused_without_comments_too(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("2 qid:10 1:0.5 2:0.25\n1 qid:10 1:0.5 2:0.25\n0 qid:10 1:0.5")
    with pytest.raises(ParseError, match=r"train\.txt:3: truncated last line"):
        parse_file(path)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n  ", "\n\n"])
def test_short_last_line_with_a_line_end_is_not_taken_for_truncated(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "train.txt"
    path.write_bytes(f"{GOOD}\n1 qid:10 1:0.5{ending}".encode())
    assert parse_file(path).table["label"].to_list() == [2, 1]


@pytest.mark.parametrize("where", ["value", "comment"])
def test_invalid_utf8_is_refused_with_its_line(tmp_path: Path, where: str) -> None:
    path = tmp_path / "train.txt"
    line = b"1 qid:1 1:\xff\n" if where == "value" else b"1 qid:1 1:1 # \xff\n"
    path.write_bytes(b"1 qid:1 1:1\n" + line + b"1 qid:1 1:1\n")
    with pytest.raises(ParseError, match=r"train\.txt:2: not UTF-8 text: .*xff"):
        parse_file(path)


def test_byte_order_mark_belongs_to_the_first_line_only(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("\ufeff1 qid:1 1:1\n", encoding="utf-8")
    assert parse_file(path).table.height == 1
    path.write_text("1 qid:1 1:1\n\ufeff1 qid:1 1:1\n", encoding="utf-8")
    with pytest.raises(ParseError, match=r"train\.txt:2: label"):
        parse_file(path)


@pytest.mark.parametrize("content", ["", "\n \n\t\r\n", "\ufeff"])
def test_file_without_documents_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "train.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ParseError, match=r"train\.txt: holds no documents"):
        parse_file(path)


def test_missing_file_and_folder_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match=r"none\.txt: cannot be read: No such file"):
        parse_file(tmp_path / "none.txt")
    with pytest.raises(ParseError, match="cannot be read: Is a directory"):
        parse_file(tmp_path)


@pytest.mark.parametrize("name", ["a[1].txt", "a*.txt", "a?.txt"])
def test_name_with_wildcards_is_one_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "a1.txt").write_text("0 qid:1 1:1\n")
    (tmp_path / name).write_text("1 qid:1 1:1\n")
    assert parse_file(tmp_path / name).table["label"].to_list() == [1]


# ── lines are read some at a time ─────────────────────────────────────────────────────────


def test_widths_and_lines_fit_together_across_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "_LINES_AT_ONCE", 2)
    lines = ["0 qid:1 1:1", "0 qid:1", "1 qid:1 3:3", "0 qid:2 2:2", "2 qid:2 1:5 5:5"]
    assert_parsers_agree(tmp_path, "\n".join(lines).encode() + b"\n")
    for wrong in range(5):
        damaged = [*lines[:wrong], lines[wrong] + " 9:1 8:1", *lines[wrong + 1 :]]
        path = tmp_path / "damaged.txt"
        path.write_text("\n".join(damaged) + "\n")
        with pytest.raises(ParseError, match=rf"damaged\.txt:{wrong + 1}: .*: '8:1'"):
            parse_file(path)


# ── fingerprints ──────────────────────────────────────────────────────────────────────────


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "content",
    [
        "1 qid:1 1:0.5\n0 qid:1 1:0.1\n",
        "1 qid:1 1:0.5\n0 qid:1 1:0.1",
        "1 qid:1 1:0.5\r\n0 qid:1 1:0.1\r\n",
        "1 qid:1 1:0.5 #docid = 3\n0 qid:1 1:0.1#docid = 4 # more\n",
        "1 qid:1 1:0.5 \t\n0 qid:1 1:0.1  \r\n",
        "1 qid:1 1:0.5\r\r\n0 qid:1 1:0.1\r",
        "\ufeff1 qid:1 1:0.5\n\n0 qid:1 1:0.1\n\n",
    ],
    ids=["plain", "no end", "CRLF", "comments", "trailing blanks", "stray CR", "mark, blank lines"],
)
def test_fingerprint_ignores_what_carries_no_data(tmp_path: Path, content: str) -> None:
    path = tmp_path / "test.txt"
    path.write_bytes(content.encode())
    expected = sha256("1 qid:1 1:0.5\n0 qid:1 1:0.1\n")
    assert parse_file(path).fingerprint == expected


@pytest.mark.parametrize(
    "content",
    [
        "0 qid:1 1:0.1\n1 qid:1 1:0.5\n",
        "1 qid:1 1:0.50\n0 qid:1 1:0.1\n",
        "1 qid:1  1:0.5\n0 qid:1 1:0.1\n",
        "1 qid:1 1:0.5\n",
    ],
    ids=["order", "value", "inner blank", "missing line"],
)
def test_fingerprint_sees_what_carries_data(tmp_path: Path, content: str) -> None:
    path = tmp_path / "test.txt"
    path.write_bytes(content.encode())
    assert parse_file(path).fingerprint == sha256(content)
    assert parse_file(path).fingerprint != sha256("1 qid:1 1:0.5\n0 qid:1 1:0.1\n")


def test_fingerprint_of_many_lines_has_no_seam() -> None:
    lines = [f"0 qid:{number}" for number in range(20_000)]
    fingerprint = Fingerprint()
    for start in (0, 1, 9_000):
        fingerprint.add(pl.Series(lines[start : {0: 1, 1: 9_000}.get(start)]))
    assert str(fingerprint) == sha256("\n".join(lines) + "\n")
