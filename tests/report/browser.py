"""A real browser, told what to do through a pipe: pages are opened, looked at, and typed into."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
]

_KEYS = {
    "Tab": {"code": "Tab", "windowsVirtualKeyCode": 9},
    "Enter": {"code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
    "ArrowRight": {"code": "ArrowRight", "windowsVirtualKeyCode": 39},
}


class Tab:
    """A page that is open."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._last, self._rest, self._session = 0, b"", ""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        self._ask("Page.enable")

    def open(self, page: Path, width: int, *, dark: bool = False) -> None:
        """Open a page in a window of a width, as its reader likes it: light or dark."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        wanted = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self._ask("Emulation.setEmulatedMedia", media="screen", features=wanted)
        self._ask("Page.navigate", url=page.as_uri())
        end = time.monotonic() + 60
        while self.run("[document.readyState, location.href]") != ["complete", page.as_uri()]:
            assert time.monotonic() < end, f"{page} does not open"
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        """What an expression gives in the page."""
        done = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let go of it."""
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, **_KEYS[key])

    def picture(self, selector: str) -> np.ndarray:
        """An element as it is seen, (height, width, 3) from 0 to 1."""
        box = self.run(
            f"(e => {{ e.scrollIntoView(); const r = e.getBoundingClientRect(); return {{x: r.x + "
            "scrollX, y: r.y + scrollY, width: Math.min(r.width, innerWidth - r.x), height: "
            f"r.height, scale: 1}} }})(document.querySelector({json.dumps(selector)}))"
        )
        taken = self._ask("Page.captureScreenshot", clip=box, captureBeyondViewport=True)
        return np.asarray(imread(BytesIO(base64.b64decode(taken["data"]))))[:, :, :3]

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                more = os.read(self._read, 1 << 16)
                assert more, "the browser has ended"
                self._rest += more
            text, _, self._rest = self._rest.partition(b"\0")
            answer: dict[str, Any] = json.loads(text)
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                found: dict[str, Any] = answer["result"]
                return found


@contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A browser with one tab, closed at the end.

    Args:
        profile: a folder of its own.
    """
    assert PROGRAM is not None
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # The browser reads from descriptor 3 and writes to 4, whatever ours are.
    shell = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
    process = subprocess.Popen(
        [
            *("bash", "-c", shell, "bash", str(theirs_in), str(theirs_out)),
            *(PROGRAM, *OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}"),
        ],
        pass_fds=(theirs_in, theirs_out),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Tab(ours_out, ours_in)
    finally:
        os.close(ours_out)
        os.close(ours_in)
        process.terminate()
        process.wait(timeout=30)
