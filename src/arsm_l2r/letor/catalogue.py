"""The data sets that `config/datasets.yaml` describes: sources, layout, and what must come out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Self

from pydantic import ConfigDict, Field, RootModel, model_validator

from arsm_l2r.errors import ConfigError
from arsm_l2r.letor.part import Fingerprint, LabelCounts, PartFacts
from arsm_l2r.settings import Positive, Settings, checked, load_yaml


class Source(Settings):
    """One place to get a data set from: a `url` or a `file`, and optionally a checksum."""

    url: Annotated[str, Field(pattern="^https?://")] | None = Field(
        None, description="Address of an archive or a text file, http or https."
    )
    file: str | None = Field(
        None, description="Archive, text file or unpacked folder on this machine."
    )
    md5: Annotated[str, Field(pattern="^[0-9a-f]{32}$")] | None = Field(
        None, description="Checksum of the file."
    )
    sha256: Fingerprint | None = Field(None, description="Checksum of the file.")
    # Left out of what a step depends on: to write down a size fetches nothing again.
    bytes: Positive | None = Field(None, exclude=True, description="Size of the file in bytes.")

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.url is None) == (self.file is None):
            raise ValueError("give either 'url' or 'file'")
        return self

    def __str__(self) -> str:
        return self.url or str(self.file)


class QuerySplit(Settings):
    """How to make parts of a data set that has none: queries dealt out at random."""

    parts: Annotated[int, Field(ge=3, le=1000)] = Field(
        5, description="Number of parts, and so of folds; one each for validation and test."
    )
    seed: Annotated[int, Field(ge=0)] = Field(0, description="Seed of the division.")


class Layout(Settings):
    """Which files of an archive hold the data, and how they are divided."""

    files: str = Field(
        description="End of the path of the files. With {fold} and {split} in it, the data set "
        "brings its own folds; with {split} alone, one fixed division into training, validation "
        "and test, which is its only fold; with neither, all files that match (* and ? as usual) "
        "are joined and their queries divided as `split` says."
    )
    split: QuerySplit | None = Field(
        None, description="How to divide the queries of data without folds."
    )
    validation: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None,
        description="Share of the training queries, drawn at random, to validate on, of data with "
        "one fixed division that have files for training and test only.",
    )

    @property
    def has_folds(self) -> bool:
        """Whether the data set brings its own folds."""
        return "{fold}" in self.files

    @property
    def is_fixed(self) -> bool:
        """Whether there is one division into training, validation and test."""
        return "{split}" in self.files and not self.has_folds

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if self.has_folds and "{split}" not in self.files:
            raise ValueError("'files' has {fold}, and so needs {split}")
        if ("{split}" in self.files) == (self.split is not None):
            raise ValueError(
                "give either 'files' with {split} in it (and {fold}, if there are several), or "
                "'files' without them and a 'split'"
            )
        if self.validation is not None and not self.is_fixed:
            raise ValueError("'validation' is for files with {split} and without {fold}")
        return self


class Totals(Settings):
    """What a data set must hold in all."""

    queries: Positive | None = Field(None, description="Number of queries.")
    documents: Positive = Field(description="Number of documents.")
    labels: LabelCounts | None = Field(
        None, description="Number of documents with label 0, 1, 2, …"
    )


_FETCHED = {"sources", "archive", "layout"}
_VALIDATED = {
    "layout",
    "features",
    "sparse",
    "clipped",
    "labels",
    "query_normalised",
    "docids",
    "parts",
    "totals",
    "unverified",
}
_ABOUT = {
    "fetch": _FETCHED,
    "prepare": _VALIDATED,
    "describe": {"title", "collection", "labels", "parts", "unverified", "relevant_from"},
}
"""Which facts of a data set each step depends on."""


class Entry(Settings):
    """What the catalogue says of a data set."""

    title: str = Field(description="Name to print in tables.")
    collection: str = Field(
        "", description="Which collection and release it belongs to, for the report."
    )
    home: str | None = Field(None, description="Page where a person can get the data by hand.")
    terms: str | None = Field(None, description="What the owner of the data asks of its users.")
    archive: str | None = Field(
        None,
        description="Name, without ending, of the archive or folder to look for in the mirror; "
        "null: the data set's own name.",
    )
    sources: Annotated[tuple[Source, ...], Field(strict=False)] = Field(
        (),
        description="Where to get the data, in the order to try them; a mirror comes before them. "
        "None, if a person must ask for the data: then there must be a `home`.",
    )
    layout: Layout = Field(description="Which files hold the data.")
    features: Annotated[int, Field(ge=1, le=100_000)] = Field(description="Number of features.")
    labels: Annotated[int, Field(ge=2, le=31)] = Field(
        description="Number of relevance levels; labels run from 0 to this minus 1."
    )
    relevant_from: Positive = Field(
        1,
        description="Lowest label that MAP, precision and reciprocal rank count as relevant, in "
        "training, selection and measuring; at most the highest label. LETOR's tools count from 1, "
        "that of MSLR from 2.",
    )
    query_normalised: bool = Field(
        False,
        description="Features are scaled to [0, 1] per query; other values are then violations.",
    )
    sparse: bool = Field(
        False,
        description="Lines leave out features that are 0. Otherwise a file whose highest feature "
        "number is below `features` is refused.",
    )
    clipped: bool = Field(
        False,
        description="Values too large for a 32-bit float, such as the 1.8e308 that Istella has "
        "for none, become the largest there is. Otherwise they are refused.",
    )
    docids: bool = Field(
        False, description="Every line names its document; a missing name is then a violation."
    )
    parts: Annotated[tuple[PartFacts, ...], Field(strict=False)] = Field(
        (),
        description="What each part must hold, S1 first (of one fixed division: training, "
        "validation, test); checked where given.",
    )
    totals: Totals | None = Field(
        None, description="What the data set must hold in all; checked where given."
    )
    unverified: bool = Field(
        False,
        description="`parts` and `totals` are as others published them, and were not compared with "
        "the files here: a difference is told, but not refused.",
    )
    published: str | None = Field(
        None,
        description="CSV file of test measures that others published, by `method` and `fold`, to "
        "show ours beside.",
    )

    @property
    def part_count(self) -> int:
        """How many parts the data set has."""
        if self.layout.split is not None:
            return self.layout.split.parts
        return 3 if self.layout.is_fixed else len(self.parts) or 5

    @property
    def fold_count(self) -> int:
        """How many folds it has: one of a fixed division, else as many as parts."""
        return 1 if self.layout.is_fixed else self.part_count

    @property
    def known_documents(self) -> int | None:
        """How many documents it has, if the catalogue says so."""
        return self.totals.documents if self.totals else sum(p.rows for p in self.parts) or None

    def about(self, step: str) -> str:
        """What a step depends on, as text: `fetch`, `prepare` or `describe`."""
        return self.model_dump_json(include=_ABOUT[step] - ({"relevant_from"} - self.told.keys()))

    @property
    def told(self) -> dict[str, int]:
        """What rankers are told of the data set, where it is not what they take it for anyway."""
        default = Entry.model_fields["relevant_from"].default
        return {} if self.relevant_from == default else {"relevant_from": self.relevant_from}

    @property
    def local_source(self) -> str | None:
        """The file that the data set comes from, if it has no other source."""
        return self.sources[0].file if len(self.sources) == 1 else None

    @model_validator(mode="after")
    def _can_be_got(self) -> Self:
        if not (self.sources or self.home):
            raise ValueError("give 'sources', or a 'home' where a person can get the data")
        return self

    @model_validator(mode="after")
    def _some_label_is_relevant(self) -> Self:
        if self.relevant_from >= self.labels:
            raise ValueError(
                f"relevant_from: {self.relevant_from} is above the highest label, {self.labels - 1}"
            )
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        split, count = self.layout.split, len(self.parts)
        if split and count and count != split.parts:
            raise ValueError(f"{count} parts described, {split.parts} in the split")
        if self.layout.is_fixed and count not in (0, 3):
            raise ValueError(f"{count} parts described, 3 (training, validation, test) in files")
        if 0 < count < 3:
            raise ValueError(f"{count} parts don't make folds; there must be 3 or more")
        for number, part in enumerate(self.parts, start=1):
            self._labels_fit(f"parts: the label counts of S{number}", part.labels, part.rows)
        if self.totals:
            self._labels_fit("totals: the label counts", self.totals.labels, self.totals.documents)
        return self

    def _labels_fit(self, what: str, labels: Sequence[int] | None, rows: int) -> None:
        if labels is not None and (len(labels) != self.labels or sum(labels) != rows):
            raise ValueError(f"{what} don't sum to its rows")


class Dataset(Entry):
    """A data set: its name in the catalogue, and what the catalogue says of it."""

    archive: str
    name: str


class Catalogue(RootModel[dict[Annotated[str, Field(pattern="^[a-z][a-z0-9-]*$")], Entry]]):
    """Data sets by name (lower case letters, digits and dashes)."""

    model_config = ConfigDict(strict=True, frozen=True)


def load_catalogue(path: Path) -> dict[str, Dataset]:
    """Read every data set of a catalogue file, in the file's order."""
    entries = checked(Catalogue, load_yaml(path), source=str(path)).root
    return {
        name: Dataset(**{**dict(entry), "name": name, "archive": entry.archive or name})
        for name, entry in entries.items()
    }


def find_dataset(path: Path, name: str) -> Dataset:
    """Read one data set of a catalogue file by name."""
    catalogue = load_catalogue(path)
    if name not in catalogue:
        raise ConfigError(f"{path}: no data set {name!r}; there are {', '.join(catalogue)}")
    return catalogue[name]
