"""A web server on this machine that answers as it is told, and remembers what it was asked."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    """What to answer to one request.

    Attributes:
        body: the whole file.
        status: 200 means to serve the file, in part if that is asked for.
        kind: the content type.
        etag: names the version of the file.
        cut_after: close the connection after so many bytes.
        ranges: whether a request for a part is honoured.
        if_range: whether that depends on the version, as it should.
        shift: begin a part so many bytes after where it was to begin.
        silent: say nothing at all until the server is stopped.
        headers: sent with it, in place of those of the same name.
        spoken: called for what to send instead of HTTP that is made of the above: bytes, and
            seconds to wait between them.
    """

    body: bytes = b""
    status: int = 200
    kind: str = "application/octet-stream"
    etag: str | None = '"first"'
    cut_after: int | None = None
    ranges: bool = True
    if_range: bool = True
    shift: int = 0
    silent: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    spoken: Callable[[], Iterator[bytes | float]] | None = None


@dataclass
class Server:
    """A running server; the last answer to a path is given again and again."""

    address: str
    script: dict[str, list[Answer]]
    requests: list[tuple[str, Message]] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str) -> str:
        return self.address + path

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


@contextmanager
def serving(script: dict[str, list[Answer]]) -> Iterator[Server]:
    """Serve paths such as `/data.zip` by the given answers, in order."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append((self.path, self.headers))
            answers = served.script.get(self.path, [Answer(status=404)])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if answer.silent:
                served.stopped.wait()
            elif answer.spoken is not None:
                self._speak(answer.spoken())
            elif answer.status in (200, 206):
                self._serve(answer)
            elif answer.headers:
                self.send_response(answer.status)
                self._end_headers(answer, {})
            else:
                self.send_error(answer.status)

        def _speak(self, spoken: Iterator[bytes | float]) -> None:
            for each in spoken:
                if isinstance(each, bytes):
                    self.wfile.write(each)
                elif served.stopped.wait(each):
                    return

        def _serve(self, answer: Answer) -> None:
            body, asked = answer.body, self.headers.get("Range")
            same = self.headers.get("If-Range") == answer.etag or not answer.if_range
            if asked and answer.ranges and same:
                start = int(asked.removeprefix("bytes=").removesuffix("-")) + answer.shift
                if start >= len(body):
                    self.send_error(416)
                    return
                self.send_response(206)
                own = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
                body = body[start:]
            else:
                self.send_response(answer.status)
                own = {}
            if answer.etag:
                own["ETag"] = answer.etag
            own |= {"Content-Type": answer.kind, "Content-Length": str(len(body))}
            self._end_headers(answer, own)
            body = body[: answer.cut_after]
            served.sent.append(len(body))
            self.wfile.write(body)

        def _end_headers(self, answer: Answer, own: dict[str, str]) -> None:
            for name, value in {**own, **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is what many tests are about."""

    with Quiet(("127.0.0.1", 0), Handler) as server:
        served = Server(f"http://127.0.0.1:{server.server_port}", script)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield served
        finally:
            served.stopped.set()
            server.shutdown()
            thread.join()
