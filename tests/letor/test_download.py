"""Downloads from a server that is scripted to fail in every way one does."""

import hashlib
import io
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from arsm_l2r.errors import FetchError
from arsm_l2r.letor import download as module
from arsm_l2r.letor.connection import redirected
from arsm_l2r.letor.download import download
from arsm_l2r.letor.limits import Fetching
from arsm_l2r.letor.unfinished import Unfinished

from .web import Answer, serving

BODY = bytes(range(256)) * 20
OTHER = BODY[::-1]

quickly: Callable[..., None] = partial(download, pause=0, attempts=3)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_whole_file_arrives_and_nothing_else_stays(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "data.zip"
    with serving({"/data.zip": [Answer(BODY)]}) as server:
        quickly(server.url("/data.zip"), target)
    assert target.read_bytes() == BODY
    assert names(target.parent) == ["data.zip"]
    assert "Range" not in server.requests[0][1]


def test_cut_connection_is_resumed_with_the_missing_bytes_only(tmp_path: Path) -> None:
    answers = [Answer(BODY, cut_after=1000), Answer(BODY, cut_after=500), Answer(BODY)]
    with serving({"/data.zip": answers}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert (tmp_path / "data.zip").read_bytes() == BODY
    assert [headers["Range"] for _, headers in server.requests] == [
        None,
        "bytes=1000-",
        "bytes=1500-",
    ]
    assert [headers["If-Range"] for _, headers in server.requests[1:]] == ['"first"', '"first"']
    assert server.sent == [1000, 500, len(BODY) - 1500]


def test_later_call_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    target = tmp_path / "data.zip"
    with serving({"/data.zip": [Answer(BODY, cut_after=1000), Answer(BODY)]}) as server:
        with pytest.raises(FetchError, match=r"ended after 1,000 of 5,120 bytes \(tried 1 times\)"):
            download(server.url("/data.zip"), target, attempts=1)
        assert not target.exists()
        assert (tmp_path / "data.zip.part").read_bytes() == BODY[:1000]
        download(server.url("/data.zip"), target, attempts=1)
    assert server.sent == [1000, len(BODY) - 1000]
    assert target.read_bytes() == BODY
    assert names(tmp_path) == ["data.zip"]


@pytest.mark.parametrize(
    "second",
    [
        Answer(BODY, ranges=False),
        Answer(OTHER, etag='"second"'),
        Answer(OTHER, etag='"second"', ranges=False),
    ],
    ids=["Range ignored", "file changed", "file changed and Range ignored"],
)
def test_whole_answer_to_a_resumed_download_replaces_the_beginning(
    tmp_path: Path, second: Answer
) -> None:
    with serving({"/data.zip": [Answer(BODY, cut_after=1000), second]}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert "Range" in server.requests[1][1]
    assert (tmp_path / "data.zip").read_bytes() == second.body
    assert names(tmp_path) == ["data.zip"]


@pytest.mark.parametrize(
    "second",
    [
        Answer(OTHER, etag='"second"', if_range=False),
        Answer(BODY, shift=7),
        Answer(BODY[:1000], etag='"second"', if_range=False),
    ],
    ids=["piece of a changed file", "piece from elsewhere", "nothing beyond the offset"],
)
def test_piece_that_does_not_continue_the_beginning_makes_it_start_anew(
    tmp_path: Path, second: Answer
) -> None:
    third = Answer(OTHER, etag='"second"')
    with serving({"/data.zip": [Answer(BODY, cut_after=1000), second, third]}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert "Range" not in server.requests[2][1]
    assert (tmp_path / "data.zip").read_bytes() == OTHER


@pytest.mark.parametrize("etag", [None, 'W/"first"'], ids=["no version", "weak version"])
def test_file_of_unknown_version_is_never_resumed(tmp_path: Path, etag: str | None) -> None:
    answers = [Answer(BODY, etag=etag, cut_after=1000), Answer(BODY, etag=etag)]
    with serving({"/data.zip": answers}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert "Range" not in server.requests[1][1]
    assert (tmp_path / "data.zip").read_bytes() == BODY


def test_right_checksums_are_accepted(tmp_path: Path) -> None:
    with serving({"/data.zip": [Answer(BODY)]}) as server:
        quickly(
            server.url("/data.zip"),
            tmp_path / "data.zip",
            md5=hashlib.md5(BODY).hexdigest(),
            sha256=hashlib.sha256(BODY).hexdigest(),
        )
    assert (tmp_path / "data.zip").read_bytes() == BODY


@pytest.mark.parametrize(("kind", "length"), [("md5", 32), ("sha256", 64)])
def test_file_with_a_wrong_checksum_is_not_kept(tmp_path: Path, kind: str, length: int) -> None:
    actual, expected = hashlib.new(kind, BODY).hexdigest(), "0" * length
    with (
        serving({"/data.zip": [Answer(BODY)]}) as server,
        pytest.raises(FetchError, match=f"{kind} is {actual}, should be {expected}"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "data.zip", **{kind: expected})
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "answer",
    [
        Answer(BODY, kind="text/html; charset=utf-8"),
        Answer(b"\r\n  <!DOCTYPE html>\n<title>Moved</title>"),
        Answer(b"<HTML><body>Please accept</body></HTML>"),
    ],
    ids=["by content type", "by doctype", "by tag"],
)
def test_web_page_is_not_taken_for_the_file(tmp_path: Path, answer: Answer) -> None:
    with (
        serving({"/data.zip": [answer]}) as server,
        pytest.raises(FetchError, match="web page instead of the file"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert names(tmp_path) == []
    assert len(server.requests) == 1


def test_missing_file_is_asked_for_once(tmp_path: Path) -> None:
    with serving({}) as server, pytest.raises(FetchError, match="answered 404 Not Found"):
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert server.paths == ["/data.zip"]
    assert names(tmp_path) == []


def test_busy_server_is_asked_again(tmp_path: Path) -> None:
    with serving({"/data.zip": [Answer(status=503), Answer(status=429), Answer(BODY)]}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert (tmp_path / "data.zip").read_bytes() == BODY


def test_server_that_stays_busy_is_given_up_after_longer_and_longer_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(module.time, "sleep", pauses.append)
    with (
        serving({"/data.zip": [Answer(status=503)]}) as server,
        pytest.raises(FetchError, match=r"503 Service Unavailable \(tried 4 times\)"),
    ):
        download(server.url("/data.zip"), tmp_path / "data.zip", attempts=4, pause=2)
    assert len(server.requests) == 4
    assert pauses == [2, 4, 8]


def test_tries_count_anew_when_bytes_were_gained(tmp_path: Path) -> None:
    cuts = [Answer(BODY, cut_after=100)] * 6
    with serving({"/data.zip": [*cuts, Answer(BODY)]}) as server:
        download(server.url("/data.zip"), tmp_path / "data.zip", attempts=2, pause=0)
    assert server.sent == [100] * 6 + [len(BODY) - 600]
    assert (tmp_path / "data.zip").read_bytes() == BODY


def test_nobody_listening_is_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(FetchError, match=r"refused.*tried 3 times"):
        quickly(f"http://127.0.0.1:{port}/data.zip", tmp_path / "data.zip")


def test_silent_server_is_given_up(tmp_path: Path) -> None:
    with (
        serving({"/data.zip": [Answer(silent=True)]}) as server,
        pytest.raises(FetchError, match="timed out"),
    ):
        quickly(
            server.url("/data.zip"), tmp_path / "data.zip", limits=Fetching(timeout=0.1), attempts=1
        )
    assert names(tmp_path) == []


# ── limits ────────────────────────────────────────────────────────────────────────────────


def test_pieces_shorter_than_asked_for_are_put_together(tmp_path: Path) -> None:
    def piece(start: int, end: int) -> Answer:
        told = {"Content-Range": f"bytes {start}-{end - 1}/{len(BODY)}"}
        return Answer(BODY[start:end], status=206, ranges=False, headers=told)

    answers = [Answer(BODY, cut_after=1000), piece(1000, 3000), piece(3000, len(BODY))]
    with serving({"/data.zip": answers}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert (tmp_path / "data.zip").read_bytes() == BODY


@pytest.mark.parametrize("total", ["40", "1003", "1010", "*"])
def test_piece_of_a_file_of_another_size_is_not_taken_for_the_rest(
    tmp_path: Path, total: str
) -> None:
    told = {"Content-Range": f"bytes 1000-1009/{total}"}
    piece = Answer(BODY[1000:1010], status=206, ranges=False, headers=told)
    answers = [Answer(BODY, cut_after=1000), piece, Answer(BODY)]
    with serving({"/data.zip": answers}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert (tmp_path / "data.zip").read_bytes() == BODY
    assert names(tmp_path) == ["data.zip"]


def test_two_downloads_of_one_file_take_turns(tmp_path: Path) -> None:
    def slowly() -> Iterator[bytes | float]:
        yield f"HTTP/1.1 200 OK\r\nContent-Length: {len(BODY)}\r\n\r\n".encode() + BODY[:2000]
        yield 0.3
        yield BODY[2000:]

    target, failures = tmp_path / "data.zip", []

    def one() -> None:
        try:
            quickly(server.url("/data.zip"), target)
        except BaseException as error:
            failures.append(error)

    with serving({"/data.zip": [Answer(spoken=slowly)]}) as server:
        both = [threading.Thread(target=one) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join()
    assert failures == []
    assert target.read_bytes() == BODY
    assert names(tmp_path) == ["data.zip"]


def test_file_of_the_known_size_is_accepted_with_and_without_its_length(tmp_path: Path) -> None:
    def spoken() -> Iterator[bytes | float]:
        yield b"HTTP/1.1 200 OK\r\n\r\n" + BODY

    script = {"/a.zip": [Answer(BODY)], "/b.zip": [Answer(spoken=spoken)]}
    with serving(script) as server:
        for path in ("/a.zip", "/b.zip"):
            quickly(server.url(path), tmp_path / path[1:], size=len(BODY))
            assert (tmp_path / path[1:]).read_bytes() == BODY


def test_redirect_is_followed_with_what_is_asked_for(tmp_path: Path) -> None:
    moved = Answer(status=302, headers={"Location": "new place/d\xe4ta.zip?a=b c#d"})
    answers = [Answer(BODY, cut_after=1000), Answer(BODY)]
    with serving({"/data.zip": [moved], "/new%20place/d%E4ta.zip?a=b%20c": answers}) as server:
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert (tmp_path / "data.zip").read_bytes() == BODY
    assert server.requests[3][1]["Range"] == "bytes=1000-"


@pytest.mark.parametrize(
    ("start", "location", "followed"),
    [
        ("http://a/x", "https://b/y", "https://b/y"),
        ("http://a/x", "//b/y", "http://b/y"),
        ("https://a/x", "/y", "https://a/y"),
        ("https://a/x", "http://a/x", None),
        ("https://a/x", "ftp://a/x", None),
    ],
)
def test_redirects_lead_from_http_to_https_only(
    start: str, location: str, followed: str | None
) -> None:
    if followed:
        assert redirected(start, location) == followed
    else:
        with pytest.raises(FetchError, match=f"redirected .*to '{location}'"):
            redirected(start, location)


def test_further_than_ever_is_what_counts_as_getting_on(tmp_path: Path) -> None:
    cuts = [Answer(BODY, etag=f'"{number}"', cut_after=1000) for number in range(20)]
    with (
        serving({"/data.zip": cuts}) as server,
        pytest.raises(FetchError, match=r"ended after 1,000 of 5,120 bytes \(tried 3 times\)"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "data.zip")
    assert len(server.requests) == 3


def test_slow_server_is_given_up_even_if_each_try_gains_bytes(tmp_path: Path) -> None:
    def spoken() -> Iterator[bytes | float]:
        yield b'HTTP/1.1 200 OK\r\nETag: "first"\r\nContent-Length: 9999999\r\n\r\n'
        while True:
            yield b"x" * 600
            yield 0.02

    limits = Fetching(timeout=0.5, rate=1e9)
    with (
        serving({"/data.zip": [Answer(spoken=spoken)]}) as server,
        pytest.raises(FetchError, match=r"less than 1e\+09 a second \(tried 3 times\)"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "data.zip", limits=limits)
    assert len(server.requests) == 3


def test_no_pause_is_begun_that_would_outlast_the_time_for_the_source(tmp_path: Path) -> None:
    with (
        serving({"/data.zip": [Answer(status=503)]}) as server,
        pytest.raises(FetchError, match=r"503 .*; not done after 50 s \(fetching\.seconds\)"),
    ):
        download(
            server.url("/data.zip"), tmp_path / "data.zip", pause=60, limits=Fetching(seconds=50)
        )
    assert len(server.requests) == 1


def test_beginning_that_grew_too_large_is_not_kept(tmp_path: Path) -> None:
    target = tmp_path / "data.zip"
    with serving({"/data.zip": [Answer(BODY, cut_after=1000), Answer(BODY)]}) as server:
        with pytest.raises(FetchError, match="ended after"):
            download(server.url("/data.zip"), target, attempts=1)
        with pytest.raises(FetchError, match=r"5,120 bytes are too many: 2,000"):
            download(server.url("/data.zip"), target, limits=Fetching(bytes=2000))
    assert names(tmp_path) == []


def test_room_on_the_disk_is_looked_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5119))
    with (
        serving({"/data.zip": [Answer(BODY)]}) as server,
        pytest.raises(FetchError, match=r"needs 5,120 bytes, and .* has 5,119 free"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "new" / "data.zip")
    assert names(tmp_path) == []


def test_full_disk_is_told_at_once_and_nothing_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.FileIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Unfinished, "begin", lambda part, *_: Full(part.path, "wb"))
    with (
        serving({"/data.zip": [Answer(BODY)]}) as server,
        pytest.raises(FetchError, match=r"cannot be stored: .*No space left on device"),
    ):
        quickly(server.url("/data.zip"), tmp_path / "new" / "data.zip")
    assert len(server.requests) == 1
    assert names(tmp_path) == []


def test_note_that_cannot_be_used_makes_it_start_anew(tmp_path: Path) -> None:
    (tmp_path / "data.zip.part").write_bytes(OTHER[:1000])
    for note in (
        r'{"version": "two\r\nlines"}',
        '{"version": 7}',
        '{"version": "W/weak"}',
        "7",
        "null",
        "{",
    ):
        (tmp_path / "data.zip.part.json").write_text(note)
        with serving({"/data.zip": [Answer(BODY)]}) as server:
            quickly(server.url("/data.zip"), tmp_path / "data.zip")
        assert "Range" not in server.requests[0][1]
        assert (tmp_path / "data.zip").read_bytes() == BODY
