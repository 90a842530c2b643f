"""Versions of the code: what a refactoring that changes no result is declared to be."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arsm_l2r.experiments import code_versions
from arsm_l2r.experiments.code_versions import accepted, declare, training_codes

ROOT = Path(__file__).parents[2]
METHODS = {"ranksvm": {"costs": [1.0]}, "arsm-l2r": {"loss": "ndcg@10", "estimator": "arsm"}}


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    code_versions._declarations.cache_clear()


def test_code_goes_by_the_version_that_it_was_declared_to_be(tmp_path: Path) -> None:
    assert accepted("new", tmp_path) == "new"
    code_versions._declarations.cache_clear()
    declare({"new": "old"}, "nothing changes", tmp_path)
    declare({"new": "another"}, "a second declaration changes nothing", tmp_path)
    assert accepted("new", tmp_path) == "old"
    assert accepted("newer", tmp_path) == "newer"


def test_every_method_has_code_of_its_own() -> None:
    codes = training_codes(METHODS)
    assert codes["ranksvm"] != codes["arsm-l2r"]


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)


@pytest.mark.slow
def test_a_refactoring_is_declared_by_one_command(tmp_path: Path) -> None:
    for name in ("src", "config", "scripts"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skipped)
    (tmp_path / "workflow").mkdir()
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "before")

    def tool() -> str:
        done = subprocess.run(
            [sys.executable, "scripts/same_results.py", "--because", "only a name"],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert tool() == "No code that trains a method has changed\n"
    file = tmp_path / "src/arsm_l2r/rankers/baselines/ranksvm.py"
    file.write_text(file.read_text() + "\nANOTHER = 1\n")
    said = tool()
    assert said.startswith("ranksvm: ")
    assert said.count("gives the same results as") == 1
    assert "only a name" in (tmp_path / "workflow/same_results.json").read_text()
