"""Keep parts as Parquet files, and read them back as folds."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from arsm_l2r.errors import UserError, ValidationError
from arsm_l2r.files import read_parquet, written_whole
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.part import Part

if TYPE_CHECKING:
    from arsm_l2r.letor.catalogue import Dataset

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
    """Write each part as `S1.parquet` …, with its fingerprint and source in the metadata."""
    for number, part in enumerate(parts, start=1):
        note = {
            "dataset": dataset.name,
            "part": number,
            "parts": len(parts),
            "source": source,
            **part.facts(dataset.labels).model_dump(mode="json"),
        }
        with written_whole(part_path(folder, number)) as temporary:
            part.table.write_parquet(temporary, metadata={_NOTE: json.dumps(note)})


def part_note(path: Path) -> dict[str, Any]:
    """What `store_parts` noted about a part: data set, number, source, counts, fingerprint."""
    try:
        note: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)[_NOTE])
    except (OSError, KeyError, ValueError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path}: not a part stored by this project: {error}") from error
    return note


def read_parts(folder: Path) -> tuple[list[Part], str]:
    """Read all parts of a data set, S1 first, and the source they came from."""
    notes = _notes(folder)
    parts = [
        Part(_table(folder, number), note["fingerprint"])
        for number, note in enumerate(notes, start=1)
    ]
    return parts, notes[0]["source"]


def read_fold(folder: Path, fold: int) -> Fold:
    """Put a fold (from 1) together from the parts in `folder`."""
    notes = _notes(folder)
    if not 1 <= fold <= len(notes):
        raise UserError(f"{folder}: no fold {fold}; it holds {len(notes)} parts")

    def read(numbers: Sequence[int]) -> RankingData:
        tables = [_table(folder, number) for number in numbers]
        prints = [notes[number - 1]["fingerprint"] for number in numbers]
        return ranking_data(pl.concat(tables), "+".join(prints))

    rotation = fold_parts(fold, len(notes))
    return Fold(read(rotation.train), read(rotation.vali), read(rotation.test))


def _table(folder: Path, number: int) -> pl.DataFrame:
    return read_parquet(part_path(folder, number))


def _notes(folder: Path) -> list[dict[str, Any]]:
    """The notes of all parts; a part that is missing is an error."""
    count = part_note(part_path(folder, 1))["parts"]
    return [part_note(part_path(folder, number)) for number in range(1, count + 1)]


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
