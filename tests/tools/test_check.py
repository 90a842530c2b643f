"""The checks run side by side, and their end is told in one piece."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "tools/check.py"


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program, with checks that take no time."""
    spec = importlib.util.spec_from_file_location("check", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.CHECKS:
        monkeypatch.setitem(module.CHECKS, name, ["echo", f"of {name}"])
    return module


def ended(check: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["check.py", *arguments])
    with pytest.raises(SystemExit) as ending:
        check.main()
    return int(ending.value.code)


def test_everything_is_told_and_summed_up(check: Any, monkeypatch, capfd) -> None:
    assert ended(check, monkeypatch) == 0
    said = capfd.readouterr().out
    for name in check.EVERYTHING:
        assert f"── {name}: echo of {name}" in said
        # In the title and by the program, wherever among what others print at the same time.
        assert said.count(f"of {name}") == 2
    assert said.endswith("\n8 passed, 0 failed\n")


def test_what_is_quick_starts_neither_the_workflow_nor_slurm(
    check: Any, monkeypatch, capfd
) -> None:
    assert ended(check, monkeypatch, "--quick") == 0
    said = capfd.readouterr().out
    assert "of quick tests" in said
    assert "of tests" not in said
    assert "SLURM" not in said
    assert said.endswith("\n6 passed, 0 failed\n")


@pytest.mark.parametrize("name", ["types", "tests", "SLURM tests"])
def test_a_failure_is_shown_with_its_output_and_is_the_exit_code(
    check: Any, monkeypatch, capfd, name: str
) -> None:
    program = "echo what went wrong >&2; exit 3"
    monkeypatch.setitem(check.CHECKS, name, ["sh", "-c", program])
    assert ended(check, monkeypatch) == 1
    told = capfd.readouterr()
    assert "what went wrong" in told.out + told.err
    assert re.search(rf"FAILED +\d+\.\d s  {name}\n", told.out)
    assert told.out.endswith("\n7 passed, 1 failed\n")


@pytest.mark.parametrize("name", ["lint", "tests"])
def test_a_program_that_is_missing_is_a_failure(check: Any, monkeypatch, capfd, name) -> None:
    monkeypatch.setitem(check.CHECKS, name, ["no-such-program"])
    assert ended(check, monkeypatch, "format", name) == 1
    said = capfd.readouterr().out
    assert "No such file or directory: 'no-such-program'" in said
    assert said.endswith("\n1 passed, 1 failed\n")


def test_checks_can_be_named(check: Any, monkeypatch, capfd) -> None:
    assert ended(check, monkeypatch, "format", "SLURM tests") == 0
    assert capfd.readouterr().out.endswith("\n2 passed, 0 failed\n")
    assert ended(check, monkeypatch, "spelling") == 2
    assert "no check 'spelling'; there are: format, lint" in capfd.readouterr().err
