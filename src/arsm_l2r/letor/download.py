"""Download a file over HTTP: with progress, resumed, retried, checked, and never left half done."""

import hashlib
import http.client
import json
import time
import urllib.error
import urllib.request
from pathlib import Path

from arsm_l2r import __version__
from arsm_l2r.errors import FetchError
from arsm_l2r.progress import Progress

_BLOCK = 1 << 18
_RETRY = {408, 425, 429, 500, 502, 503, 504}


class _InterruptedError(Exception):
    """The transfer failed in a way that a later try may mend."""


def download(
    url: str,
    target: Path,
    *,
    md5: str | None = None,
    sha256: str | None = None,
    attempts: int = 4,
    pause: float = 2.0,
    timeout: float = 60.0,
) -> None:
    """Download `url` to `target`.

    While it lasts the file is called `{target}.part`; a later call goes on where it ended, if
    the server allows that and still has the same file. `target` appears only when whole.

    Args:
        url: the address.
        target: where the file goes.
        md5: what it must hash to, if known.
        sha256: the same, of the other kind.
        attempts: how often to try in a row without a byte gained.
        pause: seconds before the second try; doubled before each further one.
        timeout: seconds without an answer after which a try has failed.

    Raises:
        FetchError: saying what happened. A file with a wrong checksum is not kept.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    failures = 0
    while True:
        size_before = _size(part)
        try:
            _transfer(url, part, timeout)
            break
        except _InterruptedError as error:
            failures = 1 if _size(part) > size_before else failures + 1
            if failures >= attempts:
                raise FetchError(f"{error} (tried {attempts} times)") from error
            time.sleep(pause * 2 ** (failures - 1))
    try:
        check_sum(part, md5=md5, sha256=sha256)
    except FetchError:
        part.unlink()
        raise
    finally:
        _validator_file(part).unlink(missing_ok=True)
    part.replace(target)


def check_sum(path: Path, *, md5: str | None = None, sha256: str | None = None) -> None:
    """Raise FetchError unless the file hashes to what is given."""
    for kind, expected in (("md5", md5), ("sha256", sha256)):
        if expected:
            with path.open("rb") as file:
                actual = hashlib.file_digest(file, kind).hexdigest()
            if actual != expected:
                raise FetchError(f"wrong checksum: {kind} is {actual}, should be {expected}")


def _transfer(url: str, part: Path, timeout: float) -> None:
    """One try: append to `part` what is missing of it."""
    offset, validator = _size(part), _read_validator(part)
    headers = {"User-Agent": f"arsm-l2r/{__version__}"}
    if offset and validator:
        headers |= {"Range": f"bytes={offset}-", "If-Range": validator}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=timeout
        ) as response:
            resumed = response.status == 206
            if resumed and not _continues(response, offset, validator):
                part.unlink(missing_ok=True)
                raise _InterruptedError("the server answered with another piece than asked for")
            _receive(response, part, offset if resumed else 0)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing (more) at that offset: the part is of another file
            part.unlink(missing_ok=True)
        if error.code in _RETRY or error.code == 416:
            raise _InterruptedError(f"the server answered {error.code} {error.reason}") from error
        raise FetchError(f"the server answered {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise _InterruptedError(str(reason) or type(error).__name__) from error


def _receive(response: http.client.HTTPResponse, part: Path, offset: int) -> None:
    kind = response.headers.get_content_type()
    block = response.read(_BLOCK)
    if kind == "text/html" or block.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise FetchError("answered with a web page instead of the file")
    length = response.headers.get("Content-Length")
    total = offset + int(length) if length else None
    validator = _validator(response)
    if validator and not validator.startswith("W/"):
        _validator_file(part).write_text(json.dumps(validator), encoding="utf-8")
    else:
        _validator_file(part).unlink(missing_ok=True)
    name = part.name.removesuffix(".part")
    with (
        part.open("ab" if offset else "wb") as file,
        Progress(f"Downloading {name}", total, unit="B", done=offset) as progress,
    ):
        while block:
            file.write(block)
            progress.advance(len(block))
            block = response.read(_BLOCK)
    if total is not None and _size(part) < total:
        raise _InterruptedError(f"the connection ended after {_size(part):,} of {total:,} bytes")


def _continues(response: http.client.HTTPResponse, offset: int, validator: str | None) -> bool:
    """Whether a partial answer begins at `offset`, and is of the same version of the file."""
    starts = str(response.headers.get("Content-Range", "")).startswith(f"bytes {offset}-")
    return starts and validator in (None, _validator(response) or validator)


def _validator(response: http.client.HTTPResponse) -> str | None:
    return response.headers.get("ETag") or response.headers.get("Last-Modified")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _validator_file(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _read_validator(part: Path) -> str | None:
    """What the server named the version of the file that `part` is the beginning of."""
    try:
        return str(json.loads(_validator_file(part).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None
