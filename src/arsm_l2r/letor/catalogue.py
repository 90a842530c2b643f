"""The data sets that `config/datasets.yaml` describes: sources, layout, and what must come out."""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from arsm_l2r.errors import ConfigError
from arsm_l2r.settings import check_settings, load_yaml


@dataclass(frozen=True)
class Source:
    """One place to get a data set from: a `url`, or a `file` (archive, folder or text file)."""

    url: str | None = None
    file: str | None = None
    md5: str | None = None
    sha256: str | None = None

    def __str__(self) -> str:
        return self.url or str(self.file)


@dataclass(frozen=True)
class QuerySplit:
    """How to make parts of a data set that has none: queries dealt out at random."""

    parts: int
    seed: int


@dataclass(frozen=True)
class Layout:
    """Which files of an archive hold the data; `split` only for data without own folds."""

    files: str
    split: QuerySplit | None = None


@dataclass(frozen=True)
class PartFacts:
    """What one part must hold; `labels` counts the documents with label 0, 1, 2 and so on."""

    rows: int
    queries: int
    labels: tuple[int, ...]
    fingerprint: str


@dataclass(frozen=True)
class PaperFacts:
    """The data set's line in the paper's Table 1, as printed there."""

    queries: str
    documents: str
    features: str


@dataclass(frozen=True)
class Dataset:
    """One entry of the catalogue; `datasets.schema.yaml` beside this file explains every key."""

    name: str
    title: str
    collection: str
    home: str | None
    terms: str | None
    archive: str
    sources: tuple[Source, ...]
    layout: Layout
    features: int
    labels: int
    query_normalised: bool
    docids: bool
    parts: tuple[PartFacts, ...]
    paper: PaperFacts | None

    @property
    def part_count(self) -> int:
        """How many parts, and so how many folds, the data set has."""
        if self.layout.split is not None:
            return self.layout.split.parts
        return len(self.parts) or 5


def load_catalogue(path: Path) -> dict[str, Dataset]:
    """Read every data set of a catalogue file, in the file's order."""
    schema_text = resources.files(__package__).joinpath("datasets.schema.yaml").read_text("utf-8")
    entries = check_settings(load_yaml(path), yaml.safe_load(schema_text), source=str(path))
    return {name: _dataset(f"{path}: {name}", name, entry) for name, entry in entries.items()}


def find_dataset(path: Path, name: str) -> Dataset:
    """Read one data set of a catalogue file by name."""
    catalogue = load_catalogue(path)
    if name not in catalogue:
        raise ConfigError(f"{path}: no data set {name!r}; there are {', '.join(catalogue)}")
    return catalogue[name]


def _dataset(where: str, name: str, entry: dict[str, Any]) -> Dataset:
    layout = entry["layout"]
    has_folds = "{fold}" in layout["files"] and "{split}" in layout["files"]
    if has_folds == ("split" in layout):
        raise ConfigError(
            f"{where}: layout: give either 'files' with {{fold}} and {{split}} in it, or "
            "'files' without them and a 'split'"
        )
    split = QuerySplit(**layout["split"]) if "split" in layout else None
    parts = tuple(PartFacts(**{**part, "labels": tuple(part["labels"])}) for part in entry["parts"])
    if split and parts and len(parts) != split.parts:
        raise ConfigError(f"{where}: {len(parts)} parts described, {split.parts} in the split")
    if 0 < len(parts) < 3:
        raise ConfigError(f"{where}: {len(parts)} parts don't make folds; there must be 3 or more")
    for number, part in enumerate(parts, start=1):
        if len(part.labels) != entry["labels"] or sum(part.labels) != part.rows:
            raise ConfigError(
                f"{where}: parts: the label counts of S{number} don't sum to its rows"
            )
    return Dataset(
        **{
            **entry,
            "name": name,
            "archive": entry["archive"] or name,
            "sources": tuple(Source(**source) for source in entry["sources"]),
            "layout": Layout(layout["files"], split),
            "parts": parts,
            "paper": PaperFacts(**entry["paper"]) if entry["paper"] else None,
        }
    )
