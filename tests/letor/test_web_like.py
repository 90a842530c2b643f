"""Data like MSLR's: their shape, their stream of queries, and the files they are written to."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.letor import web_files
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.parse import parse_file
from arsm_l2r.letor.web_features import CONSTANT, FEATURES
from arsm_l2r.letor.web_files import lines_of, write_web_like
from arsm_l2r.letor.web_like import LONGEST_QUERY, blocks, web_like_queries

SCRIPT = Path(__file__).parents[2] / "scripts" / "generate_synthetic.py"
MIX = np.array([1_940_952, 1_225_770, 504_958, 69_010, 30_435]) / 3_771_125
"""Shares of the labels of MSLR-WEB30K."""
WRITTEN = 72
"""Queries that are written to files: more than a block, and not the same number in each part."""

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def drawn() -> Arrays:
    return web_like_queries(500, seed=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("web") / "like"
    write_web_like(target, WRITTEN, seed=3)
    return target


def per_query(values: np.ndarray, lengths: np.ndarray) -> list[np.ndarray]:
    return np.split(values, np.cumsum(lengths)[:-1])


def ndcg_at_10(scores: np.ndarray, labels: np.ndarray, lengths: np.ndarray) -> float:
    discounts = 1 / np.log2(np.arange(2, 12))
    found = []
    for score, label in zip(per_query(scores, lengths), per_query(labels, lengths), strict=True):
        gains = 2.0**label - 1
        ranked, best = gains[np.argsort(-score, kind="stable")][:10], np.sort(gains)[::-1][:10]
        if best[0] > 0:
            found.append(ranked @ discounts[: len(ranked)] / (best @ discounts[: len(best)]))
    return float(np.mean(found))


def test_labels_are_mixed_as_in_mslr(drawn: Arrays) -> None:
    shares = np.bincount(drawn[1]) / len(drawn[1])
    np.testing.assert_allclose(shares, MIX, atol=0.025)


@pytest.mark.slow
def test_labels_of_many_queries_are_mixed_as_in_mslr_to_a_percent() -> None:
    labels = np.concatenate([block.labels for block in blocks(2000, seed=1)])
    np.testing.assert_allclose(np.bincount(labels) / len(labels), MIX, atol=0.01)


def test_queries_are_as_long_as_in_mslr(drawn: Arrays) -> None:
    lengths = drawn[2]
    assert lengths.mean() == pytest.approx(120, abs=10)
    assert np.median(lengths) == pytest.approx(108, abs=8)
    assert lengths.min() >= 1
    assert 400 < lengths.max() <= LONGEST_QUERY


def test_a_few_queries_have_no_relevant_document(drawn: Arrays) -> None:
    best = np.array([label.max() for label in per_query(drawn[1], drawn[2])])
    assert 0.01 < (best == 0).mean() < 0.08


def test_features_span_twelve_orders_of_magnitude(drawn: Arrays) -> None:
    features = drawn[0]
    assert features.dtype == np.float32
    assert features.shape == (drawn[2].sum(), FEATURES)
    assert np.isfinite(features).all()
    sizes = np.abs(features[features != 0])
    assert sizes.max() / sizes.min() > 1e12
    assert (features[:, 110:125] < 0).all(axis=0).sum() >= 10  # language models


def test_only_the_features_said_to_be_constant_are(drawn: Arrays) -> None:
    same = np.flatnonzero(np.ptp(drawn[0], axis=0) == 0) + 1
    assert {int(number): drawn[0][0, number - 1] for number in same} == CONSTANT


def test_clicks_are_mostly_none_and_sometimes_very_many(drawn: Arrays) -> None:
    of_query, of_page = drawn[0][:, 133], drawn[0][:, 134]
    assert 0.6 < (of_query == 0).mean() < 0.95
    assert 0.3 < (of_page == 0).mean() < 0.7
    assert of_page.max() > 1e6 > 1e3 * np.median(of_page)


def test_features_of_the_same_thing_are_correlated(drawn: Arrays) -> None:
    body = np.log1p(drawn[0][:, [20, 30, 35, 70]])  # sum, most, mean of tf; sum of tf-idf
    assert np.corrcoef(body, rowvar=False).min() > 0.8


def test_features_carry_signal(drawn: Arrays) -> None:
    features, labels, lengths = drawn
    by_chance = ndcg_at_10(np.random.default_rng(0).random(len(labels)), labels, lengths)
    by_bm25 = ndcg_at_10(features[:, 105], labels, lengths)
    assert by_chance < 0.25
    assert by_bm25 > by_chance + 0.05


@pytest.mark.slow
def test_trees_rank_better_than_a_linear_model(drawn: Arrays) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    linear_model = pytest.importorskip("sklearn.linear_model")
    train, labels, lengths = drawn
    test, test_labels, test_lengths = web_like_queries(200, seed=4)
    trees = lightgbm.LGBMRanker(n_estimators=60, min_child_samples=50, n_jobs=1, verbose=-1)
    trees.fit(train, labels, group=lengths)
    mean, spread = train.mean(axis=0), train.std(axis=0) + 1e-6
    linear = linear_model.Ridge(100).fit((train - mean) / spread, labels)
    by_line = ndcg_at_10(linear.predict((test - mean) / spread), test_labels, test_lengths)
    by_trees = ndcg_at_10(trees.predict(test), test_labels, test_lengths)
    assert 0.3 < by_line < by_trees - 0.02 < 0.6


def test_first_queries_are_the_same_however_many_are_drawn(drawn: Arrays) -> None:
    features, labels, lengths = web_like_queries(100, seed=3)
    np.testing.assert_array_equal(lengths, drawn[2][:100])
    np.testing.assert_array_equal(labels, drawn[1][: len(labels)])
    np.testing.assert_array_equal(features, drawn[0][: len(labels)])


def test_another_seed_gives_other_queries(drawn: Arrays) -> None:
    assert web_like_queries(100, seed=4)[2].tolist() != drawn[2][:100].tolist()


def test_lines_are_written_as_mslr_writes_them() -> None:
    block = next(blocks(5, seed=3))
    values = block.features.copy()
    values[0, :6] = [0.000001, -0.5, 100, 0.1 + 0.2, 2e9, -37.632627]
    line = lines_of(type(block)(block.first, block.lengths, block.labels, values))[0]
    assert line.startswith(f"{block.labels[0]} qid:1 1:0.000001 2:-0.5 3:100 4:0.3 5:2000000000 ")
    assert " 6:-37.632627 " in line
    assert line.endswith(f" 136:{values[0, -1]:.6f}".rstrip("0").rstrip(".") + " ")


def test_text_holds_the_very_values_of_the_arrays(folder: Path, drawn: Arrays) -> None:
    parts = [parse_file(folder / f"Fold{fold}/test.txt").table for fold in range(1, 6)]
    table = pl.concat(parts).sort("qid", maintain_order=True)
    documents = int(drawn[2][:WRITTEN].sum())
    np.testing.assert_array_equal(table.drop("label", "qid", "docid"), drawn[0][:documents])
    np.testing.assert_array_equal(table["label"], drawn[1][:documents])
    lengths = table.group_by("qid", maintain_order=True).len()
    assert lengths["qid"].to_list() == list(range(1, WRITTEN + 1))
    assert lengths["len"].to_list() == drawn[2][:WRITTEN].tolist()


def test_folds_rotate_over_five_parts(folder: Path) -> None:
    parts = {part: (folder / f"Fold{part % 5 + 1}/test.txt").read_text() for part in range(1, 6)}
    for fold in range(1, 6):
        rotation = fold_parts(fold, 5)
        for split in ("train", "vali", "test"):
            text = "".join(parts[part] for part in getattr(rotation, split))
            assert (folder / f"Fold{fold}/{split}.txt").read_text() == text
    assert len(list(folder.rglob("*.txt"))) == 15
    assert [path.name for path in folder.parent.iterdir()] == ["like"]


def test_archive_holds_the_same_as_the_folder(folder: Path, tmp_path: Path) -> None:
    write_web_like(tmp_path / "like.zip", WRITTEN, seed=3)
    with zipfile.ZipFile(tmp_path / "like.zip") as archive:
        texts = {name.removeprefix("MSLR-LIKE/"): archive.read(name) for name in archive.namelist()}
    written = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.txt")}
    assert texts == written
    assert [path.name for path in tmp_path.iterdir()] == ["like.zip"]


def test_what_is_there_already_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    for target in (tmp_path, tmp_path / "notes"):
        with pytest.raises(UserError, match="exists already"):
            write_web_like(target, 5)
    (tmp_path / "empty").mkdir()
    write_web_like(tmp_path / "empty", 5)
    assert (tmp_path / "empty" / "Fold5" / "train.txt").exists()


def test_nothing_is_left_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Iterator[None]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(web_files, "_copy", full)
    for name in ("like", "like.zip"):
        with pytest.raises(UserError, match=f"{name}: cannot be written: No space left"):
            write_web_like(tmp_path / name, 5)
    assert list(tmp_path.iterdir()) == []


def test_room_is_looked_for_first(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"needs .* bytes"):
        write_web_like(tmp_path / "like", 10**12)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("queries", "seed", "message"),
    [(4, 0, "4 queries don't make 5 parts"), (5, -1, "seed must be at least 0")],
)
def test_arguments_out_of_range_are_refused(
    queries: int, seed: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        write_web_like(tmp_path / "like", queries, seed)
    assert list(tmp_path.iterdir()) == []


def test_no_queries_are_refused() -> None:
    with pytest.raises(UserError, match="at least 1, not 0"):
        web_like_queries(0)


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_command_writes_what_the_function_does(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "like"
    asked = ("--like", "mslr", "--queries", str(WRITTEN), "--seed", "3")
    done = generate(*asked, "--output", str(target))
    assert done.returncode == 0, done.stderr
    assert f"query {WRITTEN} of {WRITTEN}" in done.stderr
    for path in folder.rglob("*.txt"):
        assert (target / path.relative_to(folder)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--queries", "10"), "--queries needs --like"),
        (("--seed", "1"), "--seed needs --like"),
        (("--like", "mslr", "--queries", "4"), "at least 5 are needed"),
    ],
)
def test_command_refuses(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = generate(*arguments, "--output", str(tmp_path / "data.zip"))
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
