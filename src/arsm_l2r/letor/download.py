"""Download a file over HTTP: with progress, resumed, retried, bounded, checked, never half done."""

import hashlib
import io
import re
import sys
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import NoReturn

from arsm_l2r import __version__
from arsm_l2r.errors import FetchError
from arsm_l2r.letor.connection import (
    InterruptedTransferError,
    SlowTransferError,
    Watch,
    get,
    out_of_time,
)
from arsm_l2r.letor.disk import folder_for, need_room
from arsm_l2r.letor.limits import DEFAULTS, Fetching
from arsm_l2r.letor.unfinished import Unfinished, UselessError
from arsm_l2r.locks import alone
from arsm_l2r.progress import Progress

_BLOCK = 1 << 18
_BEGINNING = 512
_RETRY = {408, 416, 425, 429, 500, 502, 503, 504}
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def download(
    url: str,
    target: Path,
    *,
    md5: str | None = None,
    sha256: str | None = None,
    size: int | None = None,
    limits: Fetching = DEFAULTS,
    attempts: int = 4,
    pause: float = 2.0,
) -> None:
    """Download `url` to `target`.

    While it lasts the file is called `{target}.part`; a later call goes on where it ended, if
    the server allows that and still has the same file. `target` appears only when whole.

    Args:
        url: the address.
        target: where the file goes.
        md5: what it must hash to, if known.
        sha256: the same, of the other kind.
        size: how many bytes it must have, if known.
        limits: of time and size.
        attempts: how often to try in a row without getting further than ever before.
        pause: seconds before the second try; doubled before each further one.

    Raises:
        FetchError: saying what happened. What cannot be continued later is not kept.
    """
    part = Unfinished(target.with_name(target.name + ".part"))
    with folder_for(target.parent), alone(target, "download"):
        try:
            _persist(_Transfer(url, part, size, limits), attempts, pause)
            check_file(part.path, md5=md5, sha256=sha256, size=size)
        except BaseException as error:
            if isinstance(error, UselessError) or part.version is None:
                part.discard()
            raise
        part.become(target)


def check_file(
    path: Path, *, md5: str | None = None, sha256: str | None = None, size: int | None = None
) -> None:
    """Raise FetchError unless the file has that size, and hashes to what is given."""
    found = path.stat().st_size
    if size is not None and found != size:
        raise UselessError(f"wrong size: {found:,} bytes, should be {size:,}")
    for kind, expected in (("md5", md5), ("sha256", sha256)):
        if expected:
            with path.open("rb") as file:
                actual = hashlib.file_digest(file, kind).hexdigest()
            if actual != expected:
                raise UselessError(f"wrong checksum: {kind} is {actual}, should be {expected}")


def _persist(transfer: "_Transfer", attempts: int, pause: float) -> None:
    """Try until the file is whole, or there is no more hope, or no more time."""
    deadline = time.monotonic() + transfer.limits.seconds
    failures, furthest = 0, transfer.part.size
    while True:
        try:
            return transfer.run(Watch(transfer.limits, deadline))
        except InterruptedTransferError as error:
            further = transfer.part.size > furthest and not isinstance(error, SlowTransferError)
            furthest = max(furthest, transfer.part.size)
            failures = 1 if further else failures + 1
            if failures >= attempts:
                raise FetchError(f"{error} (tried {attempts} times)") from error
            wait = pause * 2 ** (failures - 1)
            if time.monotonic() + wait >= deadline:
                raise FetchError(f"{error}; {out_of_time(transfer.limits)}") from error
            print(f"{transfer.url}: {error}; again in {wait:g} s", file=sys.stderr, flush=True)
            time.sleep(wait)


@dataclass(frozen=True)
class _Transfer:
    """What is to be downloaded, and where to; `size` is what the file must have, if known."""

    url: str
    part: Unfinished
    size: int | None
    limits: Fetching

    def run(self, watch: Watch) -> None:
        """One try: add to the part what is missing of it."""
        headers, version = {"User-Agent": f"arsm-l2r/{__version__}"}, self.part.version
        if version is not None:
            headers |= {"Range": f"bytes={self.part.size}-", "If-Range": version}
        try:
            with get(self.url, headers, watch) as response:
                if response.status == 206:
                    self._continue(response, version, watch)
                elif response.status == 200:
                    self._begin(response, watch)
                else:
                    self._refuse(response.status)
        except TimeoutError as error:
            reason = f"timed out: nothing for {self.limits.timeout:g} s"
            raise InterruptedTransferError(reason) from error
        except OSError as error:
            raise InterruptedTransferError(
                _words(getattr(error, "reason", None) or error)
            ) from error
        except IncompleteRead as error:
            raise InterruptedTransferError("the connection ended before the file did") from error
        except HTTPException as error:
            reason = f"answered what cannot be read: {_words(error)}"
            raise InterruptedTransferError(reason) from error
        except ValueError as error:
            raise FetchError(f"cannot be asked: {_words(error)}") from error

    def _begin(self, response: HTTPResponse, watch: Watch) -> None:
        total = self._total(_content_length(response))
        need_room(self.part.path.parent, total or 0)
        beginning = b""
        while len(beginning) < _BEGINNING and (block := _received(response, watch)):
            beginning += block
        shown = beginning.lstrip()[:14].lower()
        page = shown.startswith((b"<!doctype html", b"<html"))
        if page or response.headers.get_content_type() == "text/html":
            raise FetchError("answered with a web page instead of the file")
        with self.part.begin(_version(response), total) as file:
            self.part.write(file, beginning)
            self._receive(response, watch, file, total)

    def _continue(self, response: HTTPResponse, version: str | None, watch: Watch) -> None:
        begun = self.part.size
        asked = f"bytes {begun}-[0-9]+/([0-9]{{1,18}}|[*])"
        piece = re.fullmatch(asked, str(response.headers.get("Content-Range")))
        if version is None or piece is None or (_version(response) or version) != version:
            self.part.discard()
            raise InterruptedTransferError("answered with another piece than asked for")
        length = _content_length(response)
        end = None if length is None else begun + length
        told = self.part.total or end if piece[1] == "*" else int(piece[1])
        if self.part.total not in (None, told):
            self.part.discard()
            raise InterruptedTransferError("answered with a piece of a file of another size")
        total = self._total(told)
        need_room(self.part.path.parent, (total or begun) - begun)
        with self.part.resume() as file:
            self._receive(response, watch, file, total)

    def _refuse(self, status: int) -> NoReturn:
        answered = f"the server answered {status} {_PHRASES.get(status, '')}".rstrip()
        if status == 416:  # nothing (more) at that offset: the part is of another file
            self.part.discard()
        raise InterruptedTransferError(answered) if status in _RETRY else FetchError(answered)

    def _total(self, told: int | None) -> int | None:
        """How many bytes the whole file has, if that is known before it is received."""
        if self.size is not None and told not in (None, self.size):
            raise UselessError(f"wrong size: {told:,} bytes, should be {self.size:,}")
        if told is not None and self.size is None and told > self.limits.bytes:
            raise self._too_large(told)
        return self.size or told

    def _too_large(self, size: int) -> UselessError:
        if self.size is not None:
            return UselessError(f"wrong size: more than the {self.size:,} bytes it should have")
        return UselessError(f"{size:,} bytes are too many: {self.limits.bytes:,} (fetching.bytes)")

    def _receive(
        self, response: HTTPResponse, watch: Watch, file: io.FileIO, total: int | None
    ) -> None:
        """Store what is still to come, and see that it is all."""
        done, allowed = file.tell(), self.size or self.limits.bytes
        name = self.part.path.name.removesuffix(".part")
        with Progress(f"Downloading {name}", total, unit="B", done=done) as progress:
            while done <= allowed and (block := _received(response, watch)):
                done += len(block)
                if done <= allowed:
                    self.part.write(file, block)
                progress.advance(len(block))
        if done > allowed:
            raise self._too_large(done)
        if total is not None and done != total:
            reason = f"the connection ended after {done:,} of {total:,} bytes"
            raise InterruptedTransferError(reason)


def _received(response: HTTPResponse, watch: Watch) -> bytes:
    """What has come in, as soon as anything has; nothing at the end."""
    block = response.read1(_BLOCK)
    watch.received(len(block))
    return block


def _content_length(response: HTTPResponse) -> int | None:
    told = response.headers.get("Content-Length")
    if told is not None and not re.fullmatch("[0-9]{1,18}", told):
        raise FetchError(f"answered with a Content-Length that is no size: {told[:80]!r}")
    return None if told is None or response.chunked else int(told)


def _version(response: HTTPResponse) -> str | None:
    return response.headers.get("ETag") or response.headers.get("Last-Modified")


def _words(error: object) -> str:
    """What an error says, on one line and of some length only: servers have a say in it."""
    words = " ".join(str(error).split()) or type(error).__name__
    return "".join(letter for letter in words if letter.isprintable())[:200]
