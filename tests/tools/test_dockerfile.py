"""The container recipe, as far as it can be checked without building a container."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
COPIED = [name for line in re.findall(r"^COPY (.+)$", RECIPE, re.M) for name in line.split()[:-1]]


def test_its_python_is_a_supported_one() -> None:
    (image,) = re.findall(r"^FROM (\S+)$", RECIPE, re.M)
    version = re.fullmatch(r"python:3\.(\d+)-slim", image)
    assert version is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest, newest = re.findall(r"3\.(\d+)", project["requires-python"])
    assert int(oldest) <= int(version[1]) < int(newest)


def test_packages_come_from_the_lock_files_with_their_hashes() -> None:
    installs = re.findall(r"pip install (.+)$", RECIPE, re.M)
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "-r requirements.lock" in RECIPE
    assert "--no-deps --no-build-isolation ." in installs[1]
    assert "://" not in RECIPE


@pytest.mark.parametrize("name", COPIED)
def test_what_it_copies_exists_and_is_let_through(name: str) -> None:
    assert (ROOT / name).exists()
    let_through = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    assert any(fnmatch(name, pattern) for pattern in let_through)


def test_the_package_is_built_from_what_it_copies(tmp_path: Path) -> None:
    for name in COPIED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name)
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=tmp_path, check=True
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file())
    package = {path.relative_to(ROOT / "src").as_posix() for path in files if path.suffix != ".pyc"}
    assert package <= held


def test_the_workflow_names_the_image_that_the_documentation_builds() -> None:
    (image,) = re.findall(r'^container: "(.+)"$', (ROOT / "workflow/Snakefile").read_text(), re.M)
    assert f"apptainer build {image} " in (ROOT / "docs/cluster.md").read_text()
