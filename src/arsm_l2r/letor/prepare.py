"""From fetched text files to validated parts: the one way data enters the project."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from arsm_l2r.errors import ValidationError
from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.folds import fold_parts, fold_that_tests, split_by_query
from arsm_l2r.letor.lines import fingerprint, read_lines
from arsm_l2r.letor.parse import ParsedFile, parse_file
from arsm_l2r.letor.part import Part
from arsm_l2r.letor.schema import violations


def prepare(dataset: Dataset, folder: Path) -> list[Part]:
    """Parse and validate the files that `fetch` put into `folder`.

    Returns:
        The parts, S1 first.

    Raises:
        ParseError: if a line cannot be read.
        ValidationError: listing all that is wrong with the tables, the counts, the
            fingerprints and the folds.
    """
    if dataset.layout.split is None:
        parts, problems = _from_folds(dataset, folder)
    else:
        parts, problems = _from_split(dataset, folder)
    problems += _unexpected_facts(dataset, parts)
    if problems:
        raise ValidationError(f"{dataset.title} in {folder}", problems)
    return parts


def _from_folds(dataset: Dataset, folder: Path) -> tuple[list[Part], list[str]]:
    """Each part from the one file that holds nothing else: the test file of a fold."""
    parts, problems = [], []
    for number in range(1, dataset.part_count + 1):
        name = f"Fold{fold_that_tests(number, dataset.part_count)}/test.txt"
        parsed = parse_file(folder / name, features=dataset.features, sparse=dataset.sparse)
        problems += _violations(dataset, parsed, name)
        parts.append(Part(parsed.table, fingerprint(parsed.bodies)))
    problems += _shared_queries(parts)
    for fold in range(1, dataset.part_count + 1):
        rotation = fold_parts(fold, dataset.part_count)
        for split, numbers in (("train", rotation.train), ("vali", rotation.vali)):
            problems += _unlike_parts(folder, f"Fold{fold}/{split}.txt", numbers, parts)
    return parts, problems


def _from_split(dataset: Dataset, folder: Path) -> tuple[list[Part], list[str]]:
    """Parts of a data set that has none, by dealing out its queries."""
    assert dataset.layout.split is not None
    names = sorted(path.name for path in folder.iterdir() if path.suffix != ".json")
    files = [
        parse_file(folder / name, features=dataset.features, sparse=dataset.sparse)
        for name in names
    ]
    problems = [
        problem
        for name, parsed in zip(names, files, strict=True)
        for problem in _violations(dataset, parsed, name)
    ]
    table = pl.concat([parsed.table for parsed in files])
    bodies = pl.concat([parsed.bodies for parsed in files])
    problems += _shared_queries([Part(parsed.table, "") for parsed in files], names)
    split_rows = split_by_query(table["qid"], dataset.layout.split)
    return [Part(table[rows], fingerprint(bodies[rows])) for rows in split_rows], problems


def _violations(dataset: Dataset, parsed: ParsedFile, name: str) -> list[str]:
    found = violations(parsed.table, dataset, parsed.line_numbers)
    return [f"{name}: {violation}" for violation in found]


def _shared_queries(parts: list[Part], names: Sequence[str] = ()) -> list[str]:
    """Queries that stand in more than one part: they would leak from training to test."""
    names = names or [f"S{number}" for number in range(1, len(parts) + 1)]
    places = pl.concat(
        [
            part.table.select(pl.col("qid").unique(), place=pl.lit(name))
            for name, part in zip(names, parts, strict=True)
        ]
    )
    shared = places.group_by("qid").agg("place").filter(pl.col("place").list.len() > 1).sort("qid")
    if shared.is_empty():
        return []
    qid, where = shared.row(0)
    others = f", and {shared.height - 1:,} more queries" if shared.height > 1 else ""
    return [f"query {qid} stands in {' and '.join(sorted(where))}{others}"]


def _unlike_parts(
    folder: Path, name: str, numbers: tuple[int, ...], parts: list[Part]
) -> list[str]:
    """Compare a training or validation file with the parts it must be made of, in order."""
    bodies = read_lines(folder / name)["body"]
    problems, start = [], 0
    for number in numbers:
        part = parts[number - 1]
        piece = bodies.slice(start, part.table.height)
        if fingerprint(piece) != part.fingerprint:
            end = start + part.table.height
            problems.append(f"{name}: lines {start + 1:,} to {end:,} are not part S{number}")
        start += part.table.height
    if len(bodies) != start:
        problems.append(f"{name}: {len(bodies):,} documents, its parts hold {start:,}")
    return problems


def _unexpected_facts(dataset: Dataset, parts: list[Part]) -> list[str]:
    problems = []
    for number, (part, expected) in enumerate(zip(parts, dataset.parts, strict=False), start=1):
        actual = part.facts(dataset.labels)
        for fact in ("rows", "queries", "labels", "fingerprint"):
            found, wanted = getattr(actual, fact), getattr(expected, fact)
            if found != wanted:
                problems.append(f"S{number}: {fact} {found}, should be {wanted}")
    return problems
