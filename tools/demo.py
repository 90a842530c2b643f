"""Run the whole workflow on the embedded data set, and show what came out.

    .venv/bin/python tools/demo.py [--cores N]

What Snakemake prints goes to a log; a line is shown for each kind of step that is done, and a bar
on a terminal.
"""

import argparse
import csv
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tqdm import tqdm

from arsm_l2r.command import run
from arsm_l2r.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path("results/demo")
LOG, PAGE = RESULTS / "snakemake.log", RESULTS / "report.html"
TABLE = RESULTS / "tables" / "synthetic.csv"
PUBLISHED = "docs/reproduction.md"

SHOWN = {
    "generate_synthetic": "Data made",
    "fetch": "Data fetched",
    "prepare": "Data parsed, validated and stored",
    "evaluate": "Every ranking measured",
    "fold": "Results collected by fold",
    "analyse": "Means, intervals and tests computed",
    "table": "Tables made",
    "draw_figures": "Figures drawn",
    "judge_tables": "Claims judged",
    "report_page": "Page written",
}
"""What is said when all jobs of a rule are done; of trainings, when all of a method are."""

_COUNT = re.compile(r"^(\w+) +(\d+)$")
_BEGUN = re.compile(r"^Job (\d+): Training (\S+) on")
_DONE = re.compile(r"^Finished jobid: (\d+) \(Rule: (\w+)\)")


def steps(lines: Iterable[str], folds: int = 5) -> Iterator[tuple[int, int, str]]:
    """What a run of Snakemake's says of its jobs.

    Args:
        lines: of its output.
        folds: how many trainings a method has.

    Yields:
        For each job that has ended: how many have, of how many, and what is done now, or nothing.
    """
    left: Counter[str] = Counter()
    trained: Counter[str] = Counter()
    methods: dict[str, str] = {}
    done = total = 0
    for line in lines:
        if not done and (count := _COUNT.match(line)):
            if count[1] == "total":
                total = int(count[2])
            else:
                left[count[1]] = int(count[2])
        elif begun := _BEGUN.match(line):
            methods[begun[1]] = begun[2]
        elif ended := _DONE.match(line):
            done += 1
            rule = ended[2]
            left[rule] -= 1
            told = SHOWN.get(rule, "") if not left[rule] else ""
            if rule == "train":
                method = methods.get(ended[1], "?")
                trained[method] += 1
                if trained[method] == folds:
                    told = f"Trained {method} on {folds} folds"
                elif not left[rule]:  # a run that goes on from an earlier one
                    told = "Trained what was left to train"
            yield done, total, told


def table_text(path: Path) -> str:
    """A table as it is read in a terminal."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def watched(command: list[str], log: Path) -> int:
    """Run Snakemake, show how far it is, and keep what it prints."""
    log.parent.mkdir(parents=True, exist_ok=True)
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with log.open("w", encoding="utf-8") as kept:
        process = subprocess.Popen(command, cwd=ROOT, **options)
        assert process.stdout is not None

        def lines() -> Iterator[str]:
            for line in process.stdout:
                kept.write(line)
                yield line

        try:
            with tqdm(unit="step", disable=not sys.stderr.isatty(), leave=False) as bar:
                for done, total, told in steps(lines()):
                    bar.total = total
                    bar.update()
                    if told:
                        bar.write(f"  {done / max(total, done):4.0%}  {told}")
                        sys.stdout.flush()
        finally:  # also after Ctrl-C, which Snakemake gets as well
            code = process.wait()
    return code


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the demo.")
    parser.add_argument("--cores", default="all", help="default: %(default)s")
    cores = parser.parse_args().cores
    snakemake = Path(sys.executable).with_name("snakemake")
    command = [str(snakemake), "--cores", cores, "--configfile", "config/demo.yaml"]
    print("The whole workflow on the embedded data set: 7 methods, 5 folds, one seed.")
    log = ROOT / LOG
    code = watched([*command, "--quiet", "host", "reason"], log)
    if code:
        print("".join(log.read_text(encoding="utf-8").splitlines(keepends=True)[-60:]))
        raise UserError(f"the demo failed; all that Snakemake printed is in {LOG}")
    print("\nTest measures, means over folds. Made-up data say nothing about the paper.\n")
    print(table_text(ROOT / TABLE))
    print(f"\nThe page with all tables and figures:    {PAGE}")
    print(f"What came out on the real data:          {PUBLISHED}")


if __name__ == "__main__":
    run(main)
