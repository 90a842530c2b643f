"""The SLURM for trying things out leaves another SLURM alone, and says why it cannot start."""

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "tools/slurm_here.py"


@pytest.fixture
def slurm_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program, with folders of its own, as root and with everything installed."""
    spec = importlib.util.spec_from_file_location("slurm_here", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CONFIGURATION", tmp_path / "etc")
    monkeypatch.setattr(module, "STATE", tmp_path / "run")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/sbin/{name}")
    return module


def test_nothing_is_in_the_way_on_a_fresh_machine(slurm_here: Any) -> None:
    assert slurm_here.why_not() is None


@pytest.mark.parametrize("name", ["slurm.conf", "gres.conf"])
def test_another_slurm_is_left_alone(slurm_here: Any, name: str) -> None:
    theirs = slurm_here.CONFIGURATION / name
    theirs.parent.mkdir()
    theirs.write_text("ClusterName=theirs\n")
    assert "belongs to another SLURM" in slurm_here.why_not()
    with pytest.raises(SystemExit, match="belongs to another SLURM"):
        slurm_here.start()
    slurm_here.stop()
    assert theirs.read_text() == "ClusterName=theirs\n"


def test_its_own_configuration_is_removed(slurm_here: Any) -> None:
    slurm_here.write_configuration()
    assert slurm_here.why_not() is None
    slurm_here.stop()
    assert not list(slurm_here.CONFIGURATION.iterdir())
    assert not slurm_here.STATE.exists()


def test_missing_programs_are_named(slurm_here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "munged, slurmctld" in slurm_here.why_not()


def test_root_is_needed(slurm_here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "needs root" in slurm_here.why_not()
