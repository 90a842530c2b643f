"""The page in a real browser: it renders, asks for nothing, and fits a phone."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from matplotlib.image import imread

from .pages import make_page

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

BROWSERS_OWN = {"clients2.google.com", "accounts.google.com", "update.googleapis.com"}
"""Hosts that Chromium asks by itself, for the time and for its own updates."""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("results")
    path = results / "report.html"
    path.write_text(make_page(results), encoding="utf-8")
    return path


def open_page(page: Path, profile: Path, *options: str) -> subprocess.CompletedProcess[str]:
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--v=0",
            f"--user-data-dir={profile}",
            *options,
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_renders_without_errors_or_requests(
    page: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    picture, log = tmp_path / "page.png", tmp_path / "net.json"
    done = open_page(
        page,
        tmp_path / "profile",
        f"--screenshot={picture}",
        f"--window-size={width},1200",
        f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
        f"--log-net-log={log}",
    )
    assert "CONSOLE" not in done.stderr
    asked = re.findall(r'"url": ?"(https?:[^"]*)"', log.read_text(encoding="utf-8"))
    assert not [url for url in asked if urlsplit(url).hostname not in BROWSERS_OWN]
    pixels = imread(picture)[:, :, :3]
    assert pixels.shape[:2] == (1200, width)
    assert pixels.std() > 0.02
    assert (pixels[5, 5].mean() > 0.5) == (scheme == "light")


def test_a_request_would_be_noticed(page: Path, tmp_path: Path) -> None:
    html = page.read_text(encoding="utf-8")
    copy = tmp_path / "asking.html"
    copy.write_text(
        html.replace("<main>", '<main><img src="http://127.0.0.1:9/x.png" alt="">'),
        encoding="utf-8",
    )
    done = open_page(copy, tmp_path / "profile", f"--screenshot={tmp_path / 'page.png'}")
    assert "CONSOLE" in done.stderr


def test_only_tables_and_figures_scroll_on_a_phone(page: Path, tmp_path: Path) -> None:
    # A copy that may run a script, in a frame: windows have a least width of their own.
    html = re.sub(r"<meta http-equiv=[^>]*>", "", page.read_text(encoding="utf-8"))
    script = (
        "<script>addEventListener('load', () => parent.postMessage(JSON.stringify("
        "[innerWidth, document.documentElement.scrollWidth]), '*'))</script></body>"
    )
    (tmp_path / "measured.html").write_text(html.replace("</body>", script), encoding="utf-8")
    outer = tmp_path / "outer.html"
    outer.write_text(
        "<!DOCTYPE html><title></title><script>onmessage = e => document.title = e.data</script>"
        '<iframe src="measured.html" style="width: 400px; height: 800px; border: 0"></iframe>'
    )
    done = open_page(outer, tmp_path / "profile", "--dump-dom", "--virtual-time-budget=5000")
    title = re.search(r"<title>(.+?)</title>", done.stdout)
    assert title, done.stdout
    visible, needed = json.loads(title[1])
    assert visible == 400
    assert needed <= visible
