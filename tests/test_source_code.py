"""The identity of code: what changes it, and what does not."""

from pathlib import Path

import pytest

from arsm_l2r import source_code
from arsm_l2r.source_code import code_fingerprint, modules_behind

FILES = {
    "__init__.py": "def __getattr__(name):\n    from arsm_l2r.figures import draw\n",
    "run.py": "from arsm_l2r import losses\n\n\ndef run():\n    import arsm_l2r.late\n",
    "late.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import arsm_l2r.figures\n",
    "losses/__init__.py": "import_modules(__name__, __path__)\n",
    "losses/ndcg.py": '"""NDCG."""\n\n# why\nGAIN = 2  # what\n',
    "method.py": "class Method: ...\n",
    "ranker.py": "from arsm_l2r.method import Method\n\nMINE = Method(colour='red')\nRATE = 1\n",
    "figures.py": "draw = 1\n",
    "page.py": "TEMPLATE = 'page.jinja'\n",
    "page.jinja": "words",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of a few files that takes the place of this one."""
    folder = tmp_path / "arsm_l2r"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(source_code, "_FOLDER", folder)
    return folder


def fingerprint(*files: Path) -> str:
    source_code._imports.cache_clear()
    source_code._code.cache_clear()
    return code_fingerprint(["arsm_l2r.run", "arsm_l2r.ranker"], files)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_modules_are_those_that_are_imported_and_no_others(project: Path) -> None:
    source_code._imports.cache_clear()
    assert list(modules_behind(["arsm_l2r.run"])) == [
        *["arsm_l2r", "arsm_l2r.late", "arsm_l2r.losses", "arsm_l2r.losses.ndcg", "arsm_l2r.run"]
    ]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("losses/ndcg.py", "GAIN = 2", "GAIN = 3"),
        ("late.py", "from typing", "import os\nfrom typing"),
        ("ranker.py", "RATE = 1", "RATE = 2"),
    ],
)
def test_changed_code_is_another_version(project: Path, name: str, old: str, new: str) -> None:
    before = fingerprint()
    change(project / name, old, new)
    assert fingerprint() != before


def test_a_new_module_that_is_found_by_itself_is_another_version(project: Path) -> None:
    before = fingerprint()
    (project / "losses" / "err.py").write_text("ERR = 1\n")
    assert fingerprint() != before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("losses/ndcg.py", "NDCG.", "Normalised discounted cumulative gain."),
        ("losses/ndcg.py", "# why", "# because\n\n"),
        ("losses/ndcg.py", "  # what", ""),
        ("ranker.py", "colour='red'", "colour='blue'"),
        ("method.py", "...", "colour = 'red'"),
        ("figures.py", "draw = 1", "draw = 2"),
    ],
)
def test_what_changes_no_result_is_the_same_version(
    project: Path, name: str, old: str, new: str
) -> None:
    before = fingerprint()
    change(project / name, old, new)
    assert fingerprint() == before


def test_a_file_that_a_module_names_counts_with_it(project: Path) -> None:
    before = code_fingerprint(["arsm_l2r.page"])
    change(project / "page.jinja", "words", "other words")
    assert code_fingerprint(["arsm_l2r.page"]) != before


def test_a_users_file_counts_with_what_it_imports(project: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("from arsm_l2r.figures import draw\n")
    before = fingerprint(own)
    assert before != fingerprint()
    change(project / "figures.py", "draw = 1", "draw = 2")
    assert fingerprint(own) != before
