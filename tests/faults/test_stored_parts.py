"""Data that changed after they were validated are not trained on."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import INDEX, checksum, piece_name, read_fold, read_parts

from ..letor.tiny import DATASET, changed, fold_files, write_files
from .conftest import Program

FLIPS = 300


@pytest.fixture
def parts(finished_once: Path, tmp_path: Path) -> Path:
    """The stored parts of the synthetic data, to do anything with."""
    return Path(shutil.copytree(finished_once / "data" / "synthetic" / "parts", tmp_path / "parts"))


@pytest.mark.slow
def test_no_flipped_bit_is_read(parts: Path) -> None:
    draw = np.random.default_rng(0)
    read, told = 0, set()
    for _ in range(FLIPS):
        path = parts / piece_name(int(draw.integers(1, 6)))
        good = path.read_bytes()
        bad = bytearray(good)
        bad[draw.integers(len(good))] ^= 1 << int(draw.integers(8))
        path.write_bytes(bad)
        try:
            read_fold(parts, 1)
            read += 1
        except UserError as error:
            told.add(str(error).partition(". ")[0].replace(str(path), "part"))
        path.write_bytes(good)
    print(f"{FLIPS} flipped bits in stored parts, {read} read")
    assert (read, told) == (0, {"part: has changed since it was validated"})
    read_fold(parts, 1)


def _cut(parts: Path) -> None:
    path = parts / piece_name(4)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _swap(parts: Path) -> None:
    one, two = parts / piece_name(1), parts / piece_name(4)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def _swap_with_checksums(parts: Path) -> None:
    _swap(parts)
    index = json.loads((parts / INDEX).read_text())
    (one,), (two,) = index["parts"][0]["pieces"], index["parts"][3]["pieces"]
    one["file"], two["file"] = two["file"], one["file"]
    index["parts"][0], index["parts"][3] = index["parts"][3], index["parts"][0]
    (parts / INDEX).write_text(json.dumps(index))


def _rewrite(parts: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Replace a part by a changed one, with the note of the old and a checksum of the new."""
    path = parts / piece_name(3)
    note = pl.read_parquet_metadata(path)["arsm_l2r"]
    change(pl.read_parquet(path)).write_parquet(path, metadata={"arsm_l2r": note})
    index, content = json.loads((parts / INDEX).read_text()), path.read_bytes()
    index["parts"][2]["pieces"][0] |= {"bytes": len(content), "crc32": checksum(content)}
    (parts / INDEX).write_text(json.dumps(index))


def _all_labels_2(parts: Path) -> None:
    _rewrite(parts, lambda table: table.with_columns(pl.lit(2, pl.UInt8).alias("label")))


def _fewer_rows(parts: Path) -> None:
    _rewrite(parts, lambda table: table.head(table.height // 2))


def _other_types(parts: Path) -> None:
    _rewrite(parts, lambda table: table.with_columns(pl.col("label").cast(pl.Float64)))


def _no_values(parts: Path) -> None:
    _rewrite(parts, lambda table: table.with_columns(pl.lit(None, pl.Int64).alias("qid")))


def _no_labels(parts: Path) -> None:
    _rewrite(parts, lambda table: table.drop("label"))


def _of_another_data_set(parts: Path) -> None:
    other = parts.parent / "other"
    text = write_files(parts.parent / "text", fold_files())
    prepare(DATASET, text, other)
    shutil.copy(other / piece_name(2), parts / piece_name(2))


def _without_index(parts: Path) -> None:
    (parts / INDEX).unlink()


CHANGES = {
    "cut in half": _cut,
    "swapped": _swap,
    "swapped with their checksums": _swap_with_checksums,
    "all labels 2": _all_labels_2,
    "fewer rows": _fewer_rows,
    "labels of another type": _other_types,
    "queries that are nothing": _no_values,
    "no labels": _no_labels,
    "of another data set": _of_another_data_set,
    "without an index": _without_index,
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changed_parts_are_refused_with_a_way_out(parts: Path, change: Callable) -> None:
    change(parts)
    for read in (lambda: read_fold(parts, 1), lambda: read_parts(parts)):
        with pytest.raises(UserError, match=r"To make the parts again, delete the folder"):
            read()


def test_parts_of_one_data_set_in_the_folder_of_another_are_refused(tmp_path: Path) -> None:
    dataset = changed(DATASET, name="other")
    text = write_files(tmp_path / "text", fold_files())
    prepare(dataset, text, tmp_path / "parts")
    with pytest.raises(UserError, match="is of the data set other, not of tiny"):
        read_fold(tmp_path / "parts", 1, "tiny")


@pytest.mark.slow
def test_training_and_measuring_refuse_what_has_changed(
    parts: Path, finished_once: Path, tmp_path: Path, program: Program
) -> None:
    _cut(parts)
    run = finished_once / "results" / "synthetic" / "fold1" / "adarank-map" / "seed0"
    training = program(
        finished_once,
        *("train", "--parts", parts, "--dataset", "synthetic", "--fold", 1),
        *("--method", "adarank-map", "--settings", json.dumps({"rounds": 1})),
        *("--checkpoint", tmp_path / "state", "--output", tmp_path / "run"),
    )
    measuring = program(
        finished_once,
        *("evaluate", "--parts", parts, "--dataset", "synthetic", "--fold", 1),
        *("--vali-scores", run / "vali.scores", "--test-scores", run / "test.scores"),
        *("--measures", tmp_path / "m.parquet", "--summary", tmp_path / "s.json"),
    )
    for ended in (training, measuring):
        assert ended.refused, ended
        assert "S4.parquet: has changed since it was validated" in ended.said
    assert not (tmp_path / "run").exists()
