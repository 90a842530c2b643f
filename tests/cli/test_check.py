import json
from pathlib import Path

import pytest

from .conftest import Command

DATA = "2 qid:1 1:0.5 2:1\n0 qid:1 1:0.25 2:1\n0 qid:2 1:0.75 2:1\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text(DATA)
    return path


def test_counts_are_printed_on_standard_output(command: Command, data: Path) -> None:
    done = command("check", data)
    assert (done.code, done.err) == (0, "")
    first, *others = done.out.splitlines()
    assert first == f"{data}: 2 queries, 3 documents"
    shown = dict(line.strip().split("  ", 1) for line in others)
    assert {key: value.strip() for key, value in shown.items()} | {"fingerprint": ""} == {
        "labels": "2 with label 0, 0 with label 1, 1 with label 2",
        "no relevant document": "1 queries",
        "documents per query": "1 to 2, mean 1.5",
        "features": "2, 1 constant",
        "fingerprint": "",
    }


def test_json_holds_the_same(command: Command, data: Path) -> None:
    found = json.loads(command("check", data, "--json").out)
    assert (found["queries"], found["documents"], found["features"]) == (2, 3, 2)
    assert found["labels"] == {"0": 2, "1": 0, "2": 1}
    assert found["queries_without_relevant"] == 1
    assert found["fingerprint"] in command("check", data).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 qid:1 1:0.5\nx qid:1 1:0.5\n", "data.txt:2: label is not a non-negative integer: 'x'"),
        ("2 qid:1 1:0.5\n1 qid:1 1:nan\n", "data.txt:2: feature value is not a finite number"),
        ("1 qid:1 1:0\n1 qid:2 1:0\n1 qid:1 1:1\n", "documents of query 1 do not stand together"),
        ("", "data.txt: holds no documents"),
    ],
)
def test_malformed_file_is_told_with_line_and_value_without_a_traceback(
    command: Command, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "data.txt").write_text(text)
    done = command("check", tmp_path / "data.txt")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert message in done.err


def test_missing_file_is_told_without_a_traceback(command: Command, tmp_path: Path) -> None:
    done = command("check", tmp_path / "nothing.txt")
    assert done.code == 1
    assert str(tmp_path / "nothing.txt") in done.err
