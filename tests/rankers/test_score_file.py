from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arsm_l2r.errors import ParseError
from arsm_l2r.rankers.score_file import format_scores, read_scores, write_scores

finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scores=st.lists(finite, max_size=5))
def test_scores_are_read_back_to_the_last_bit(tmp_path: Path, scores: list[float]) -> None:
    write_scores(tmp_path / "scores", np.array(scores))
    read = read_scores(tmp_path / "scores", len(scores))
    assert read.tobytes() == np.array(scores, dtype=np.float64).tobytes()


def test_there_is_one_score_per_line() -> None:
    assert format_scores(np.array([1, -0.5, 1e-300])) == "1.0\n-0.5\n1e-300\n"


def test_single_precision_is_written_as_the_number_it_is() -> None:
    assert format_scores(np.array([0.1], dtype=np.float32)) == f"{float(np.float32(0.1))!r}\n"


@pytest.mark.parametrize("text", ["1\n2\n", "1\r\n2\r\n", " 1\n2 \n", "1e0\n+2.\n"])
def test_other_programs_ways_of_writing_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "scores").write_text(text, newline="")
    assert read_scores(tmp_path / "scores", 2).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\nnan\n", "scores:2: a score must be finite: 'nan'"),
        ("-inf\n1\n", "scores:1: a score must be finite: '-inf'"),
        ("1\n1e400\n", "scores:2: a score must be finite: '1e400'"),
        ("1\nhigh\n", "scores:2: not a number: 'high'"),
        ("1 2\n", "scores:1: not a number: '1 2'"),
        ("1_0\n2\n", "scores:1: not a number: '1_0'"),
        ("١\n2\n", "scores:1: not a number: '١'"),
        ("1\n\n2\n", "scores:2: not a number: ''"),
        ("0,5\n1\n", "scores:1: not a number: '0,5'"),
        ("1\n", "scores: 1 scores for 2 documents"),
        (
            "0.125\n0.37",
            "scores:2: no line end after '0.37', which may be cut off; if the file is whole, add a "
            "line end",
        ),
        ("1\n2\n3\n", "scores: 3 scores for 2 documents"),
        ("", "scores: 0 scores for 2 documents"),
    ],
)
def test_what_is_no_score_of_each_document_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "scores").write_text(text)
    with pytest.raises(ParseError) as refusal:
        read_scores(tmp_path / "scores", 2)
    assert str(refusal.value) == f"{tmp_path}/{message}"


def test_file_that_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("binary", "missing", "."):
        with pytest.raises(ParseError, match="cannot be read as a score file"):
            read_scores(tmp_path / name, 1)
