"""Run every check and print one closing summary.

python tools/check.py [name …]
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "workflow format": ["snakefmt", "--check", "workflow"],
    "workflow lint": ["snakemake", "--lint"],
    "unit tests": ["pytest", "--ignore=tests/workflow"],
    "workflow tests": ["pytest", "tests/workflow"],
}


def main() -> None:
    wanted = sys.argv[1:] or list(CHECKS)
    unknown = [name for name in wanted if name not in CHECKS]
    if unknown:
        sys.exit(f"no check {unknown[0]!r}; there are: {', '.join(CHECKS)}")
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    lines, failed = [], 0
    for name in wanted:
        print(f"\n── {name}: {' '.join(CHECKS[name])}", flush=True)
        started = time.monotonic()
        done = subprocess.run(CHECKS[name], cwd=ROOT, env=environment)
        seconds = time.monotonic() - started
        failed += done.returncode != 0
        lines.append(f"{'FAILED' if done.returncode else 'ok':>6}  {seconds:6.1f} s  {name}")
    print("\n── summary of the checks", *lines, sep="\n")
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
