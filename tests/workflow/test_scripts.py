"""Each script is a program of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "scripts").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_help_says_what_it_does_without_loading_tensorflow(script: Path) -> None:
    program = (
        "import runpy, sys, atexit\n"
        "atexit.register(lambda: print('tensorflow' in sys.modules))\n"
        f"sys.argv = [{str(script)!r}, '--help']\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--" in done.stdout
    assert done.stdout.strip().endswith("False")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_wrong_argument_is_a_usage_error(script: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(script), "--nonsense"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "usage:" in done.stderr
