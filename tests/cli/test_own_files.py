"""What the commands read and write: the same files for all of them."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import dump_svmlight_file

from arsm_l2r import ARSMRanker
from arsm_l2r.letor.parse import parse_file
from arsm_l2r.rankers.score_file import read_scores

from .conftest import Command, svmlight

DATA = "2 qid:a 1:0.5 3:1 #docid = X\n0 qid:a 1:0.75 3:1\n0 qid:b 1:0.25 3:1\n"
UNLABELLED = "".join(line[2:] for line in DATA.splitlines(keepends=True))
FROM_0 = "# made by hand\n2.0 qid:a 0:0.5 2:1\n0.0 qid:a 1:1 2:1\n"


@pytest.fixture
def first_feature(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of three features whose score is the first of them."""
    ranker = SimpleNamespace(
        n_features_in_=3, choices_={}, predict=lambda table: np.asarray(table)[:, 0]
    )
    monkeypatch.setattr(ARSMRanker, "load", lambda path: ranker)
    return Path("model.npz")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text(DATA)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """DATA as a table."""
    path = tmp_path / "data.parquet"
    pl.DataFrame(
        {
            "label": [2, 0, 0],
            "qid": ["a", "a", "b"],
            "docid": ["X", None, None],
            "one": [0.5, 0.75, 0.25],
            "two": [0.0, 0.0, 0.0],
            "three": [1, 1, 1],
        }
    ).write_parquet(path)
    return path


# ── rank: what goes in ────────────────────────────────────────────────────────────────────


def test_every_kind_of_file_is_ranked_the_same(
    command: Command, first_feature: Path, data: Path, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "packed").write_bytes(gzip.compress(DATA.encode()))
    (tmp_path / "unlabelled.txt").write_text(UNLABELLED)
    for given in (data, table, tmp_path / "packed", tmp_path / "unlabelled.txt"):
        done = command("rank", given, "--model", first_feature)
        assert done == (0, "0.5\n0.75\n0.25\n", "")


def test_standard_input_is_ranked(
    command: Command, first_feature: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(DATA.encode())))
    assert command("rank", "-", "--model", first_feature) == (0, "0.5\n0.75\n0.25\n", "")


def test_text_is_taken_for_the_columns_that_a_model_of_a_table_learnt(
    command: Command, data: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["one", "two", "three"]
    seen: list[list[str]] = []

    def predict(given: pl.DataFrame) -> np.ndarray:
        seen.append(given.columns)
        return given["one"].to_numpy()

    ranker = SimpleNamespace(
        n_features_in_=3, choices_={}, feature_names_in_=names, predict=predict
    )
    monkeypatch.setattr(ARSMRanker, "load", lambda path: ranker)
    assert command("rank", table, "--model", "m.npz").err == ""
    done = command("rank", data, "--model", "m.npz")
    assert (done.code, done.out) == (0, "0.5\n0.75\n0.25\n")
    assert done.err == (
        f"warning: {data}: its features have no names; they are taken for one, two, three, in this "
        "order, as the model learnt them\n"
    )
    assert seen == [names, names]


@pytest.mark.parametrize(
    ("zero_based", "given"), [(True, "--no-zero-based"), (False, "--zero-based")]
)
def test_lines_are_numbered_as_those_that_the_model_learnt_from(
    command: Command, first_feature: Path, data: Path, zero_based: bool, given: str
) -> None:
    ARSMRanker.load(first_feature).choices_["zero_based"] = zero_based
    data.write_text("2 qid:a 1:0.5 2:1\n")  # nothing in it tells
    done = command("rank", data, "--model", first_feature, "--sparse")
    assert done == (0, "0.0\n" if zero_based else "0.5\n", "")
    done = command("rank", data, "--model", first_feature, "--sparse", given)
    assert done.code == 1
    told = f"learnt from lines that number features from {int(not zero_based)}; leave out {given}"
    assert told in done.err


def test_features_from_0_are_said_unless_the_option_says_it(
    command: Command, first_feature: Path, data: Path
) -> None:
    data.write_text(FROM_0)
    done = command("rank", data, "--model", first_feature)
    assert (done.code, done.out) == (0, "0.5\n0.0\n")
    (told,) = done.err.splitlines()
    assert told.startswith(f"warning: {data}: its features are numbered from 0")
    done = command("rank", data, "--model", first_feature, "--zero-based")
    assert done == (0, "0.5\n0.0\n", "")
    done = command("rank", data, "--model", first_feature, "--no-zero-based")
    assert done == (1, "", f"error: {data}:2: feature numbers start at 1: '0:0.5'\n")


def test_fewer_features_than_the_model_has_are_refused_unless_sparse(
    command: Command, first_feature: Path, data: Path, table: Path
) -> None:
    data.write_text("0 qid:1 1:0.5\n0 qid:1 2:0.5\n")
    done = command("rank", data, "--model", first_feature)
    assert (done.code, done.out) == (1, "")
    assert "the highest feature number is 2, but there must be 3 features" in done.err
    assert command("rank", data, "--model", first_feature, "--sparse").out == "0.5\n0.0\n"
    pl.read_parquet(table).drop("two").write_parquet(table)
    done = command("rank", table, "--model", first_feature)
    assert done.err == f"error: {table}: 2 columns of features, but there must be 3\n"


# ── rank: what comes out ──────────────────────────────────────────────────────────────────


def test_run_names_documents_by_comment_or_place_and_says_so_once(
    command: Command, first_feature: Path, data: Path, table: Path, tmp_path: Path
) -> None:
    run = "a Q0 a.2 1 0.75 arsm-l2r\na Q0 X 2 0.5 arsm-l2r\nb Q0 b.1 1 0.25 arsm-l2r\n"
    for given in (data, table):
        done = command("rank", given, "--model", first_feature, "--format", "trec")
        assert (done.code, done.out) == (0, run)
        (told,) = done.err.splitlines()
        assert told.startswith(f"warning: {given}: 2 documents have no docid")
    output = tmp_path / "new" / "run.txt"
    command("rank", data, "--model", first_feature, "--format", "trec", "--output", output)
    assert output.read_text() == run


def test_run_of_documents_with_the_same_name_is_refused_with_the_file(
    command: Command, first_feature: Path, data: Path
) -> None:
    data.write_text("0 qid:1 3:1 #docid = X\n0 qid:1 3:1 #docid = X\n")
    done = command("rank", data, "--model", first_feature, "--format", "trec")
    assert done == (1, "", f"error: {data}: two documents of query 1 are called 'X'\n")


def test_table_of_scores_has_queries_documents_and_labels(
    command: Command, first_feature: Path, data: Path, tmp_path: Path
) -> None:
    output = tmp_path / "scores.parquet"
    assert command("rank", data, "--model", first_feature, "--output", output) == (0, "", "")
    assert pl.read_parquet(output).to_dict(as_series=False) == {
        "qid": ["a", "a", "b"],
        "docid": ["X", None, None],
        "score": [0.5, 0.75, 0.25],
        "label": [2, 0, 0],
    }
    data.write_text(UNLABELLED)
    output = tmp_path / "table"
    command("rank", data, "--model", first_feature, "--output", output, "--format", "parquet")
    assert pl.read_parquet(output).columns == ["qid", "docid", "score"]


def test_table_is_not_printed(command: Command, first_feature: Path, data: Path) -> None:
    done = command("rank", data, "--model", first_feature, "--format", "parquet")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: --format parquet: a table is not printed")


# ── check, evaluate, train ────────────────────────────────────────────────────────────────


def test_check_says_that_there_are_no_labels(command: Command, data: Path) -> None:
    data.write_text(UNLABELLED)
    done = command("check", data)
    assert (done.code, done.err) == (0, "")
    assert "labels                  no labels\n" in done.out
    assert "no relevant" not in done.out
    found = json.loads(command("check", data, "--json").out)
    assert (found["labels"], found["documents"], found["queries"]) == (None, 3, 2)


def test_check_counts_a_table_like_the_text(command: Command, data: Path, table: Path) -> None:
    ours, theirs = (json.loads(command("check", path, "--json").out) for path in (data, table))
    assert ours.pop("fingerprint") is not None
    assert theirs.pop("fingerprint") is None
    assert ours == theirs


def test_check_reads_standard_input_of_a_process() -> None:
    program = "from arsm_l2r.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "-"],
        input=gzip.compress(DATA.encode()),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"standard input: 2 queries, 3 documents\n")


def test_evaluate_reads_tables_and_needs_labels(
    command: Command, data: Path, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "scores.txt").write_text("3\n2\n1\n")
    scores = ("--scores", tmp_path / "scores.txt")
    assert command("evaluate", "--data", table, *scores) == command(
        "evaluate", "--data", data, *scores
    )
    data.write_text(UNLABELLED)
    done = command("evaluate", "--data", data, *scores)
    assert done == (1, "", f"error: {data}: has no labels, which are needed here\n")


@pytest.mark.parametrize(
    ("train", "vali", "message"),
    [
        ("1 qid:1 1:1 2:1\n", "1 qid:1 1:1\n", "the highest feature number is 1, but there must"),
        ("1 qid:1 1:1 2:1\n", "1 qid:1 0:1 1:1\n", "its features are numbered from 0, those of"),
        ("1 qid:1 0:1 1:1\n", "1 qid:1 2:1\n", "vali.txt:1: feature number above 1: '2:1'"),
        ("1 qid:1 1:1\n", "qid:1 1:1\n", "vali.txt: has no labels"),
        ("1 qid:1 1:1\n", "1 qid:1 1:1\n1 qid:2 1:1\n1 qid:1 1:1\n", "vali.txt:3: the documents"),
    ],
)
def test_validation_data_unlike_the_training_data_are_told(
    command: Command, tmp_path: Path, train: str, vali: str, message: str
) -> None:
    (tmp_path / "train.txt").write_text(train)
    (tmp_path / "vali.txt").write_text(vali)
    given = (tmp_path / "train.txt", "--vali", tmp_path / "vali.txt")
    done = command("train", *given, "--model", tmp_path / "model.npz")
    assert (done.code, done.out) == (1, "")
    *_, last = done.err.splitlines()
    assert last.startswith(f"error: {tmp_path / 'vali.txt'}")
    assert message in last


def test_standard_input_cannot_be_two_files(command: Command, tmp_path: Path) -> None:
    done = command("train", "-", "--vali", "-", "--model", tmp_path / "model.npz")
    assert done.err == (
        "error: standard input cannot be both the training and the validation data\n"
    )


@pytest.mark.slow
def test_the_same_data_in_any_form_train_the_same_model(command: Command, tmp_path: Path) -> None:
    fast = ("--epochs", "2", "--levels", "3", "--hidden", "4")
    plain, zero, table = (tmp_path / name for name in ("plain.txt", "zero.txt", "t.parquet"))
    plain.write_text(svmlight(4, seed=0))
    read = parse_file(plain).table
    features = read.drop("label", "qid", "docid").to_numpy()
    labels, qids = np.array(read["label"]), np.array(read["qid"])
    dump_svmlight_file(features, labels, str(zero), query_id=qids, zero_based=True)
    read.write_parquet(table)
    found = []
    for path in (plain, zero, table):
        saved, scores = tmp_path / f"{path.name}.npz", tmp_path / f"{path.name}.scores"
        done = command("train", path, "--vali", path, "--model", saved, *fast)
        assert done.code == 0, done.err
        assert done.err.count("warning") == (path == zero)
        assert command("rank", path, "--model", saved, "--output", scores).code == 0
        found.append(read_scores(scores, read.height))
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])
