"""What attacks are made on: a finished run of the real workflow, and programs in this process."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ..workflow.conftest import clone, finished, finished_once, prepared

__all__ = ["clone", "finished", "finished_once", "prepared"]


class Ended(NamedTuple):
    """How a program ended: its exit code, what it said, and a bug if it had one."""

    code: int
    said: str
    bug: BaseException | None

    @property
    def refused(self) -> bool:
        """Whether it ended with a sentence for its user."""
        return self.bug is None and self.code == 1 and "\nerror: " in f"\n{self.said}"


Program = Callable[..., Ended]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run a script of a folder, or the command `arsm-l2r`, as a person there would."""

    def run(folder: Path, name: str, *arguments: str | Path) -> Ended:
        from arsm_l2r.cli import main

        script = folder / "scripts" / f"{name}.py"
        capsys.readouterr()
        monkeypatch.chdir(folder)
        words = [name] if not script.exists() else []
        monkeypatch.setattr(sys, "argv", [str(script), *words, *map(str, arguments)])
        try:
            if script.exists():
                runpy.run_path(str(script), run_name="__main__")
            else:
                main()
        except SystemExit as ending:
            return Ended(int(ending.code or 0), capsys.readouterr().err, None)
        except BaseException as bug:  # whatever would have been a traceback
            return Ended(1, capsys.readouterr().err, bug)
        raise AssertionError("a program ends with an exit code")

    return run
