"""Setting up: what a user is told when it cannot be done, and that it is done once only."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def bootstrap(
    folder: Path, *extras: str, before: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a copy of tools/bootstrap.py, after some statements that change its world."""
    script = folder / "tools" / "bootstrap.py"
    program = f"import sys, runpy\nsys.argv = {[str(script), *extras]!r}\n{before}\n"
    program += f"runpy.run_path({str(script)!r}, run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "bootstrap.py", tmp_path / "tools")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / lock, tmp_path)
    return tmp_path


@pytest.mark.parametrize("version", ["(3, 10, 4)", "(2, 7, 18)", "(3, 14, 0)"])
def test_an_unsupported_python_is_told_which_to_install(clone: Path, version: str) -> None:
    done = bootstrap(clone, before=f"sys.version_info = {version}")
    assert done.returncode != 0
    assert "Python 3.11 to 3.13 is needed" in done.stderr
    assert "make setup PYTHON=" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (clone / ".venv").exists()


def test_a_missing_venv_module_is_told_how_to_get_it(clone: Path) -> None:
    done = bootstrap(clone, before="sys.modules['ensurepip'] = None")
    assert done.returncode != 0
    assert "venv" in done.stderr
    assert "apt install python3" in done.stderr


@pytest.mark.slow
def test_no_network_is_told_and_leaves_the_setup_unfinished(clone: Path) -> None:
    unreachable = {"PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_EXTRA_INDEX_URL": ""}
    offline = {**unreachable, "PIP_RETRIES": "0", "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1"}
    done = bootstrap(clone, **offline, PIP_CONFIG_FILE=os.devnull, no_proxy="127.0.0.1")
    assert done.returncode != 0
    assert "no package index answered" in done.stderr
    assert not (clone / ".venv" / "installed-from").exists()


def test_an_unknown_extra_is_refused_with_those_there_are(clone: Path) -> None:
    done = bootstrap(clone, "nonsense")
    assert done.returncode != 0
    assert "there are: dev" in done.stderr


def test_nothing_is_done_when_everything_is_installed(clone: Path) -> None:
    made_from = b"".join(
        (clone / name).read_bytes() for name in ("requirements.lock", "pyproject.toml")
    )
    (clone / ".venv").mkdir()
    stamp = f"base {hashlib.sha256(made_from).hexdigest()}"
    (clone / ".venv" / "installed-from").write_text(stamp)
    done = bootstrap(clone)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_bootstrap_can_be_read_by_any_python() -> None:
    source = (ROOT / "tools" / "bootstrap.py").read_text(encoding="ascii")
    assert 'f"' not in source
    assert "f'" not in source


def test_lock_files_are_hashed_and_name_no_address() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        entries = lock.read_text().replace("\\\n", " ").strip().splitlines()
        assert entries
        for entry in entries:
            assert "==" in entry, entry
            assert "--hash=sha256:" in entry, entry
            assert "://" not in entry
            assert not entry.startswith("-")
