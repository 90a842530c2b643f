"""Write data like MSLR's as text files of five folds, in a folder or in a zip archive.

Queries are dealt to five parts in turn. Each part is written once and copied into the files of the
folds from there.
"""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import polars as pl

from arsm_l2r.errors import UserError
from arsm_l2r.files import temporary_folder, written_whole
from arsm_l2r.letor.disk import need_room
from arsm_l2r.letor.folds import fold_parts, fold_that_tests
from arsm_l2r.letor.web_features import FEATURES
from arsm_l2r.letor.web_like import Block, blocks
from arsm_l2r.progress import Progress

PARTS = 5
_COPIES = 5
"""How often each part stands in the files of the folds: three times to train on, twice alone."""
_BYTES_PER_QUERY = 150_000
"""Size of the text of a query, about."""
_COMPRESSED = 0.4
"""Size of what is compressed, about, as a share of the text."""
_AT_ONCE = 1 << 20


def write_web_like(target: Path, queries: int, seed: int = 0) -> None:
    """Write data like MSLR's; they appear whole or not at all.

    Args:
        target: a zip archive if its name ends in `.zip`, which gets `MSLR-LIKE/Fold1/train.txt`
            and so on; otherwise a folder, which gets `Fold1/train.txt` and so on.
        queries: how many, at least 5.
        seed: of the random numbers, at least 0.

    Raises:
        UserError: if an argument is out of range, if the folder exists and is not empty (a zip
            archive is replaced), if the disk has no room, or if `target` cannot be written.
    """
    if queries < PARTS:
        raise UserError(f"{queries} queries don't make {PARTS} parts: at least {PARTS} are needed")
    drawn = blocks(queries, seed)
    archived = target.suffix.lower() == ".zip"
    if not archived and target.exists() and not _is_empty_folder(target):
        raise UserError(f"{target}: exists already, and is not replaced")
    try:
        with temporary_folder(target) as temporary:
            copies = 1 + _COPIES * _COMPRESSED if archived else _COPIES
            need_room(target.parent, int(queries * _BYTES_PER_QUERY * copies))
            parts = _write_parts(drawn, queries, temporary)
            if archived:
                _write_archive(target, parts)
            else:
                fresh = temporary / "fresh"
                _write_folder(fresh, parts)
                fresh.replace(target)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{target}: cannot be written: {reason}") from error


def lines_of(block: Block) -> pl.Series:
    """The lines of queries as MSLR has them, with a blank at the end, without a newline.

    Values have up to 6 decimals, without zeros at the end.
    """
    columns = {f"f{number}": block.features[:, number - 1] for number in range(1, FEATURES + 1)}
    table = pl.DataFrame({"label": block.labels, "query": block.queries, **columns})
    pieces = [pl.col("label"), pl.lit(" qid:"), pl.col("query")]
    for number in range(1, FEATURES + 1):
        text = pl.col(f"f{number}").cast(pl.Decimal(18, 6)).cast(pl.String)
        short = text.str.strip_chars_end("0").str.strip_chars_end(".")
        pieces += [pl.lit(f" {number}:"), short]
    return table.select(pl.concat_str(*pieces, pl.lit(" ")).alias("line"))["line"]


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _write_parts(drawn: Iterator[Block], queries: int, folder: Path) -> list[Path]:
    """Write each part to a file of its own; returns these files."""
    paths = [folder / f"part{number}.txt" for number in range(1, PARTS + 1)]
    with ExitStack() as stack, Progress("Drawing queries", queries, unit="query") as progress:
        files = [stack.enter_context(path.open("wb")) for path in paths]
        for block in drawn:
            lines, part = lines_of(block), (block.queries - 1) % PARTS
            for number, file in enumerate(files):
                own = lines.filter(pl.Series(part == number)).to_frame()
                own.write_csv(file, include_header=False, quote_style="never")
            progress.advance(len(block.lengths))
    return paths


def _fold_files(parts: list[Path]) -> Iterator[tuple[str, list[Path]]]:
    """The name of each file of the folds, and the parts that it is made of."""
    for fold in range(1, PARTS + 1):
        rotation = fold_parts(fold, PARTS)
        for split in ("train", "vali", "test"):
            numbers = getattr(rotation, split)
            yield f"Fold{fold}/{split}.txt", [parts[number - 1] for number in numbers]


def _write_folder(folder: Path, parts: list[Path]) -> None:
    """Write the files of the folds; each part itself becomes a file to test on in the end."""
    with _copying(parts, _COPIES - 1) as progress:
        for name, sources in _fold_files(parts):
            if not name.endswith("/test.txt"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with (folder / name).open("wb") as file:
                    _copy(sources, file, progress)
    for number, part in enumerate(parts, start=1):
        part.replace(folder / f"Fold{fold_that_tests(number, PARTS)}" / "test.txt")


def _write_archive(path: Path, parts: list[Path]) -> None:
    with (
        written_whole(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        _copying(parts, _COPIES) as progress,
    ):
        for name, sources in _fold_files(parts):
            with archive.open(f"MSLR-LIKE/{name}", "w", force_zip64=True) as file:
                _copy(sources, file, progress)


def _copying(parts: list[Path], copies: int) -> Progress:
    total = copies * sum(part.stat().st_size for part in parts)
    return Progress("Writing folds", total, unit="B")


def _copy(sources: list[Path], file: IO[bytes], progress: Progress) -> None:
    for source in sources:
        with source.open("rb") as incoming:
            while piece := incoming.read(_AT_ONCE):
                file.write(piece)
                progress.advance(len(piece))
