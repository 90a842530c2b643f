"""Keep parts as Parquet files, and read them back as folds."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from arsm_l2r.errors import UserError, ValidationError
from arsm_l2r.files import BROKEN_TABLE, written_whole
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.part import Part, PartFacts

if TYPE_CHECKING:
    from arsm_l2r.letor.catalogue import Dataset

SUMS = "checksums.txt"
"""File beside the parts: the CRC-32, size and name of each. It tells damage, at 5 % of the time
that reading takes; against forgery nothing beside the parts would help."""

_NOTE = "arsm_l2r"


@dataclass(frozen=True)
class RankingData:
    """Documents lying flat, those of one query together.

    Attributes:
        features: (documents, P) float32.
        labels: (documents,) int64, from 0.
        group: (queries,) int64, how many documents each query has.
        qids: (queries,) int64, the queries' numbers.
        fingerprint: identifies what the data were made from.
    """

    features: np.ndarray
    labels: np.ndarray
    group: np.ndarray
    qids: np.ndarray
    fingerprint: str


@dataclass(frozen=True)
class Fold:
    """The three data sets of one fold."""

    train: RankingData
    vali: RankingData
    test: RankingData


def part_path(folder: Path, number: int) -> Path:
    """The file of part `number`, from 1."""
    return folder / f"S{number}.parquet"


def store_parts(dataset: "Dataset", parts: Sequence[Part], folder: Path, source: str) -> None:
    """Write each part as `S1.parquet` …, with its fingerprint and source in the metadata.

    Beside them are their checksums, by which reading knows that they have not changed.
    """
    sums = []
    for number, part in enumerate(parts, start=1):
        note = {
            "dataset": dataset.name,
            "part": number,
            "parts": len(parts),
            "source": source,
            **part.facts(dataset.labels).model_dump(mode="json"),
        }
        path = part_path(folder, number)
        with written_whole(path) as temporary:
            part.table.write_parquet(temporary, metadata={_NOTE: json.dumps(note)})
            sums.append(f"{_checksum(temporary.read_bytes())} {path.name}\n")
    with written_whole(folder / SUMS) as temporary:
        temporary.write_text("".join(sums), encoding="ascii")


def read_parts(folder: Path, dataset: str | None = None) -> tuple[list[Part], str]:
    """Read all parts of a data set, S1 first, and the source they came from.

    Args:
        folder: that `store_parts` filled.
        dataset: its name; parts of another data set are then refused.
    """
    stored = _Stored(folder, dataset)
    parts = [
        Part(stored.tables[number], stored.notes[number].fingerprint) for number in stored.tables
    ]
    return parts, stored.notes[1].source


def read_fold(folder: Path, fold: int, dataset: str | None = None) -> Fold:
    """Put a fold (from 1) together from the parts in `folder`.

    Every part is compared with what was noted when it was stored: its checksum, data set, number,
    rows and labels.

    Args:
        folder: that `store_parts` filled.
        fold: which.
        dataset: its name; parts of another data set are then refused.

    Raises:
        UserError: if there is no such fold, or naming the part that is missing or has changed.
    """
    stored = _Stored(folder, dataset)
    if fold not in stored.tables:
        raise UserError(f"{folder}: no fold {fold}; it holds {len(stored.tables)} parts")

    def read(numbers: Sequence[int]) -> RankingData:
        tables = [stored.tables[number] for number in numbers]
        prints = [stored.notes[number].fingerprint for number in numbers]
        return ranking_data(pl.concat(tables), "+".join(prints))

    rotation = fold_parts(fold, len(stored.tables))
    return Fold(read(rotation.train), read(rotation.vali), read(rotation.test))


class PartNote(PartFacts):
    """What is noted in the file of a part."""

    dataset: str
    part: int
    parts: int
    source: str


def part_note(file: Path | BytesIO) -> PartNote:
    """What is noted in the file of a part, without reading the part.

    Raises:
        UserError: if it is no such file.
    """
    try:
        return PartNote.model_validate_json(pl.read_parquet_metadata(file)[_NOTE])
    except (OSError, KeyError, ValueError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{file}: is no stored part: {error}") from error


class _Stored:
    """All parts in a folder, which have been found to be as they were stored."""

    def __init__(self, folder: Path, dataset: str | None) -> None:
        self.folder = folder
        self.tables: dict[int, pl.DataFrame] = {}
        self.notes: dict[int, PartNote] = {}
        for number, expected in enumerate(self._sums(), start=1):
            self._read(number, expected)
        for number, note in self.notes.items():
            if note.parts != len(self.notes):
                reason = f"is one of {note.parts} parts, not of {len(self.notes)}"
                raise self._refusal(part_path(folder, number), reason)
            if note.dataset != (dataset or self.notes[1].dataset):
                reason = f"is of the data set {note.dataset}, not of {dataset or 'that of S1'}"
                raise self._refusal(part_path(folder, number), reason)

    def _sums(self) -> list[str]:
        path = self.folder / SUMS
        try:
            lines = path.read_text(encoding="ascii").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise self._refusal(path, f"cannot be read: {error}") from error
        for number, line in enumerate(lines, start=1):
            if not line.endswith(f" {part_path(self.folder, number).name}"):
                raise self._refusal(path, f"line {number} is {line[:80]!r}")
        if not lines:
            raise self._refusal(path, "is empty")
        return [line.rpartition(" ")[0] for line in lines]

    def _read(self, number: int, expected: str) -> None:
        path = part_path(self.folder, number)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise self._refusal(path, f"cannot be read: {error.strerror}") from error
        if _checksum(content) != expected:
            raise self._refusal(path, "has changed since it was validated")
        try:
            self.notes[number] = part_note(BytesIO(content))
            self.tables[number] = pl.read_parquet(BytesIO(content))
        except (UserError, *BROKEN_TABLE) as error:
            raise self._refusal(path, f"is no stored part: {error}") from error
        self._compare(path, number)

    def _compare(self, path: Path, number: int) -> None:
        """Compare a part with its note."""
        note, table = self.notes[number], self.tables[number]
        kinds = [table.schema.get(name) for name in ("label", "qid", "docid")]
        features = table.drop("docid", strict=False)
        if (
            kinds != [pl.UInt8, pl.Int64, pl.String]
            or set(features.dtypes[2:]) != {pl.Float32}
            or any(column.null_count() for column in features)
        ):
            raise self._refusal(path, "has other columns than were validated")
        if note.part != number:
            raise self._refusal(path, f"is part S{note.part}")
        labels = np.bincount(table["label"].to_numpy(), minlength=len(note.labels))
        if table.height != note.rows or labels.tolist() != list(note.labels):
            raise self._refusal(path, "has other documents than were validated")

    def _refusal(self, path: Path, reason: str) -> UserError:
        return UserError(
            f"{path}: {reason}. To make the parts again, delete the folder {self.folder} and run "
            "snakemake, or scripts/prepare.py."
        )


def _checksum(content: bytes) -> str:
    return f"{zlib.crc32(content):08x} {len(content)}"


def ranking_data(table: pl.DataFrame, fingerprint: str = "") -> RankingData:
    """Arrays of a table.

    Raises:
        ValidationError: if the documents of a query do not stand together.
    """
    runs = table["qid"].rle().struct.unnest()
    if runs["value"].n_unique() < runs.height:
        qid = runs.filter(pl.col("value").is_duplicated())["value"][0]
        raise ValidationError("queries", [f"the documents of query {qid} do not stand together"])
    features = table.drop("label", "qid", "docid").to_numpy(order="c")
    return RankingData(
        features=features,
        labels=table["label"].cast(pl.Int64).to_numpy(),
        group=runs["len"].cast(pl.Int64).to_numpy(),
        qids=runs["value"].to_numpy(),
        fingerprint=fingerprint,
    )
