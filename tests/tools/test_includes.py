"""Pages show the files that they ask for, as they are."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def includes(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / "tools" / "includes.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_file_stands_where_the_page_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "includes.py", tmp_path / "tools")
    (tmp_path / "a.md").write_text("new\n")
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- include a.md -->\nold\n<!-- end of a.md -->\nafter\n")
    stale = includes(tmp_path, "--check")
    assert stale.returncode != 0
    assert "README.md" in stale.stdout
    assert "old" in page.read_text()
    assert includes(tmp_path).returncode == 0
    fresh = "before\n<!-- include a.md -->\nnew\n<!-- end of a.md -->\nafter\n"
    assert page.read_text() == fresh
    assert includes(tmp_path, "--check").returncode == 0


def test_links_are_those_seen_from_the_page(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "includes.py", tmp_path / "tools")
    folder = tmp_path / "docs" / "out"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("![b](b.svg) [c](https://c.org) [d](#d)\n")
    page = tmp_path / "docs" / "page.md"
    page.write_text("<!-- include docs/out/a.md -->\n<!-- end of docs/out/a.md -->\n")
    assert includes(tmp_path, str(page)).returncode == 0
    assert "![b](out/b.svg) [c](https://c.org) [d](#d)" in page.read_text()


def test_what_cannot_be_included_is_named(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "includes.py", tmp_path / "tools")
    page = tmp_path / "README.md"
    page.write_text("<!-- include a.md -->\n<!-- end of a.md -->\n")
    assert "a.md cannot be included: No such file" in includes(tmp_path).stderr
    (tmp_path / "a.md").write_text("text")
    page.write_text("<!-- include a.md -->\n")
    assert "no line '<!-- end of a.md -->'" in includes(tmp_path).stderr


def test_the_pages_of_this_project_are_fresh() -> None:
    done = includes(ROOT, "--check")
    assert done.returncode == 0, done.stdout + done.stderr
