"""The command line inside this process, and files to give it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from arsm_l2r.cli import main


class Done(NamedTuple):
    """What a command leaves behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["arsm-l2r", *map(str, arguments)])
        with pytest.raises(SystemExit) as ending:
            main()
        return Done(ending.value.code, *capsys.readouterr())

    return run


def svmlight(queries: int, seed: int, first_query: int = 1) -> str:
    """Queries of twelve documents whose labels depend on the first of three features."""
    draw = np.random.default_rng(seed)
    lines = []
    for query in range(first_query, first_query + queries):
        for values in draw.random(size=(12, 3)):
            label = np.digitize(values[0], [0.5, 0.8])
            features = " ".join(f"{number}:{value:.4f}" for number, value in enumerate(values, 1))
            lines.append(f"{label} qid:{query} {features}\n")
    return "".join(lines)


@pytest.fixture
def train_file(tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    path.write_text(svmlight(5, seed=0))
    return path


@pytest.fixture
def unseen_file(tmp_path: Path) -> Path:
    path = tmp_path / "test.txt"
    path.write_text(svmlight(4, seed=1, first_query=50))
    return path
