"""Servers that mean no good, or are merely broken: what each answers, and what is to be said."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, repeat

from arsm_l2r.letor.limits import Fetching
from tests.letor.web import Answer

PATIENT = Fetching(timeout=60, rate=1, seconds=600, bytes=300_000)
"""So that a busy machine makes no difference."""

HASTY = Fetching(timeout=0.5, rate=100_000, seconds=600, bytes=300_000)
"""For servers that never get anywhere."""

BRIEF = Fetching(timeout=60, rate=1, seconds=1.5, bytes=300_000)
"""For servers that get on, but never to an end."""

Spoken = Iterator[bytes | float]

OK = b"HTTP/1.1 200 OK\r\n"
STRONG = b'ETag: "one"\r\n'


@dataclass(frozen=True)
class Hostile:
    """A server.

    Attributes:
        answers: what it answers, over and over.
        limits: those that it is up against.
        told: what the error must say, as a regular expression.
        size: what the catalogue knows of the file's size.
        stays: whether a beginning is kept, to go on with it later.
    """

    answers: Callable[[], list[Answer]]
    told: str
    limits: Fetching = PATIENT
    size: int | None = None
    stays: bool = False


def answering(*spoken: bytes | float) -> Callable[[], list[Answer]]:
    return speaking(lambda: iter(spoken))


def speaking(spoken: Callable[[], Spoken]) -> Callable[[], list[Answer]]:
    return lambda: [Answer(spoken=spoken)]


def plain(**answer: object) -> Callable[[], list[Answer]]:
    return lambda: [Answer(**answer)]  # type: ignore[arg-type]


def redirecting(location: str) -> Hostile:
    told = "redirected without saying where to"
    if location.strip():
        told = r"redirected to .* which is no address with http or https"
    return Hostile(plain(status=302, headers={"Location": location}), told)


def trickled(text: bytes, before: bytes = b"") -> Callable[[], list[Answer]]:
    """So many bytes at once, and then one at a time, too often for a socket to time out."""

    def spoken() -> Spoken:
        yield before
        for byte in text:
            yield bytes([byte])
            yield 0.02

    return speaking(spoken)


def endless(before: bytes, block: bytes) -> Callable[[], list[Answer]]:
    def spoken() -> Spoken:
        yield before
        yield from repeat(block)

    return speaking(spoken)


def new_version_each_time(size: Callable[[int], int]) -> Callable[[], list[Answer]]:
    """Cut after some bytes, and another ETag for each request."""
    numbers = count(1)

    def spoken() -> Spoken:
        number = next(numbers)
        head = f'HTTP/1.1 200 OK\r\nETag: "{number}"\r\nContent-Length: 200000\r\n\r\n'
        yield head.encode() + b"x" * size(number)

    return speaking(spoken)


BLOCK = b"x" * 50_000
CHUNK = b"c350\r\n" + BLOCK + b"\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_SLOW = r"timed out: [0-9,]+ bytes of the file in 0\.5 s, less than 100000 a second"
TOO_MANY = r"bytes are too many: 300,000 \(fetching\.bytes\)"
CUT = "the connection ended before the file did"
UNREADABLE = "answered what cannot be read"

HOSTILE: dict[str, Hostile] = {
    # time
    "silent": Hostile(plain(silent=True), "timed out", HASTY),
    "stalls in the headers": Hostile(
        answering(OK + b"Content-Le", 60.0), "timed out: 0 bytes", HASTY
    ),
    "stalls in the body": Hostile(
        answering(OK + b"Content-Length: 100000\r\n\r\n" + BLOCK, 60.0), "timed out", HASTY
    ),
    "stalls in a body to go on with": Hostile(
        answering(OK + STRONG + b"Content-Length: 100000\r\n\r\n" + BLOCK, 60.0),
        "timed out",
        HASTY,
        stays=True,
    ),
    "status trickles": Hostile(
        trickled(b"HTTP/1.1 200 " + b"O" * 10_000), "timed out: 0 bytes", HASTY
    ),
    "headers trickle": Hostile(trickled(b"X: y\r\n" * 90, OK), "timed out: 0 bytes", HASTY),
    "body trickles": Hostile(trickled(b"x" * 10_000, OK + b"\r\n"), TOO_SLOW, HASTY),
    "chunks trickle": Hostile(trickled(b"1\r\nx\r\n" * 2_000, CHUNKED), TOO_SLOW, HASTY),
    "redirect trickles": Hostile(
        trickled(b"Location: /data.zip\r\n" * 90, b"HTTP/1.1 302 Found\r\n"), "timed out", HASTY
    ),
    "trailers never end": Hostile(endless(CHUNKED + b"0\r\n", b"X: y\r\n"), "timed out", HASTY),
    "'100 Continue' never ends": Hostile(
        endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "timed out", HASTY
    ),
    "another version at each try": Hostile(
        new_version_each_time(lambda number: 1_000), "1,000 of 200,000 bytes", stays=True
    ),
    "another version, a byte more at each try": Hostile(
        new_version_each_time(lambda number: 1_000 + number),
        r"not done after 1\.5 s \(fetching\.seconds\)",
        BRIEF,
        stays=True,
    ),
    # size
    "body never ends": Hostile(endless(OK + b"\r\n", BLOCK), TOO_MANY),
    "body to go on with never ends": Hostile(endless(OK + STRONG + b"\r\n", BLOCK), TOO_MANY),
    "chunks never end": Hostile(endless(CHUNKED, CHUNK), TOO_MANY),
    "longer than allowed": Hostile(
        endless(OK + b"Content-Length: 300001\r\n\r\n", BLOCK), "300,001 " + TOO_MANY
    ),
    "longer than all disks": Hostile(
        endless(OK + b"Content-Length: " + b"9" * 18 + b"\r\n\r\n", BLOCK), TOO_MANY
    ),
    "redirect with an endless body": Hostile(
        endless(b"HTTP/1.1 302 Found\r\nLocation: /gone\r\n\r\n", BLOCK), "404 Not Found"
    ),
    "error with an endless body": Hostile(
        endless(b"HTTP/1.1 404 Not Found\r\n\r\n", BLOCK), "404 Not Found"
    ),
    "shorter than known": Hostile(plain(body=BLOCK), "wrong size: 50,000 bytes", size=50_001),
    "longer than known": Hostile(plain(body=BLOCK), "wrong size: 50,000 bytes", size=49_999),
    "longer than known, unannounced": Hostile(
        answering(OK + b"\r\n" + BLOCK), "more than the 49,999 bytes", size=49_999
    ),
    "shorter than known, unannounced": Hostile(
        answering(OK + b"\r\n" + BLOCK), "ended after 50,000 of 50,001", size=50_001
    ),
    # words
    **{
        f"Content-Length: {length}": Hostile(
            plain(body=BLOCK, headers={"Content-Length": length}),
            "Content-Length that is no size",
        )
        for length in ("abc", "-5", "+5", "1_000", "5, 5", "0x10", "1e3", "", "9" * 5_000)
    },
    **{
        f"Location: {location!r}": redirecting(location)
        for location in (
            *(
                "",
                "   ",
                "http://[",
                "http://[::1",
                "https:///x",
                "http://a b/",
            ),
            *("http://127.0.0.1:port/", "http://127.0.0.1:99999/", "ftp://127.0.0.1/x"),
            *("file:///etc/hostname", "data:text/plain,x", "javascript:x", "mailto:x"),
        )
    },
    "redirect without an address": Hostile(
        answering(b"HTTP/1.1 301 Moved\r\n\r\n"), "redirected without saying where to"
    ),
    "redirects in a circle": Hostile(
        plain(status=302, headers={"Location": "/data.zip"}), "redirected more than 10 times"
    ),
    "a piece that nobody asked for": Hostile(
        plain(status=206, body=BLOCK, headers={"Content-Range": "bytes 0-49999/50000"}),
        "another piece than asked for",
    ),
    "a piece without a range": Hostile(plain(status=206, body=BLOCK), "another piece"),
    "a web page": Hostile(plain(body=b"<html>", kind="text/html"), "a web page"),
    "a web page, letter by letter": Hostile(
        answering(OK + b"\r\n", b"<", 0.01, b"ht", 0.01, b"ml>"), "a web page"
    ),
    "no content": Hostile(answering(b"HTTP/1.1 204 No Content\r\n\r\n"), "204 No Content"),
    "a status of its own": Hostile(
        answering(b"HTTP/1.1 799 \x1b[31mred\x1b[0m\r\n\r\n"), "the server answered 799$"
    ),
    "hangs up": Hostile(answering(b""), "closed connection without response"),
    "no HTTP": Hostile(answering(b"SSH-2.0-OpenSSH_9.2\r\n"), UNREADABLE),
    "zeros": Hostile(endless(b"", b"\0" * 50_000), UNREADABLE),
    "status that is no number": Hostile(answering(b"HTTP/1.1 abc OK\r\n\r\n"), UNREADABLE),
    "one endless header": Hostile(endless(OK + b"X: ", BLOCK), UNREADABLE),
    "endlessly many headers": Hostile(endless(OK, b"X: y\r\n"), UNREADABLE),
    "chunks of no size": Hostile(answering(CHUNKED + b"xyz\r\n" + BLOCK), CUT),
    "chunks of negative size": Hostile(answering(CHUNKED + b"-5\r\n" + BLOCK), CUT),
    "chunks that end early": Hostile(answering(CHUNKED + b"ffffff\r\n" + BLOCK), CUT),
}
