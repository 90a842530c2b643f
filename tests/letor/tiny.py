"""A data set of five parts, small enough to count by hand, and archives to put it in."""

import io
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic import BaseModel

from arsm_l2r.letor.catalogue import Dataset, Layout, QuerySplit, Source
from arsm_l2r.letor.part import Part, PartFacts
from arsm_l2r.letor.part_writer import PartWriter, storing, write_index
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import PartNote, read_parts

ROTATION = {
    1: ("S1 S2 S3", "S4", "S5"),
    2: ("S2 S3 S4", "S5", "S1"),
    3: ("S3 S4 S5", "S1", "S2"),
    4: ("S4 S5 S1", "S2", "S3"),
    5: ("S5 S1 S2", "S3", "S4"),
}
"""Training, validation and test parts of each fold, as LETOR defines them."""

DATASET = Dataset(
    name="tiny",
    title="Tiny",
    collection="made for tests",
    home="https://example.org/tiny",
    terms="Be kind to Tiny.",
    archive="TINY",
    sources=(Source(file="nowhere/tiny.zip"),),
    layout=Layout(files="Fold{fold}/{split}.txt"),
    features=2,
    labels=3,
    query_normalised=True,
    docids=True,
    parts=(),
)

AnyModel = TypeVar("AnyModel", bound=BaseModel)


def changed(model: AnyModel, **changes: Any) -> AnyModel:
    """A copy with other values."""
    return model.model_copy(update=changes)


def part_text(number: int) -> str:
    """Part S`number`: a query with the labels 2, 0 and 1, and one with two labels 0."""
    first, second = 10 * number, 10 * number + 1
    return (
        f"2 qid:{first} 1:0.{number} 2:1 #docid = A\n"
        f"0 qid:{first} 1:0.0 2:1 #docid = B\n"
        f"1 qid:{first} 1:1.0 2:1 #docid = C\n"
        f"0 qid:{second} 1:0.0 2:1 #docid = A\n"
        f"0 qid:{second} 1:1.0 2:1 #docid = B\n"
    )


def fold_files(parts: dict[str, str] | None = None) -> dict[str, str]:
    """The fifteen files by path, made of the texts of S1 … S5."""
    texts = parts or {f"S{number}": part_text(number) for number in range(1, 6)}
    return {
        f"Fold{fold}/{split}.txt": "".join(texts[name] for name in names.split())
        for fold, splits in ROTATION.items()
        for split, names in zip(("train", "vali", "test"), splits, strict=True)
    }


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def read_files(folder: Path) -> dict[str, str]:
    """The text of every file below a folder but `source.json`."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != "source.json"
    }


def prepared(dataset: Dataset, text: Path) -> list[Part]:
    """The parts that come of text files."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(dataset, text, Path(folder) / "parts")
        return read_parts(Path(folder) / "parts", dataset.name)


def facts_of(note: PartNote) -> PartFacts:
    """What is noted of a part, as the catalogue declares it."""
    return PartFacts(**note.model_dump(exclude={"pieces"}))


def store(dataset: Dataset, tables: list[pl.DataFrame], folder: Path, source: str = "") -> None:
    """Store tables as the parts of a data set."""
    layout = Layout(files="*.txt", split=QuerySplit(parts=len(tables)))
    with storing(folder) as fresh:
        writer = PartWriter(changed(dataset, layout=layout, parts=()), fresh)
        for number, table in enumerate(tables, start=1):
            writer.add(number, table, table["label"].cast(pl.String))
        write_index(changed(dataset, layout=layout, parts=()), writer.finish(), fresh, source)


def zip_of(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def tar_of(
    files: dict[str, str], compression: str = "", links: tuple[tarfile.TarInfo, ...] = ()
) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{compression}") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
        for link in links:
            archive.addfile(link)
    return buffer.getvalue()
