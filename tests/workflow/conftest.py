"""A copy of the project to run the workflow in, as a new user's clone would be."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TINY = """\
datasets: [synthetic]
seeds: [0]
methods:
  ranksvm: null
  listnet: null
  adarank-map: {rounds: 2}
  adarank-ndcg: null
  lambdamart: null
  lambdamart-tuned: null
  listnet-network: null
  arsm-l2r-tuned: null
  arsm-l2r: {epochs: 2, hidden: [8], levels: 4}
"""


@dataclass(frozen=True)
class Clone:
    """A copy of the tracked and new files, without data, results or environment."""

    folder: Path

    @classmethod
    def of_project(cls, folder: Path) -> "Clone":
        for name in ("config", "scripts", "workflow"):
            shutil.copytree(
                ROOT / name,
                folder / name,
                ignore=shutil.ignore_patterns("__pycache__", ".snakemake"),
            )
        (folder / "tiny.yaml").write_text(TINY)
        return cls(folder)

    def snakemake(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(Path(sys.executable).parent / "snakemake"), *arguments],
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )

    def tiny(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.snakemake(*arguments, "--configfile", "tiny.yaml")

    def jobs(self, *arguments: str, **environment: str) -> dict[str, int]:
        """How many jobs of each rule a dry run would start."""
        done = self.snakemake("--dry-run", *arguments, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        table = re.search(r"job +count\n-+ +-+\n(.*?)\ntotal", done.stdout + done.stderr, re.S)
        if table is None:
            return {}
        return {name: int(count) for name, count in map(str.split, table[1].splitlines())}

    def path(self, relative: str) -> Path:
        return self.folder / relative


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone.of_project(tmp_path / "clone")


@pytest.fixture(scope="session")
def finished_once(made_once: Callable[..., Path]) -> Path:
    """A clone in which the tiny configuration has run once: made once, and not to be changed."""

    def make(folder: Path) -> None:
        done = Clone.of_project(folder / "clone").tiny()
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once("finished", make) / "clone"


@pytest.fixture
def finished(finished_once: Path, tmp_path: Path) -> Clone:
    """A clone in which the tiny configuration has run once, to do anything with."""
    return Clone(Path(shutil.copytree(finished_once, tmp_path / "finished")))


@pytest.fixture
def prepared(finished_once: Path, clone: Clone) -> Clone:
    """A clone that has the data, and no results."""
    shutil.copytree(finished_once / "data", clone.path("data"))
    return clone
