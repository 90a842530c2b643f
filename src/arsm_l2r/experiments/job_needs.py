"""What a job asks of the machine that runs it: memory and time, from the size of its data.

Requests are generous, several times what was measured, since a job that exceeds them is killed.
Every further attempt asks for as much again. Documents are those that the catalogue counts; where
it counts none, those in the files that the job reads. As long as these are not there, nothing can
be told (FileNotFoundError), which Snakemake takes as: ask again when they are.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from arsm_l2r.errors import UserError
from arsm_l2r.letor.catalogue import Dataset
from arsm_l2r.letor.store import read_index

_MEGABYTE = 2**20
_SAMPLE = 2**18
"""Bytes of a text file by whose lines the length of all others is told."""


def documents_in_text(dataset: Dataset, source: str) -> int:
    """How many documents a data set has, if need be told from what its text weighs.

    Args:
        dataset: its catalogue entry.
        source: the file beside the text that says where it came from.
    """
    return dataset.known_documents or _in_text(dataset, Path(source))


def documents_in_parts(dataset: Dataset, parts: str) -> int:
    """How many documents a data set has, if need be as the stored parts say.

    Args:
        dataset: its catalogue entry.
        parts: folder of the parts.
    """
    folder = Path(parts)
    return dataset.known_documents or _in_parts(folder, folder.stat().st_mtime_ns)


def feature_megabytes(dataset: Dataset, documents: int) -> float:
    """Size of all features of so many documents in single precision, in megabytes."""
    return 4 * dataset.features * documents / _MEGABYTE


def preparation_memory(dataset: Dataset, attempt: int, source: str) -> int:
    """Megabytes for parsing and storing a data set, with two threads.

    Measured: 321 for MQ2007, 690 for data like MSLR-WEB10K and for three times as much. What is
    waiting for a part's next file counts, and there may be many parts.
    """
    size = feature_megabytes(dataset, documents_in_text(dataset, source))
    return round(attempt * (1_400 + min(150 * dataset.part_count, 30 * size)))


def preparation_minutes(dataset: Dataset, attempt: int, source: str) -> int:
    """Minutes for parsing and storing a data set.

    Measured: 0.1 for MQ2007, 3 of processor time for 3.8 million documents like MSLR's.
    """
    values = dataset.features * documents_in_text(dataset, source)
    return round(attempt * (15 + values / 20_000_000))


def reading_memory(dataset: Dataset, parts: str) -> int:
    """Megabytes for a short job that reads labels of a fold, or parts one file at a time.

    Measured: 142 for MQ2007, 314 for a million documents like MSLR's.
    """
    return round(300 + 0.7 * feature_megabytes(dataset, documents_in_parts(dataset, parts)))


def training_memory(
    dataset: Dataset, settings: Mapping[str, Any], attempt: int, parts: str, *, network: bool
) -> int:
    """Megabytes for one training, on one node: all of its workers may be there.

    Measured at their highest, with S the size of all features (`feature_megabytes`): 950 + 3.4 S
    with a network, of which TensorFlow takes 734 before anything is trained, 230 + 2.9 S without;
    5.4 S and more where ranks stand beside the values. Snakemake's own processes in a submitted
    job take 200 more.
    """
    at_least, copies = (2_000, 4.5) if network else (1_000, 4.0)
    if _doubled(settings):
        copies += 3.0
    size = feature_megabytes(dataset, documents_in_parts(dataset, parts))
    workers: int = settings.get("workers", 1)
    return round(attempt * workers * (at_least + copies * size))


def training_minutes(
    dataset: Dataset, settings: Mapping[str, Any], attempt: int, parts: str
) -> int:
    """Minutes for one training on one core.

    Measured for the paper's 2,000 epochs: 11 on MQ2007, 4 on OHSUMED; without a network less
    than 1. An epoch of a million documents like MSLR's, of which three fifths are trained on: 0.2.

    Args:
        dataset: what is trained on.
        settings: the method's settings; `epochs`, `samples`, `members`, `levels` and
            `feature_scaling` count where it has them.
        attempt: 1 for the first.
        parts: folder of the data set's parts.
    """
    passes: float = settings.get("epochs", 200) * settings.get("samples", 1)
    passes *= settings.get("members", 1) * max(1.0, settings.get("levels", 1) / 20) ** 2
    inputs = dataset.features * (2 if _doubled(settings) else 1)
    # The first layer grows with the inputs; what comes after it costs as much as some 60 of them.
    values = documents_in_parts(dataset, parts) * (inputs + 60)
    return round(attempt * (30 + passes * values / 400_000_000))


def _doubled(settings: Mapping[str, Any]) -> bool:
    """Whether a ranker sees ranks beside the values, or may."""
    return settings.get("feature_scaling") in ("values-and-quantiles", "auto")


def _in_text(dataset: Dataset, source: Path) -> int:
    source.stat()
    files = [path for path in source.parent.rglob("*") if path.is_file() and path != source]
    lines = read = 0
    for path in files:
        with path.open("rb") as file:
            sample = file.read(_SAMPLE)
        # The last line need not end.
        lines += sample.count(b"\n") + (not sample.endswith(b"\n") and bool(sample))
        read += len(sample)
    weight = sum(path.stat().st_size for path in files)
    # Of its own folds, every one has every document.
    copies = dataset.part_count if dataset.layout.has_folds else 1
    return round(weight * lines / read / copies) if read else 0


@cache
def _in_parts(folder: Path, _changed: int) -> int:
    """Documents in the parts of a folder that was last changed at a time."""
    try:
        return sum(part.rows for part in read_index(folder).parts)
    except UserError:
        return 0  # the job will say what is wrong with them
