"""From fetched text files to validated parts: the one way data enters the project.

Files are read, checked and stored some megabytes at a time.
"""

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from arsm_l2r.errors import Advice, ValidationError
from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.folds import fold_parts, fold_that_tests, hold_out, split_by_query
from arsm_l2r.letor.grammar import LETOR
from arsm_l2r.letor.lines import BYTES_AT_ONCE, Fingerprint, lines_of, text_pieces
from arsm_l2r.letor.parse import Form, in_parallel, parsed_lines
from arsm_l2r.letor.part_writer import PartWriter, storing, write_index
from arsm_l2r.letor.schema import Violations
from arsm_l2r.letor.store import PartNote
from arsm_l2r.progress import Progress

_ROWS_AT_ONCE = 2**16
"""Rows that are checked together: a schema takes its time whatever their number."""


@dataclass(frozen=True)
class _File:
    """A file to read.

    Attributes:
        name: below the folder of the text.
        parts: the part that it is, or that each of its rows belongs to.
        shown: what stands in it, for messages.
    """

    name: str
    parts: int | np.ndarray
    shown: str


def prepare(dataset: Dataset, text: Path, folder: Path, source: str = "") -> list[PartNote]:
    """Parse, validate and store the files that `fetch` put into a folder.

    Args:
        dataset: what they must be.
        text: the folder that `fetch` filled.
        folder: gets the parts; it appears whole or not at all.
        source: where the files came from, to be noted.

    Returns:
        What is noted of each part, S1 first.

    Raises:
        ParseError: if a line cannot be read.
        ValidationError: listing all that is wrong with the tables, the counts, the
            fingerprints and the folds.
    """
    total = sum(path.stat().st_size for path in text.rglob("*.txt"))
    with (
        storing(folder) as fresh,
        Progress(f"Preparing {dataset.name}", total, unit="B") as progress,
    ):
        writer, files = PartWriter(dataset, fresh), _files(dataset, text)
        problems, queries = [], {}
        for file in files:
            found, queries[file.shown] = _store(dataset, text, file, writer, progress)
            problems += found
        notes = writer.finish()
        problems += _shared_queries(queries)
        if dataset.layout.has_folds:
            problems += _unlike_parts(dataset, text, notes, progress)
        problems += _unexpected_facts(dataset, notes)
        if problems:
            raise ValidationError(f"{dataset.title} in {text}", problems)
        write_index(dataset, notes, fresh, source)
    return notes


def _files(dataset: Dataset, text: Path) -> list[_File]:
    """The files that make the parts, every document in one of them."""
    layout = dataset.layout
    if layout.has_folds:  # each part stands alone in one file, the test file of a fold
        tests = {
            number: f"Fold{fold_that_tests(number, dataset.part_count)}/test.txt"
            for number in range(1, dataset.part_count + 1)
        }
        return [_File(name, number, f"S{number}") for number, name in tests.items()]
    if layout.is_fixed:
        train, vali, test = (f"Fold1/{split}.txt" for split in ("train", "vali", "test"))
        if layout.validation is None:
            numbered = enumerate((train, vali, test), start=1)
            return [_File(name, number, name) for number, name in numbered]
        held_out = hold_out(_queries_in(text / train), layout.validation)
        return [_File(train, held_out, train), _File(test, 3, test)]
    assert layout.split is not None
    names = sorted(path.name for path in text.iterdir() if path.suffix != ".json")
    qids = [_queries_in(text / name) for name in names]
    dealt = split_by_query(pl.concat(qids), layout.split)
    ends = np.cumsum([len(each) for each in qids])[:-1]
    return [
        _File(name, parts, name) for name, parts in zip(names, np.split(dealt, ends), strict=True)
    ]


def _queries_in(path: Path) -> pl.Series:
    """The query of each document in a file; -1 where there is none, which parsing will refuse."""
    pieces = in_parallel(lambda piece: lines_of(piece)["body"], text_pieces(path))
    found = [
        bodies.str.extract(rf"^{LETOR.head}", 2).cast(pl.Int64, strict=False).fill_null(-1)
        for bodies in pieces
    ]
    return pl.concat(found) if found else pl.Series(dtype=pl.Int64)


def _store(
    dataset: Dataset, text: Path, file: _File, writer: PartWriter, progress: Progress
) -> tuple[list[str], pl.Series]:
    """Parse and check a file, and store its documents; what is wrong, and which queries it has."""
    form = Form(dataset.features, dataset.sparse, dataset.clipped)
    found, row = Violations(dataset), 0
    queries: list[pl.Series] = []
    tables: list[pl.DataFrame] = []
    numbers: list[pl.Series] = []

    def check() -> None:
        found.see(pl.concat(tables), pl.concat(numbers))
        tables.clear()
        numbers.clear()

    for lines in parsed_lines(text / file.name, LETOR, form):
        tables.append(lines.table)
        numbers.append(lines.line_numbers)
        if sum(table.height for table in tables) >= _ROWS_AT_ONCE:
            check()
        if isinstance(file.parts, int):
            writer.add(file.parts, lines.table, lines.bodies)
        else:
            own = file.parts[row : row + lines.table.height]
            for part in np.unique(own).tolist():
                rows = np.flatnonzero(own == part)
                writer.add(part, lines.table[rows], lines.bodies[rows])
        row += lines.table.height
        queries.append(lines.table["qid"].unique())
        progress.advance(lines.size)
    if tables:
        check()
    return [f"{file.name}: {problem}" for problem in found.told()], pl.concat(queries).unique()


def _shared_queries(queries: dict[str, pl.Series]) -> list[str]:
    """Queries that stand in more than one part: they would leak from training to test."""
    places = pl.concat(
        [qids.alias("qid").to_frame().with_columns(place=pl.lit(n)) for n, qids in queries.items()]
    )
    shared = places.group_by("qid").agg("place").filter(pl.col("place").list.len() > 1).sort("qid")
    if shared.is_empty():
        return []
    qid, where = shared.row(0)
    others = f", and {shared.height - 1:,} more queries" if shared.height > 1 else ""
    return [f"query {qid} stands in {' and '.join(sorted(where))}{others}"]


def _unlike_parts(
    dataset: Dataset, text: Path, notes: Sequence[PartNote], progress: Progress
) -> list[str]:
    """Compare the training and validation files with the parts they must be made of, in order."""
    tests = [text / file.name for file in _files(dataset, text)]
    sizes = [path.stat().st_size for path in tests]
    prints = [*in_parallel(lambda path: next(_hashes(path, [path.stat().st_size])), tests)]
    made = [
        (f"Fold{fold}/{split}.txt", getattr(fold_parts(fold, dataset.part_count), split))
        for fold in range(1, dataset.fold_count + 1)
        for split in ("train", "vali")
    ]

    def problems(made: tuple[str, tuple[int, ...]]) -> list[str]:
        name, numbers = made
        # Byte for byte the same, as a rule; if not, the lines may still be.
        path, whole = text / name, [sizes[number - 1] for number in numbers]
        wanted = [prints[number - 1] for number in numbers]
        same_size = path.exists() and path.stat().st_size == sum(whole)
        if same_size and [*_hashes(path, whole)] == wanted:
            return []
        return _unlike_lines(path, name, {number: notes[number - 1] for number in numbers})

    found = []
    for (name, _), each in zip(made, in_parallel(problems, made), strict=True):
        found += each
        progress.advance((text / name).stat().st_size)
    return found


def _hashes(path: Path, sizes: Sequence[int]) -> Iterator[bytes]:
    """Hashes of the stretches of a file, which have so many bytes each."""
    with path.open("rb") as file:
        for size in sizes:
            digest = hashlib.sha256()
            while size and (block := file.read(min(size, BYTES_AT_ONCE))):
                digest.update(block)
                size -= len(block)
            yield digest.digest()


def _unlike_lines(path: Path, name: str, parts: dict[int, PartNote]) -> list[str]:
    """Compare the lines of a file with the parts it must be made of, in order."""
    bodies = (lines_of(piece)["body"] for piece in text_pieces(path))
    problems, start, rest = [], 0, pl.Series(dtype=pl.String)
    for number, part in parts.items():
        fingerprint, missing = Fingerprint(), part.rows
        while missing and (len(rest) or (rest := next(bodies, rest)).len()):
            piece, rest = rest[:missing], rest[missing:]
            fingerprint.add(piece)
            missing -= len(piece)
        end = start + part.rows
        if missing or str(fingerprint) != part.fingerprint:
            problems.append(f"{name}: lines {start + 1:,} to {end:,} are not part S{number}")
        start = end - missing
    documents = start + len(rest) + sum(map(len, bodies))
    held = sum(part.rows for part in parts.values())
    if documents != held:
        problems.append(f"{name}: {documents:,} documents, its parts hold {held:,}")
    return problems


def _unexpected_facts(dataset: Dataset, notes: Sequence[PartNote]) -> list[str]:
    """Where parts and all of them together differ from what the catalogue says."""
    compared = [
        (f"S{number}: {fact}", getattr(note, fact), getattr(known, fact))
        for number, (note, known) in enumerate(zip(notes, dataset.parts, strict=False), start=1)
        for fact in ("rows", "queries", "labels", "fingerprint")
    ]
    if dataset.totals:
        labels = tuple(map(sum, zip(*(note.labels for note in notes), strict=True)))
        found = {
            "queries": sum(note.queries for note in notes),
            "documents": sum(note.rows for note in notes),
            "labels": labels,
        }
        compared += [(fact, here, getattr(dataset.totals, fact)) for fact, here in found.items()]
    problems = [
        f"{what} {here}, should be {known}"
        for what, here, known in compared
        if known is not None and here != known
    ]
    if problems and dataset.unverified:
        warnings.warn(
            f"{dataset.title}: not as published, though the figures were never compared with its "
            f"files here: {'; '.join(problems)}",
            Advice,
            stacklevel=2,
        )
        return []
    return problems
