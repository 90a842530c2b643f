"""Write parts as rows come, so that a data set need not fit into memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from arsm_l2r.errors import UserError
from arsm_l2r.files import temporary_folder, write_json
from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.lines import Fingerprint
from arsm_l2r.letor.store import (
    INDEX,
    NOTE,
    Index,
    PartNote,
    Piece,
    checksum,
    identity_of,
    piece_name,
)

BYTES_AT_ONCE = 2**26
"""The features that one file holds at most."""


class PartWriter:
    """Writes the parts of a data set as rows come.

    Args:
        dataset: whose parts they are.
        folder: where to put the files.
    """

    def __init__(self, dataset: Dataset, folder: Path) -> None:
        self._dataset, self._folder = dataset, folder
        self._rows_at_once = max(1, BYTES_AT_ONCE // (4 * dataset.features))
        self._parts = [_Begun(dataset.labels) for _ in range(dataset.part_count)]

    def add(self, part: int, table: pl.DataFrame, bodies: pl.Series) -> None:
        """Add rows to a part (from 1).

        Args:
            part: which.
            table: the rows.
            bodies: the text of each, which the fingerprint is made of.
        """
        begun = self._parts[part - 1]
        begun.fingerprint.add(bodies)
        begun.tables.append(table)
        begun.waiting += table.height
        while begun.waiting >= self._rows_at_once:
            joined = pl.concat(begun.tables)
            self._write(part, joined[: self._rows_at_once])
            begun.tables = [joined[self._rows_at_once :]]
            begun.waiting = begun.tables[0].height

    def queries(self, part: int) -> pl.Series:
        """The numbers of a part's queries, each once."""
        return pl.concat(self._parts[part - 1].queries).unique()

    def finish(self) -> list[PartNote]:
        """Write what is left; what came of each part, S1 first."""
        for number, begun in enumerate(self._parts, start=1):
            if begun.waiting:
                self._write(number, pl.concat(begun.tables))
                begun.tables, begun.waiting = [], 0
        return [
            PartNote(
                rows=sum(piece.rows for piece in begun.pieces),
                queries=len(self.queries(number)),
                labels=tuple(begun.labels.tolist()),
                fingerprint=str(begun.fingerprint),
                pieces=begun.pieces,
            )
            for number, begun in enumerate(self._parts, start=1)
        ]

    def _write(self, number: int, table: pl.DataFrame) -> None:
        begun = self._parts[number - 1]
        path = self._folder / piece_name(number, len(begun.pieces) + 1)
        note = identity_of(self._dataset.name, number, len(begun.pieces) + 1)
        try:
            table.write_parquet(path, metadata={NOTE: note})
        except pl.exceptions.PolarsError as error:
            raise UserError(f"{path.name}: cannot be written: {error}") from error
        content = path.read_bytes()
        begun.pieces.append(
            Piece(file=path.name, rows=table.height, bytes=len(content), crc32=checksum(content))
        )
        counts = np.bincount(table["label"].to_numpy(), minlength=len(begun.labels))
        # Labels that cannot be are violations, which are told elsewhere.
        begun.labels += counts[: len(begun.labels)]
        begun.queries.append(table["qid"].unique())


class _Begun:
    """A part that is being written."""

    def __init__(self, levels: int) -> None:
        self.pieces: list[Piece] = []
        self.labels = np.zeros(levels, np.int64)
        self.queries: list[pl.Series] = []
        self.fingerprint = Fingerprint()
        self.tables: list[pl.DataFrame] = []
        self.waiting = 0


@contextmanager
def storing(folder: Path) -> Iterator[Path]:
    """Yield a folder to write parts to; it takes the place of `folder` if no error occurs."""
    with temporary_folder(folder) as temporary:
        fresh = temporary / "fresh"
        fresh.mkdir()
        yield fresh
        if folder.exists():
            folder.replace(temporary / "replaced")
        fresh.replace(folder)


def write_index(dataset: Dataset, notes: Sequence[PartNote], folder: Path, source: str) -> None:
    """Write down what the parts in a folder are."""
    index = Index(dataset=dataset.name, source=source, folds=dataset.fold_count, parts=list(notes))
    write_json(folder / INDEX, index.model_dump(mode="json"))
