"""HTTP requests that cannot hold up the program: every wait for the server is bounded."""

import http.client
import io
import re
import socket
import string
import time
import urllib.request
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from arsm_l2r.errors import FetchError
from arsm_l2r.letor.limits import Fetching

_REDIRECTS = 10
_REDIRECTED = {301, 302, 303, 307, 308}


class InterruptedTransferError(Exception):
    """The transfer failed in a way that a later try may mend."""


class SlowTransferError(InterruptedTransferError):
    """Too little came in too long a time."""


class Watch:
    """How long one try may still wait.

    A socket's own timeout is none for the whole: a byte now and then starts it anew. Here only
    bytes of the file count, `received`, so that headers that trickle in are no progress.

    Args:
        limits: `timeout` and `rate` count.
        deadline: when the source must be done with, by `time.monotonic`.
    """

    def __init__(self, limits: Fetching, deadline: float) -> None:
        self._limits, self._deadline = limits, deadline
        self._since, self._received = time.monotonic(), 0

    def received(self, count: int) -> None:
        """Note that so many bytes of the file came in."""
        self._received += count

    def seconds(self) -> float:
        """How long the next wait may last.

        Raises:
            SlowTransferError: if too little came in the last `timeout` seconds.
            FetchError: if the time for the source is over.
        """
        now, timeout = time.monotonic(), self._limits.timeout
        if now >= self._deadline:
            raise out_of_time(self._limits)
        enough = self._received >= max(1, self._limits.rate * timeout)
        left = self._since + timeout - now
        if left <= 0 and not enough:
            raise SlowTransferError(
                f"timed out: {self._received:,} bytes of the file in {timeout:g} s, less than "
                f"{self._limits.rate:g} a second"
            )
        if left <= 0:
            self._since, self._received = now, 0
        return min(timeout if enough else left, self._deadline - now)

    def connect(self, address: tuple[str, int], *_: Any) -> socket.socket:
        """Connect to a host, by the first of its addresses that answers in time.

        Only looking up its name takes as long as the system's resolver lets it.
        """
        problem = OSError(f"{address[0]} has no address")
        for found in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            try:
                return socket.create_connection((str(found[4][0]), address[1]), self.seconds())
            except OSError as error:
                problem = error
        raise problem


def out_of_time(limits: Fetching) -> FetchError:
    """The error of a source that took too long."""
    return FetchError(f"not done after {limits.seconds:g} s (fetching.seconds)")


class _Reader(io.RawIOBase):
    """What comes from a socket, waited for as long as allowed."""

    def __init__(self, sock: socket.socket, raw: Any, watch: Watch) -> None:
        self._sock, self._raw, self._watch = sock, raw, watch

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._watch.seconds())
        try:
            received: int | None = self._raw.readinto(buffer)
            return received
        except TimeoutError:
            self._watch.seconds()  # says which limit it was
            raise

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, watch: Watch, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = io.BufferedReader(_Reader(sock, self.fp.detach(), watch))


class _Handler(urllib.request.AbstractHTTPHandler):
    """Opens http and https with connections that are watched from the first byte on."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._watched(http.client.HTTPConnection), request)

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._watched(http.client.HTTPSConnection), request)

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def _watched(self, kind: Callable[..., Any]) -> Callable[..., Any]:
        def connection(*args: Any, **options: Any) -> Any:
            made = kind(*args, **options)
            made._create_connection = self._watch.connect
            made.response_class = partial(_Response, self._watch)
            return made

        return connection


def get(url: str, headers: Mapping[str, str], watch: Watch) -> http.client.HTTPResponse:
    """Ask for an address, and follow redirects: to https, or from http to http.

    Returns:
        The answer, of whatever status but a redirect; nothing of its body has been read.
    """
    # Neither urllib's handlers of redirects and errors, which read bodies of any length, nor
    # those of other schemes.
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        _Handler(watch),
    ):
        opener.add_handler(handler)
    url = checked_address(url)
    for _ in range(_REDIRECTS + 1):
        request = urllib.request.Request(url, headers=dict(headers))
        response: http.client.HTTPResponse = opener.open(request, timeout=watch.seconds())
        if response.status not in _REDIRECTED:
            return response
        response.close()
        url = redirected(url, str(response.headers.get("Location", "")).strip())
    raise FetchError(f"redirected more than {_REDIRECTS} times")


def checked_address(url: str, encoding: str = "utf-8") -> str:
    """An http or https address, with what may not stand in one quoted.

    Raises:
        FetchError: if it is none.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        if parts.scheme not in ("http", "https") or not host or re.search(r"\s", host):
            raise ValueError
        path, query = (
            quote(part, safe=string.punctuation, encoding=encoding)
            for part in (parts.path, parts.query)
        )
        return parts._replace(path=path, query=query, fragment="").geturl()
    except ValueError as error:
        raise FetchError(f"{url[:200]!r} is no address with http or https") from error


def redirected(url: str, location: str) -> str:
    """Where a redirect leads.

    Raises:
        FetchError: if that is nowhere, or from https to something else.
    """
    if not location:
        raise FetchError("redirected without saying where to")
    try:
        target = checked_address(urljoin(url, location), encoding="latin-1")
    except (FetchError, ValueError) as error:
        raise FetchError(
            f"redirected to {location[:200]!r}, which is no address with http or https"
        ) from error
    if url.startswith("https:") and not target.startswith("https:"):
        raise FetchError(f"redirected from https to {target[:200]!r}")
    return target
