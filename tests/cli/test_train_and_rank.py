import argparse
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.cli.train import add_arguments
from arsm_l2r.letor.parse import parse_file
from arsm_l2r.letor.store import ranking_data
from arsm_l2r.rankers.score_file import read_scores

from .conftest import Command, svmlight

FAST = ("--epochs", "30", "--learning-rate", "0.05", "--levels", "4", "--seed", "1")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model of three features."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "data.txt").write_text(svmlight(5, seed=0))
    data = ranking_data(parse_file(folder / "data.txt").table)
    ranker = ARSMRanker(epochs=1, levels=3, hidden=(4,))
    ranker.fit(data.features, data.labels, data.group).save(folder / "model.npz")
    return folder / "model.npz"


@pytest.mark.slow
def test_trained_model_ranks_and_its_scores_are_evaluated(
    command: Command, train_file: Path, unseen_file: Path, tmp_path: Path
) -> None:
    saved, history = tmp_path / "new" / "model.npz", tmp_path / "history.parquet"
    vali = tmp_path / "vali.txt"
    vali.write_text(svmlight(3, seed=2))
    done = command(
        *("train", train_file, "--vali", vali, "--model", saved, "--history", history, *FAST)
    )
    assert (done.code, done.out) == (0, "")
    assert f"Saved {saved}: weights of epoch " in done.err
    assert "Training: epoch 30 of 30 (100%)" in done.err
    assert pl.read_parquet(history)["epoch"].to_list() == list(range(1, 31))
    assert list(saved.parent.iterdir()) == [saved]  # the checkpoint is gone

    scores = tmp_path / "scores.txt"
    done = command("rank", unseen_file, "--model", saved, "--output", scores)
    assert done == (0, "", "")
    data = ranking_data(parse_file(unseen_file).table)
    np.testing.assert_array_equal(
        read_scores(scores, len(data.labels)), ARSMRanker.load(saved).predict(data.features)
    )

    done = command("evaluate", "--data", unseen_file, "--scores", scores, "--json")
    learnt = json.loads(done.out)["paper"]["ndcg@10"]
    scores.write_text("0\n" * len(data.labels))
    done = command("evaluate", "--data", unseen_file, "--scores", scores, "--json")
    assert learnt > json.loads(done.out)["paper"]["ndcg@10"] + 0.1


@pytest.mark.slow
def test_scores_are_printed_unless_a_file_is_given(
    command: Command, model: Path, unseen_file: Path, tmp_path: Path
) -> None:
    printed = command("rank", unseen_file, "--model", model)
    assert (printed.code, printed.err) == (0, "")
    command("rank", unseen_file, "--model", model, "--output", tmp_path / "scores.txt")
    assert printed.out == (tmp_path / "scores.txt").read_text()
    assert printed.out.count("\n") == 4 * 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--loss", "gain"), "loss: no loss 'gain'; there are"),
        (("--estimator", "arms"), "estimator: must be one of auto, reinforce"),
        (("--select-on", "ndcg"), "select_on: must be `mean` or a measure: no measure 'ndcg'"),
        (("--epochs", "0"), "epochs: 0 is less than the minimum of 1"),
        (("--relevant-from", "0"), "relevant_from: 0 is less than the minimum of 1"),
        (("--select-by", "trec"), "select_by: must be one of letor, paper, not 'trec'"),
        (("--learning-rate", "-1"), "learning_rate: -1.0 must be more than 0"),
        (("--levels", "1"), "levels: 1 is less than the minimum of 2"),
        (
            ("--loss", "ndcg-file-order", "--estimator", "local-expectation"),
            "the estimator local-expectation cannot be used with the loss ndcg-file-order",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_told_without_a_traceback(
    command: Command, train_file: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = command("train", train_file, "--model", tmp_path / "model.npz", *options)
    assert (done.code, done.out) == (1, "")
    assert f"error: {message}" in done.err
    assert not (tmp_path / "model.npz").exists()


def test_training_data_without_relevant_documents_are_told(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_text("0 qid:1 1:1\n0 qid:1 1:2\n")
    done = command("train", tmp_path / "data.txt", "--model", tmp_path / "model.npz")
    assert done.code == 1
    assert done.err.startswith("error: no document is relevant")


def test_validation_data_with_more_features_are_told_with_the_line(
    command: Command, train_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "vali.txt").write_text("1 qid:1 3:1\n0 qid:1 4:1\n")
    done = command(
        *("train", train_file, "--vali", tmp_path / "vali.txt", "--model", tmp_path / "model.npz")
    )
    assert done.code == 1
    assert f"error: {tmp_path / 'vali.txt'}:2: feature number above 3: '4:1'" in done.err


@pytest.mark.slow
def test_documents_with_features_that_the_model_does_not_know_are_told_with_the_line(
    command: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_text("1 qid:1 1:0.5 9:1\n")
    done = command("rank", tmp_path / "data.txt", "--model", model)
    assert (done.code, done.out) == (1, "")
    assert f"error: {tmp_path / 'data.txt'}:1: feature number above 3: '9:1'" in done.err


@pytest.mark.slow
def test_features_left_out_are_0(command: Command, model: Path, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("0 qid:1 1:0.5\n0 qid:1 1:0.5 2:0 3:0\n")
    first, second = command("rank", tmp_path / "data.txt", "--model", model).out.split()
    assert float(first) == pytest.approx(float(second), rel=1e-6)


def test_what_is_no_model_is_told_without_a_traceback(
    command: Command, unseen_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "scores.txt").write_text("0.25\n-1e-3\n")
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04\x00\x00")
    for name, message in {
        unseen_file.name: "looks like text, not a model",
        "scores.txt": "looks like a score file, not a model",
        "cut.npz": "not a model file, or a damaged one",
        "none.npz": "there is no such model file",
    }.items():
        done = command("rank", unseen_file, "--model", tmp_path / name)
        assert (done.code, done.out) == (1, "")
        assert f"error: {tmp_path / name}: {message}" in done.err


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("folder", "is a folder, not a file to write"),
        ("train.txt/model.npz", "train.txt is not a folder"),
        ("train.txt/deep/er/model.npz", "train.txt is not a folder"),
    ],
)
@pytest.mark.parametrize("option", ["--model", "--history"])
def test_file_that_cannot_be_written_is_told_before_training(
    command: Command, train_file: Path, tmp_path: Path, option: str, place: str, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    done = command(
        *("train", train_file, "--model", tmp_path / "model.npz", option, tmp_path / place, *FAST)
    )
    assert (done.code, done.out) == (1, "")
    assert f"error: {tmp_path / place}: " in done.err
    assert message in done.err
    assert "Training" not in done.err


@pytest.mark.slow
def test_folder_in_place_of_the_scores_is_told(
    command: Command, model: Path, unseen_file: Path, tmp_path: Path
) -> None:
    done = command("rank", unseen_file, "--model", model, "--output", tmp_path)
    assert (done.code, done.err) == (1, f"error: {tmp_path}: is a folder, not a file to write\n")


def test_every_setting_of_the_ranker_is_an_option_of_its_type() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = ["--hidden", "8", "4", "--samples", "2", "--members", "3", "--patience", "7"]
    more = ["--weight-decay", "0.5", "--scoring", "top"]
    given = parser.parse_args(["train.txt", "--model", "m", *options, *more])
    every = {action.dest for action in parser._actions}
    assert set(ARSMRanker().get_params()) - {"checkpoint"} <= every
    assert (given.hidden, given.samples, given.members) == ([8, 4], 2, 3)
    assert (given.weight_decay, given.scoring, given.patience) == (0.5, "top", 7)


def test_a_setting_out_of_range_is_told_before_anything_is_read(command: Command) -> None:
    done = command("train", "nowhere.txt", "--model", "m", "--levels", "1", "--averaging", "1")
    assert done.code == 1
    assert "levels: 1 is less than the minimum of 2" in done.err
    assert "averaging: 1.0 must be less than 1" in done.err


@pytest.mark.slow
def test_unscaled_features_are_told_in_one_line(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "unscaled.txt"
    path.write_text("2 qid:1 1:3e6 2:1\n0 qid:1 1:5 2:0\n" * 5)
    given = (path, "--model", tmp_path / "model.npz", *FAST, "--epochs", "1")
    done = command("train", *given, "--feature-scaling", "none")
    assert done.code == 0
    told = [line for line in done.err.splitlines() if "warning" in line.lower()]
    assert told == [
        "warning: feature 1 (from 1) has the value 3e+06, and feature_scaling is none: features "
        "that are not scaled are learnt badly or not at all; set feature_scaling to standard or "
        "quantile"
    ]
    assert "warnings.warn" not in done.err
    done = command("train", *given, "--feature-scaling", "standard")
    assert "warning" not in done.err


@pytest.mark.slow
def test_what_is_relevant_is_kept_with_the_model(
    command: Command, train_file: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "model.npz"
    options = (*FAST, "--epochs", "1", "--relevant-from", "2", "--loss", "average-precision")
    assert command("train", train_file, "--model", saved, *options).code == 0
    assert ARSMRanker.load(saved).relevant_from == 2
    done = command("train", train_file, "--model", saved, *FAST, "--relevant-from", "3")
    assert done.err.endswith(
        "error: relevant_from is 3, but the highest label is 2: no document would be relevant\n"
    )


@pytest.mark.slow
def test_a_preset_is_what_is_not_given(command: Command, train_file: Path, tmp_path: Path) -> None:
    for preset, expected in (("paper", ARSMRanker.paper()), ("best", ARSMRanker())):
        saved = tmp_path / f"{preset}.npz"
        options = ("--preset", preset, "--epochs", "1", "--hidden", "4")
        assert command("train", train_file, "--model", saved, *options).code == 0
        found = ARSMRanker.load(saved).get_params()
        assert found == {**expected.get_params(), "epochs": 1, "hidden": (4,)}


@pytest.mark.slow
def test_a_table_with_its_columns_in_another_order_is_refused(
    command: Command, train_file: Path, tmp_path: Path
) -> None:
    table, saved = tmp_path / "train.parquet", tmp_path / "model.npz"
    data = parse_file(train_file).table
    data.write_parquet(table)
    options = ("--epochs", "1", "--hidden", "4", "--vali", table)
    assert command("train", table, "--model", saved, *options).code == 0
    assert command("rank", table, "--model", saved).code == 0
    data.select("label", "qid", "docid", "f2", "f1", "f3").write_parquet(table)
    done = command("rank", table, "--model", saved)
    assert done.code == 1
    assert "must be in the same order" in done.err
