"""Run the checks side by side and print one closing summary.

python tools/check.py            every check
python tools/check.py --quick    the quick ones, in less than a minute
python tools/check.py NAME …     the checks of these names
"""

import argparse
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

SLURM = "tests/workflow/test_slurm.py"
MOST_WORKERS = 8
"""Each worker loads TensorFlow, so that more of them want much memory."""


def workers() -> int:
    """How many tests run at the same time: one per core that may be used."""
    usable = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    return min(len(usable(0)), MOST_WORKERS)


SIDE_BY_SIDE = ["pytest", f"--numprocesses={workers()}", "--dist=worksteal"]

CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "workflow format": ["snakefmt", "--check", "workflow"],
    "generated files": ["python", "tools/generated.py"],
    "types": ["mypy"],
    "workflow lint": ["snakemake", "--lint"],
    "quick tests": [*SIDE_BY_SIDE, "-m", "not slow"],
    "tests": [*SIDE_BY_SIDE, f"--ignore={SLURM}"],
    "SLURM tests": ["pytest", SLURM],
}

QUICK = [*list(CHECKS)[:5], "quick tests"]
EVERYTHING = [name for name in CHECKS if name != "quick tests"]

BESIDE = [list(CHECKS)[:6], ["SLURM tests"]]
"""What runs beside the tests: one list after the other in its own order. SLURM mostly waits."""


class Results:
    """What became of the checks, told as they end."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}
        self.failed = 0
        self._one_at_a_time = threading.Lock()

    def run(self, name: str, captured: bool) -> None:
        """Run one check; the output of one that is captured is shown in one piece."""
        title = f"\n── {name}: {' '.join(CHECKS[name])}"
        environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
        if not captured:
            print(title, flush=True)
        started = time.monotonic()
        code, output = execute(CHECKS[name], environment, captured)
        seconds = time.monotonic() - started
        with self._one_at_a_time:
            if captured:
                print(title)
            if output:
                print(output.rstrip(), flush=True)
            self.failed += code != 0
            self.lines[name] = f"{'FAILED' if code else 'ok':>6}  {seconds:6.1f} s  {name}"


def execute(command: list[str], environment: dict[str, str], captured: bool) -> tuple[int, str]:
    """Run a command; its exit code, and what it said if that is captured."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE if captured else None,
            stderr=subprocess.STDOUT if captured else None,
            text=True,
            errors="replace",
        )
    except OSError as error:
        return 1, str(error)
    return done.returncode, done.stdout or ""


def run_all(names: list[str]) -> int:
    """Run the checks of these names and return how many failed."""
    results = Results()

    def one_after_the_other(queue: list[str]) -> None:
        for name in queue:
            results.run(name, captured=True)

    queues = [[name for name in queue if name in names] for queue in BESIDE]
    beside = [threading.Thread(target=one_after_the_other, args=[queue]) for queue in queues]
    started = time.monotonic()
    for thread in beside:
        thread.start()
    for name in names:
        if not any(name in queue for queue in queues):
            results.run(name, captured=False)
    for thread in beside:
        thread.join()
    lines = [results.lines[name] for name in CHECKS if name in names]
    print("\n── summary of the checks", *lines, sep="\n")
    print(f"        {time.monotonic() - started:6.1f} s  altogether")
    print(f"{len(names) - results.failed} passed, {results.failed} failed")
    return results.failed


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the checks, by default every one.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CHECKS))
    parser.add_argument("--quick", action="store_true", help="only the quick ones")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in CHECKS]
    if unknown:
        parser.error(f"no check {unknown[0]!r}; there are: {', '.join(CHECKS)}")
    names = arguments.names or (QUICK if arguments.quick else EVERYTHING)
    sys.exit(run_all(names) > 0)


if __name__ == "__main__":
    main()
