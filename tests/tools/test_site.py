"""The documentation site: without warnings, complete, and with nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def built(tools: Path, output: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, tools / "site.py", "--output", output]
    return subprocess.run(command, capture_output=True, text=True)


def test_it_is_complete_without_warnings_or_anything_from_elsewhere(tmp_path: Path) -> None:
    done = built(ROOT / "tools", tmp_path)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "html"

    def shown(page: str) -> str:
        return (site / page).read_text(encoding="utf-8")

    assert "Learning to rank on a metric that has no gradient" in shown("index.html")
    reference = shown("docs/api.html")
    for text in ("Learning rate of Adam", "eval_group", "numpy_loss", "randomisation_test"):
        assert text in reference, text
    tutorial = shown("docs/tutorial.html")
    assert "corrected p" in tutorial
    assert "Traceback" not in tutorial
    report = "docs/reproduction/report.html"
    assert shown(report) == (ROOT / report).read_text(encoding="utf-8")

    loaded = re.compile(r"""<(?:script|img|iframe)[^>]+src="?https?:|<link[^>]+href="?https?:""")
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        assert not loaded.search(page.read_text(encoding="utf-8")), page.name


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "site.py").write_text((ROOT / "tools/site.py").read_text())
    (tmp_path / "mkdocs.yml").write_text("site_name: Small\nvalidation: {anchors: warn}\n")
    page = tmp_path / "README.md"
    for text, code in (("# A\n[here](#a)", 0), ("# A\n[here](#b)", 1), ("# A\n[there](b.md)", 1)):
        page.write_text(text)
        done = built(tmp_path / "tools", tmp_path / "out")
        assert done.returncode == code, done.stderr
