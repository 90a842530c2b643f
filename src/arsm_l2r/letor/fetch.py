"""Bring a data set's text files to this machine, from the first source that works."""

import hashlib
import json
import math
import shutil
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from arsm_l2r.errors import FetchError, UserError
from arsm_l2r.files import read_json, temporary_folder
from arsm_l2r.letor.archive import ARCHIVE_ENDINGS, Archive, Folder, open_archive
from arsm_l2r.letor.catalogue import Dataset, Source
from arsm_l2r.letor.connection import checked_address
from arsm_l2r.letor.disk import folder_for, need_room
from arsm_l2r.letor.download import check_file, download
from arsm_l2r.letor.layout import locate
from arsm_l2r.letor.limits import DEFAULTS, Fetching
from arsm_l2r.letor.unpacking import DamagedArchiveError
from arsm_l2r.progress import Progress

SOURCE_NOTE = "source.json"
"""File beside the fetched ones that says where they came from; written last."""


def fetch(
    dataset: Dataset,
    folder: Path,
    *,
    downloads: Path,
    mirror: Path | None = None,
    limits: Fetching = DEFAULTS,
) -> Source:
    """Put the text files of a data set into `folder`, under the same names for every copy.

    Args:
        dataset: what to fetch.
        folder: gets `Fold1/train.txt` … and `source.json`. It appears whole or not at all;
            what was there before is replaced.
        downloads: where downloaded archives are kept, below `by-address`; an archive that a
            person put there is used too.
        mirror: a folder with the data set's archive, or with the folder unpacked from it;
            tried before the data set's own sources.
        limits: of time and size, for each source.

    Returns:
        The source that worked.

    Raises:
        FetchError: if none did, with every source and its reason, and what to do by hand.
    """
    failures: list[tuple[str, str]] = []
    candidates = _candidates(dataset, mirror, downloads, failures)
    for source in candidates:
        try:
            with folder_for(folder.parent):
                _fetch_from(source, dataset, folder, downloads, limits)
            return source
        except (UserError, OSError) as error:
            failures.append((str(source), str(error)))
            if source is not candidates[-1]:
                print(f"{source}: {error}; trying the next source", file=sys.stderr, flush=True)
    raise FetchError(_advice(dataset, failures, downloads))


def fetching_minutes(dataset: Dataset, limits: Fetching) -> int:
    """Minutes that fetching takes at most, if each source takes all its time; with unpacking."""
    return 30 + math.ceil(len(dataset.sources) * limits.seconds / 60)


def source_of(folder: Path) -> str:
    """The source that `fetch` noted in `folder`."""
    try:
        note = read_json(folder / SOURCE_NOTE)
        if isinstance(note, dict) and isinstance(note.get("source"), str):
            return str(note["source"])
    except UserError as error:
        raise FetchError(f"{folder}: was not filled by fetch: {error}") from error
    raise FetchError(f"{folder / SOURCE_NOTE}: not what fetch wrote: it names no source")


def _candidates(
    dataset: Dataset, mirror: Path | None, downloads: Path, failures: list[tuple[str, str]]
) -> list[Source]:
    """The sources to try, in order: the mirror, what was put into `downloads`, the rest."""
    sources = []
    if mirror is not None:
        found = _archive_in(mirror, dataset)
        if found is None:
            reason = f"has no {dataset.archive}, as a folder or with {', '.join(ARCHIVE_ENDINGS)}"
            failures.append((f"mirror {mirror}", reason if mirror.is_dir() else "is not a folder"))
        else:
            sources.append(Source(file=str(found)))
    by_hand = _archive_in(downloads, dataset)
    if by_hand is not None:
        sources.append(Source(file=str(by_hand)))
    return [*sources, *dataset.sources]


def _archive_in(folder: Path, dataset: Dataset) -> Path | None:
    """The data set's archive in a folder, or the folder unpacked from it; case is ignored."""
    if not folder.is_dir():
        return None
    by_name = {path.name.lower(): path for path in sorted(folder.iterdir())}
    for ending in (*ARCHIVE_ENDINGS, ""):
        path = by_name.get(dataset.archive.lower() + ending)
        if path is not None and (path.is_file() if ending else path.is_dir()):
            return path
    return None


def _fetch_from(
    source: Source, dataset: Dataset, folder: Path, downloads: Path, limits: Fetching
) -> None:
    """Fill `folder` from one source."""
    if source.file is not None:
        path = Path(source.file).expanduser()
        if not path.exists():
            raise FetchError("there is no such file or folder")
        if path.is_file():
            check_file(path, md5=source.md5, sha256=source.sha256, size=source.bytes)
        with _opened(path, folder.parent, limits) as archive:
            _copy(dataset, archive, folder, source)
        return
    assert source.url is not None
    path = _kept_at(source.url, dataset, downloads)
    with folder_for(path.parent):
        _obtain(source, source.url, path, limits)
        try:
            with _opened(path, folder.parent, limits) as archive:
                _copy(dataset, archive, folder, source)
        except DamagedArchiveError:
            path.unlink()  # or every later call would take it for the archive
            raise


def _kept_at(url: str, dataset: Dataset, downloads: Path) -> Path:
    """Where the download of an address is kept."""
    # Two addresses may end in the same name, and yet be of different files.
    address = hashlib.sha256(url.encode()).hexdigest()[:8]
    name = PurePosixPath(unquote(urlsplit(checked_address(url)).path)).name
    plain = name if name.isprintable() and name != ".." else ""
    return downloads / "by-address" / dataset.name / address / (plain or dataset.archive)


def _obtain(source: Source, url: str, path: Path, limits: Fetching) -> None:
    """Download a source, unless that was done before and it has the right sum."""
    md5, sha256, size = source.md5, source.sha256, source.bytes
    if path.exists():
        try:
            return check_file(path, md5=md5, sha256=sha256, size=size)
        except FetchError:
            path.unlink()
    download(url, path, md5=md5, sha256=sha256, size=size, limits=limits)


def _opened(path: Path, scratch: Path, limits: Fetching) -> AbstractContextManager[Archive]:
    if path.is_dir():
        return nullcontext(Folder(path))
    if path.suffix.lower() == ".txt":
        return nullcontext(_SingleFile(path))
    return open_archive(path, limits=limits, scratch=scratch)


class _SingleFile(Folder):
    """One text file, seen as an archive that holds just that."""

    def __init__(self, file: Path) -> None:
        super().__init__(file.parent)
        self._name = file.name

    def paths(self) -> list[str]:
        return [self._name]


def _copy(dataset: Dataset, archive: Archive, folder: Path, source: Source) -> None:
    """Copy the data set's files beside `folder`, then put them in its place in one step."""
    located = locate(dataset, archive.paths())
    sizes = {path: archive.size(path) for path in located.values()}
    total = sum(sizes.values())
    need_room(folder.parent, total)
    with (
        temporary_folder(folder) as temporary,
        Progress(f"Unpacking {dataset.name}", total, unit="B") as progress,
    ):
        fresh = temporary / "fresh"
        for name, path in located.items():
            target = fresh / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(path) as incoming, target.open("wb") as outgoing:
                shutil.copyfileobj(incoming, outgoing)
            progress.advance(sizes[path])
        note = {"dataset": dataset.name, "source": str(source), "files": located}
        (fresh / SOURCE_NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
        if folder.exists():
            folder.replace(temporary / "replaced")
        fresh.replace(folder)


def _advice(dataset: Dataset, failures: list[tuple[str, str]], downloads: Path) -> str:
    lines = [f"{dataset.title} could not be fetched. Tried, in this order:"]
    lines += [f"  - {place}\n      {reason}" for place, reason in failures]
    if dataset.home:
        lines += [
            f"Get it by hand: {dataset.home}",
            f"Put the archive ({dataset.archive} with one of {', '.join(ARCHIVE_ENDINGS)}), or a "
            f"folder {dataset.archive} unpacked from it, into {downloads.resolve()} and run again "
            "(or name another folder in LETOR_MIRROR).",
        ]
    if dataset.terms:
        lines.append(dataset.terms)
    return "\n".join(lines)
