"""Stored parts: what goes in comes out, as parts, as folds, and in numbers."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.letor import part_writer
from arsm_l2r.letor.describe import describe
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import (
    INDEX,
    PartNote,
    RankingData,
    Stored,
    piece_name,
    ranking_data,
    read_fold,
    read_judged,
    read_parts,
)

from .tiny import DATASET, ROTATION, changed, facts_of, fold_files, part_text, write_files


@pytest.fixture(params=["whole", "in pieces"])
def stored(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of parts, each in one file or in three; its name would be a pattern if it were taken
    for one.
    """
    folder = tmp_path / "parts [1]"
    if request.param == "in pieces":
        monkeypatch.setattr(part_writer, "BYTES_AT_ONCE", 2 * 4 * DATASET.features)
    prepare(DATASET, write_files(tmp_path / "text", fold_files()), folder, "somewhere")
    return folder


@pytest.fixture
def parts(stored: Path) -> list[PartNote]:
    return Stored(stored).index.parts


def test_parts_come_back_as_they_were(stored: Path) -> None:
    again = read_parts(stored)
    assert Stored(stored).index.source == "somewhere"
    assert len(again) == 5
    for number, part in enumerate(again, start=1):
        features, labels, qids = arrays_by_hand((number,))
        assert part.table["label"].to_list() == labels
        assert part.table["qid"].to_list() == qids
        assert part.table["docid"].to_list() == list("ABCAB")
        np.testing.assert_array_equal(
            part.table.select("f1", "f2").to_numpy(), np.array(features, np.float32)
        )


def test_note_of_a_part_says_what_it_is(stored: Path) -> None:
    index = Stored(stored).index
    assert (index.dataset, index.folds, len(index.parts)) == ("tiny", 5, 5)
    note = index.parts[3]
    assert (note.rows, note.queries, note.labels) == (5, 2, (3, 1, 1))
    assert sum(piece.rows for piece in note.pieces) == 5
    metadata = [pl.read_parquet_metadata(stored / piece.file) for piece in note.pieces]
    assert [each["arsm_l2r"] for each in metadata] == [
        f"tiny S4 {number}" for number in range(1, len(note.pieces) + 1)
    ]


def test_nothing_but_the_parts_and_their_index_is_written(stored: Path) -> None:
    found = {path.name for path in stored.iterdir()}
    pieces = 1 if len(found) == 6 else 3
    names = {piece_name(part, n) for part in range(1, 6) for n in range(1, pieces + 1)}
    assert found == names | {INDEX}


def arrays_by_hand(numbers: tuple[int, ...]) -> tuple[list[list[float]], list[int], list[int]]:
    """Features, labels and queries of some parts, read from their text."""
    features, labels, qids = [], [], []
    for line in "".join(map(part_text, numbers)).splitlines():
        label, qid, *entries = line.partition("#")[0].split()
        features.append([float(entry.partition(":")[2]) for entry in entries])
        labels.append(int(label))
        qids.append(int(qid.removeprefix("qid:")))
    return features, labels, qids


@pytest.mark.parametrize("fold", ROTATION)
def test_fold_is_its_parts_joined_in_order(stored: Path, parts: list[PartNote], fold: int) -> None:
    actual, rotation = read_fold(stored, fold), fold_parts(fold, 5)
    for split in ("train", "vali", "test"):
        data: RankingData = getattr(actual, split)
        numbers: tuple[int, ...] = getattr(rotation, split)
        features, labels, qids = arrays_by_hand(numbers)
        np.testing.assert_array_equal(data.features, np.array(features, dtype=np.float32))
        np.testing.assert_array_equal(data.labels, labels)
        np.testing.assert_array_equal(np.repeat(data.qids, data.group), qids)
        assert len(set(data.qids.tolist())) == len(data.qids) == 2 * len(numbers)
        assert data.fingerprint == "+".join(parts[n - 1].fingerprint for n in numbers)


def test_labels_can_be_read_without_features(stored: Path) -> None:
    fold = read_fold(stored, 2)
    for judged, data in zip(read_judged(stored, 2), (fold.vali, fold.test), strict=True):
        for name in ("labels", "group", "qids"):
            np.testing.assert_array_equal(getattr(judged, name), getattr(data, name))
        assert judged.fingerprint == data.fingerprint


def test_arrays_have_the_promised_types(stored: Path) -> None:
    data = read_fold(stored, 1).train
    assert data.features.dtype == np.float32
    assert data.features.flags.c_contiguous
    assert (data.labels.dtype, data.group.dtype, data.qids.dtype) == (np.int64,) * 3
    assert data.features.shape == (15, 2)


def test_queries_are_runs_of_documents() -> None:
    table = pl.DataFrame(
        {
            "label": pl.Series([0, 1, 2, 0], dtype=pl.UInt8),
            "qid": [7, 7, 7, 3],
            "docid": [None] * 4,
            "f1": pl.Series([0.5, 1, 0, 0], dtype=pl.Float32),
        }
    )
    data = ranking_data(table, "print")
    assert data.group.tolist() == [3, 1]
    assert data.qids.tolist() == [7, 3]
    assert data.labels.tolist() == [0, 1, 2, 0]
    assert data.features.tolist() == [[0.5], [1], [0], [0]]


@pytest.mark.parametrize("number", [1, 3, 5])
def test_deleted_part_is_an_error(stored: Path, number: int) -> None:
    (stored / piece_name(number)).unlink()
    with pytest.raises(UserError, match=rf"S{number}\.parquet: cannot be read: No such file"):
        read_fold(stored, 1)
    with pytest.raises(UserError, match=rf"S{number}\.parquet"):
        read_parts(stored)


def test_foreign_file_is_an_error(stored: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(stored / piece_name(2))
    with pytest.raises(UserError, match=r"S2\.parquet: has changed since it was validated"):
        read_fold(stored, 1)
    (stored / piece_name(2)).write_text("no table at all")
    with pytest.raises(UserError, match=r"S2\.parquet: has changed since it was validated"):
        read_fold(stored, 1)


def test_parts_of_another_data_set_are_refused(stored: Path) -> None:
    assert read_fold(stored, 1, "tiny").train.fingerprint
    with pytest.raises(UserError, match="is of the data set tiny, not of ohsumed"):
        read_fold(stored, 1, "ohsumed")


def test_a_refusal_says_how_to_make_the_parts_again(stored: Path) -> None:
    (stored / piece_name(3)).write_bytes(b"")
    with pytest.raises(UserError) as refusal:
        read_parts(stored)
    assert f"delete the folder {stored} and run snakemake" in str(refusal.value)


@pytest.mark.parametrize("text", [None, "", "{}", "ÿ", '{"dataset": "tiny", "parts": []}'])
def test_an_index_that_is_none_is_refused(stored: Path, text: str | None) -> None:
    (stored / INDEX).unlink()
    if text is not None:
        (stored / INDEX).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=INDEX):
        read_fold(stored, 1)


@pytest.mark.parametrize("fold", [0, 6])
def test_fold_that_does_not_exist_is_an_error(stored: Path, fold: int) -> None:
    with pytest.raises(UserError, match=f"no fold {fold}; it holds 5"):
        read_fold(stored, fold)


def test_description_counts_what_was_read(stored: Path, parts: list[PartNote]) -> None:
    description = describe(DATASET, Stored(stored))
    assert description["judged"] == {
        "queries": 10,
        "documents": 25,
        "features": 2,
        "constant_features": 1,
        "labels": {"0": 15, "1": 5, "2": 5},
        "queries_without_relevant": 5,
        "documents_per_query": {"min": 2, "median": 2.5, "mean": 2.5, "max": 3},
    }
    assert description["parts"][2] == {
        "part": "S3",
        "fingerprint": parts[2].fingerprint,
        "queries": 2,
        "documents": 5,
        "features": 2,
        "constant_features": 1,
        "labels": {"0": 3, "1": 1, "2": 1},
        "queries_without_relevant": 1,
        "documents_per_query": {"min": 2, "median": 2.5, "mean": 2.5, "max": 3},
    }
    assert [part["part"] for part in description["parts"]] == ["S1", "S2", "S3", "S4", "S5"]
    assert (description["dataset"], description["source"]) == ("tiny", "somewhere")


def test_description_tells_whether_the_data_were_compared_with_known_facts(
    stored: Path, parts: list[PartNote]
) -> None:
    known = changed(DATASET, parts=tuple(map(facts_of, parts)))
    assert describe(known, Stored(stored))["checked_against_known_facts"]
    unverified = changed(known, unverified=True)
    assert not describe(unverified, Stored(stored))["checked_against_known_facts"]
    assert not describe(DATASET, Stored(stored))["checked_against_known_facts"]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("/home/someone/letor/Tiny.rar", "Tiny.rar"),
        ("https://example.org/a/Tiny.rar", "https://example.org/a/Tiny.rar"),
    ],
)
def test_description_keeps_to_itself_where_a_file_lay(stored: Path, source: str, kept: str) -> None:
    index = json.loads((stored / INDEX).read_text())
    (stored / INDEX).write_text(json.dumps({**index, "source": source}))
    assert describe(DATASET, Stored(stored))["source"] == kept


def test_description_shows_levels_that_do_not_occur(stored: Path) -> None:
    description = describe(changed(DATASET, labels=5), Stored(stored))
    assert description["judged"]["labels"] == {"0": 15, "1": 5, "2": 5, "3": 0, "4": 0}
