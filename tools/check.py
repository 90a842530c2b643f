"""Run every check and print one closing summary.

python tools/check.py [name …]
"""

import os
import subprocess
import sys
import tempfile
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


BESIDE = {"unit tests": "workflow tests"}
"""What runs beside what: most of both waits for one core, and there are more."""


def main() -> None:
    wanted = sys.argv[1:] or list(CHECKS)
    unknown = [name for name in wanted if name not in CHECKS]
    if unknown:
        sys.exit(f"no check {unknown[0]!r}; there are: {', '.join(CHECKS)}")
    wanted = [name for name in CHECKS if name in wanted]
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    lines, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        begun: dict[str, tuple[subprocess.Popen[bytes], Path, float]] = {}
        for name in wanted:
            print(f"\n── {name}: {' '.join(CHECKS[name])}", flush=True)
            other = BESIDE.get(name)
            if other in wanted:
                output = Path(folder) / "output"
                with output.open("wb") as file:
                    process = subprocess.Popen(
                        CHECKS[other], cwd=ROOT, env=environment, stdout=file, stderr=file
                    )
                begun[other] = (process, output, time.monotonic())
            if name in begun:
                process, output, started = begun[name]
                code = process.wait()
                print(output.read_text(errors="replace"), flush=True)
            else:
                started = time.monotonic()
                code = subprocess.run(CHECKS[name], cwd=ROOT, env=environment).returncode
            failed += code != 0
            seconds = time.monotonic() - started
            lines.append(f"{'FAILED' if code else 'ok':>6}  {seconds:6.1f} s  {name}")
    print("\n── summary of the checks", *lines, sep="\n")
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
