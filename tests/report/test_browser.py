"""The page in a real browser: it renders, asks for nothing, fits a phone, and needs no mouse."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from matplotlib.image import imread

from .browser import OPTIONS, PROGRAM, Tab, browser
from .pages import make_page

BROWSERS_OWN = {"clients2.google.com", "accounts.google.com", "update.googleapis.com"}
"""Hosts that Chromium asks by itself, for the time and for its own updates."""

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("results")
    path = results / "report.html"
    path.write_text(make_page(results), encoding="utf-8")
    return path


def open_page(page: Path, profile: Path, *options: str) -> subprocess.CompletedProcess[str]:
    assert PROGRAM is not None
    done = subprocess.run(
        [
            PROGRAM,
            *OPTIONS,
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


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


PUBLISHED = sorted((Path(__file__).parents[2] / "docs").glob("*/report.html"))

every_page = pytest.mark.parametrize(
    "shown", [None, *PUBLISHED], ids=["made up", *(path.parent.name for path in PUBLISHED)]
)
"""The page of results that never ran, and those that are published."""


@every_page
def test_no_link_is_broken(page: Path, shown: Path | None, tab: Tab) -> None:
    opened = shown or page
    tab.open(opened, 1280)
    links = tab.run("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
    assert len(links) >= 9
    for link in links:
        address = urlsplit(link)
        assert not address.scheme, "what is shown offline leads nowhere else"
        if address.path:
            assert (opened.parent / unquote(address.path)).exists(), link
            continue
        tab.run(f"[...document.querySelectorAll('a')].find(a => a.hash == '{link}').click()")
        top = tab.run(f"document.getElementById('{link[1:]}').getBoundingClientRect().top")
        end = tab.run("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert -1 <= top < 100 or end, link


@every_page
@pytest.mark.parametrize("width", [400, 1280])
def test_only_tables_figures_and_commands_scroll_sideways(
    page: Path, shown: Path | None, tab: Tab, width: int
) -> None:
    tab.open(shown or page, width)
    tab.run("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert tab.run("innerWidth") == width
    assert tab.run("document.documentElement.scrollWidth") <= width
    inner = """[...document.querySelectorAll('main *')].filter(each =>
        !each.closest('.scroll, pre') && each.getBoundingClientRect().right > innerWidth + 1
    ).map(each => each.outerHTML.slice(0, 80))"""
    assert tab.run(inner) == []


MASKED = """(each => [each.scrollWidth > each.clientWidth + 1,
    getComputedStyle(each).maskImage.includes('rgba(0, 0, 0, 0)')])"""
"""Whether an element goes on at the right, and whether it is faded there."""


@every_page
def test_what_scrolls_shows_it_until_it_has_been_scrolled(
    page: Path, shown: Path | None, tab: Tab
) -> None:
    tab.open(shown or page, 400)
    tab.run("document.querySelectorAll('details').forEach(each => each.open = true)")
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = tab.run(f"[...document.querySelectorAll('.scroll, pre')].map({MASKED})")
    assert len(found) > 10
    assert [True, True] in found
    assert [each for each in found if each[0] != each[1]] == []
    tab.run("document.querySelectorAll('.scroll, pre').forEach(each => each.scrollLeft = 1e6)")
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = tab.run(f"[...document.querySelectorAll('.scroll, pre')].map({MASKED})")
    assert not any(masked for _, masked in found)
    hint = "getComputedStyle(document.querySelector('figcaption'), '::before').content"
    assert "Scrolls sideways" in tab.run(hint)
    tab.open(shown or page, 1280)
    assert tab.run(hint) == "none"


@every_page
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_figures_are_as_dark_as_the_page(
    page: Path, shown: Path | None, tab: Tab, dark: bool
) -> None:
    tab.open(shown or page, 1280, dark=dark)
    figure = tab.picture("section > figure .plot")
    assert figure.std() > 0.05
    assert (figure.mean() < 0.3) == dark
    assert (figure.mean() > 0.7) != dark
    ground = tab.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 150) == dark


def test_everything_can_be_reached_and_used_with_the_keyboard(page: Path, tab: Tab) -> None:
    tab.open(page, 400)
    tab.press("Tab")
    assert tab.run("document.activeElement.hash") == "#verdict"
    assert tab.run("document.activeElement.getBoundingClientRect().left") >= 0
    tab.press("Enter")
    assert -1 < tab.run("document.getElementById('verdict').getBoundingClientRect().top") < 100

    tab.open(page, 400)
    everything = """[...document.querySelectorAll('a[href], summary, [tabindex]')].filter(each =>
        each.checkVisibility({contentVisibilityAuto: true}))"""
    count = tab.run(f"(window.all = {everything}).length")
    reached = []
    for _ in range(count):
        tab.press("Tab")
        reached.append(tab.run("all.indexOf(document.activeElement)"))
        style = "getComputedStyle(document.activeElement)"
        assert tab.run(f"[{style}.outlineStyle, {style}.outlineWidth]") == ["solid", "3px"]
    assert reached == list(range(count))

    tab.run("document.querySelector('summary').focus()")
    assert not tab.run("document.activeElement.parentElement.open")
    tab.press("Enter")
    assert tab.run("document.activeElement.parentElement.open")
    tab.run("document.querySelector('section > figure .scroll').focus()")
    tab.press("ArrowRight")
    moved = """new Promise(done => { const at = document.activeElement; let left = 60;
        const look = () => at.scrollLeft > 0 || !left-- ? done(at.scrollLeft) :
            requestAnimationFrame(look); look(); })"""
    assert tab.run(moved) > 0
