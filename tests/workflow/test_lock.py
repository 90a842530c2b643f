"""Two runs in one folder: the second is refused, and told how to unlock."""

import subprocess
import sys
import time
from pathlib import Path

from .conftest import Clone


def test_a_second_run_in_the_same_folder_is_refused(clone: Clone) -> None:
    first = subprocess.Popen(
        [Path(sys.executable).parent / "snakemake", "--configfile", "tiny.yaml"],
        cwd=clone.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        locks = clone.path(".snakemake/locks")
        while not (locks.is_dir() and any(locks.iterdir())):
            assert first.poll() is None
            time.sleep(0.05)
        second = clone.tiny()
    finally:
        first.kill()  # so that it leaves its lock behind
        first.wait()
    assert second.returncode != 0
    assert "cannot be locked" in second.stdout + second.stderr
    assert "--unlock" in second.stdout + second.stderr

    still = clone.tiny("data")
    assert still.returncode != 0
    assert "--unlock" in still.stdout + still.stderr
    assert clone.tiny("--unlock").returncode == 0
    after = clone.tiny("data")
    assert after.returncode == 0, after.stderr
