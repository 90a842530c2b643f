"""Stored parts, and how they are read back as folds.

A part is one or more Parquet files with some of its rows each, so that whoever reads it needs
memory for the arrays that come of it and for one file at a time.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from arsm_l2r.errors import UserError, ValidationError
from arsm_l2r.files import BROKEN_TABLE, read_json
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.part import Fingerprint, LabelCounts, Part, PartFacts
from arsm_l2r.settings import Positive, Settings, checked

INDEX = "parts.json"
"""File beside the parts that says what they are, and the CRC-32 of each of their files. It tells
damage, at 5 % of the time that reading takes; against forgery nothing beside the parts would help.
"""

NOTE = "arsm_l2r"
"""Where the metadata of a part's file say which it is."""

_KEYS: dict[str, Any] = {"label": pl.UInt8, "qid": pl.Int64, "docid": pl.String}
"""The columns before the features."""


class Piece(Settings):
    """A file that holds some rows of a part."""

    file: str
    rows: Positive
    bytes: Positive
    crc32: str = Field(pattern="^[0-9a-f]{8}$")


class PartNote(PartFacts):
    """What is noted of a part."""

    queries: Positive
    labels: LabelCounts
    fingerprint: Fingerprint
    pieces: list[Piece] = Field(min_length=1)


class Index(Settings):
    """What is noted of all parts of a data set."""

    dataset: str
    source: str
    folds: Positive
    parts: list[PartNote] = Field(min_length=1)


def piece_name(part: int, piece: int = 1) -> str:
    """The name of a part's file, both numbers from 1: `S3.parquet`, `S3-2.parquet` and so on."""
    return f"S{part}.parquet" if piece == 1 else f"S{part}-{piece}.parquet"


def identity_of(dataset: str, part: int, piece: int) -> str:
    """What a part's file says that it is."""
    return f"{dataset} S{part} {piece}"


def checksum(content: bytes) -> str:
    """CRC-32 in hexadecimal digits."""
    return f"{zlib.crc32(content):08x}"


@dataclass(frozen=True)
class Judged:
    """Labels of documents lying flat, those of one query together.

    Attributes:
        labels: (documents,) int64, from 0.
        group: (queries,) int64, how many documents each query has.
        qids: (queries,) int64, the queries' numbers.
        fingerprint: identifies what the data were made from.
    """

    labels: np.ndarray
    group: np.ndarray
    qids: np.ndarray
    fingerprint: str


@dataclass(frozen=True)
class RankingData(Judged):
    """Documents with their features, (documents, P) float32."""

    features: np.ndarray


@dataclass(frozen=True)
class Fold:
    """The three data sets of one fold."""

    train: RankingData
    vali: RankingData
    test: RankingData


def read_index(folder: Path) -> Index:
    """What is noted of the parts in a folder.

    Raises:
        UserError: if it cannot be read, saying how to make the parts again.
    """
    path = folder / INDEX
    try:
        return checked(Index, read_json(path), source=str(path))
    except UserError as error:
        raise _refusal(folder, str(error)) from error


def read_parts(folder: Path, dataset: str | None = None) -> list[Part]:
    """Read all parts of a data set as tables, S1 first.

    Args:
        folder: that `prepare` filled.
        dataset: its name; parts of another data set are then refused.
    """
    stored = Stored(folder, dataset)
    return [
        Part(pl.concat(stored.pieces(number)), note.fingerprint)
        for number, note in enumerate(stored.index.parts, start=1)
    ]


def read_fold(folder: Path, fold: int, dataset: str | None = None) -> Fold:
    """Put a fold (from 1) together from the parts in `folder`.

    Every part is compared with what was noted when it was stored: its checksum, data set, number,
    rows and labels.

    Args:
        folder: that `prepare` filled.
        fold: which.
        dataset: its name; parts of another data set are then refused.

    Raises:
        UserError: if there is no such fold, or naming the part that is missing or has changed.
    """
    stored = Stored(folder, dataset)
    train, vali, test = stored.divided(fold)
    return Fold(stored.data(train), stored.data(vali), stored.data(test))


def read_judged(folder: Path, fold: int, dataset: str | None = None) -> tuple[Judged, Judged]:
    """The labels of a fold's validation and test documents; see `read_fold`."""
    stored = Stored(folder, dataset)
    _, vali, test = stored.divided(fold)
    return stored.judged(vali), stored.judged(test)


class Stored:
    """The parts in a folder, each compared with what was noted of it when it is read.

    Args:
        folder: that `prepare` filled.
        dataset: its name; parts of another data set are then refused.

    Attributes:
        index: what is noted of them.
    """

    def __init__(self, folder: Path, dataset: str | None = None) -> None:
        self._folder = folder
        self.index = read_index(folder)
        if dataset not in (None, self.index.dataset):
            reason = f"{folder}: is of the data set {self.index.dataset}, not of {dataset}"
            raise _refusal(folder, reason)

    def divided(self, fold: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The parts that a fold trains, validates and tests on."""
        if not 1 <= fold <= self.index.folds:
            raise UserError(f"{self._folder}: no fold {fold}; it holds {self.index.folds}")
        parts = fold_parts(fold, len(self.index.parts))
        return parts.train, parts.vali, parts.test

    def pieces(self, part: int, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows of a part (from 1), one file after the other; all columns, or some.

        Raises:
            UserError: naming the file that is missing or has changed.
        """
        note = self.index.parts[part - 1]
        labels = np.zeros(len(note.labels), np.int64)
        for number, piece in enumerate(note.pieces, start=1):
            path = self._folder / piece.file
            table = self._read(path, piece, columns)
            if self._identity != identity_of(self.index.dataset, part, number):
                raise _refusal(self._folder, f"{path}: is {self._identity!r}, not S{part} {number}")
            counted = np.bincount(table["label"].to_numpy(), minlength=len(labels))
            if table.height != piece.rows or len(counted) > len(labels):
                raise self._changed(path)
            labels += counted
            yield table
        if tuple(labels.tolist()) != note.labels:
            raise self._changed(path)

    def data(self, parts: Sequence[int]) -> RankingData:
        """Some parts joined, with their features."""
        rows, keys, features = 0, [], np.empty((0, 0), np.float32)
        documents = sum(self.index.parts[part - 1].rows for part in parts)
        for part in parts:
            for table in self.pieces(part):
                own = table.drop(*_KEYS)
                if not rows:
                    features = np.empty((documents, own.width), np.float32)
                if own.width != features.shape[1]:
                    raise _refusal(self._folder, f"{self._folder}: S{part} has other features")
                features[rows : rows + table.height] = own.to_numpy()
                rows += table.height
                keys.append(table.select("label", "qid"))
        return _with_features(self._judged(keys, parts), features)

    def judged(self, parts: Sequence[int]) -> Judged:
        """Some parts joined, without their features."""
        columns = ["label", "qid"]
        keys = [table for part in parts for table in self.pieces(part, columns)]
        return self._judged(keys, parts)

    def _judged(self, keys: Sequence[pl.DataFrame], parts: Sequence[int]) -> Judged:
        prints = [self.index.parts[part - 1].fingerprint for part in parts]
        return _judged(pl.concat(keys), "+".join(prints))

    def _read(self, path: Path, piece: Piece, columns: list[str] | None) -> pl.DataFrame:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise _refusal(self._folder, f"{path}: cannot be read: {error.strerror}") from error
        if (len(content), checksum(content)) != (piece.bytes, piece.crc32):
            raise _refusal(self._folder, f"{path}: has changed since it was validated")
        try:
            self._identity = pl.read_parquet_metadata(BytesIO(content)).get(NOTE)
            table = pl.read_parquet(BytesIO(content), columns=columns)
        except BROKEN_TABLE as error:
            raise _refusal(self._folder, f"{path}: is no stored part: {error}") from error
        wanted = [(name, kind) for name, kind in _KEYS.items() if not columns or name in columns]
        first, others = list(table.schema.items())[: len(wanted)], table.dtypes[len(wanted) :]
        filled = table.drop("docid", strict=False)
        if (
            first != wanted
            or not set(others) <= {pl.Float32}
            or any(column.null_count() for column in filled)
        ):
            raise _refusal(self._folder, f"{path}: has other columns than were validated")
        return table

    def _changed(self, path: Path) -> UserError:
        return _refusal(self._folder, f"{path}: has other documents than were validated")


def _refusal(folder: Path, reason: str) -> UserError:
    return UserError(
        f"{reason}. To make the parts again, delete the folder {folder} and run snakemake, or "
        "scripts/prepare.py."
    )


def _judged(keys: pl.DataFrame, fingerprint: str) -> Judged:
    runs = keys["qid"].rle().struct.unnest()
    if runs["value"].n_unique() < runs.height:
        qid = runs.filter(pl.col("value").is_duplicated())["value"][0]
        raise ValidationError("queries", [f"the documents of query {qid} do not stand together"])
    return Judged(
        labels=keys["label"].cast(pl.Int64).to_numpy(),
        group=runs["len"].cast(pl.Int64).to_numpy(),
        qids=runs["value"].to_numpy(),
        fingerprint=fingerprint,
    )


def _with_features(judged: Judged, features: np.ndarray) -> RankingData:
    return RankingData(judged.labels, judged.group, judged.qids, judged.fingerprint, features)


def ranking_data(table: pl.DataFrame, fingerprint: str = "") -> RankingData:
    """Arrays of a table.

    Raises:
        ValidationError: if the documents of a query do not stand together.
    """
    features = table.drop(*_KEYS).to_numpy(order="c")
    return _with_features(_judged(table, fingerprint), features)
