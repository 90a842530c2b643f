#!/usr/bin/env python3
"""Measure what the ARSM gradient and an epoch of the paper's settings cost by the code of an
earlier commit and by that of this tree, in one run.

    python benchmarks/before_and_after.py --before REVISION

Each version computes in a process of its own, with one thread; they take turns, and medians count.
The gradient is of a batch like one of MQ2007's, of 64 and of 16 queries, and beside the network's
forward and backward pass; the epoch is of 1,017 queries like MQ2007's in batches of 16.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from arsm_l2r.command import run
from arsm_l2r.errors import UserError

PROJECT = Path(__file__).parent.parent
FIGURE = PROJECT / "benchmarks" / "figures" / "before-and-after.svg"
PIECES = {
    "network, 64 queries": "the network's forward and backward pass, 64 queries",
    "arsm, 64 queries": "the ARSM gradient, 64 queries",
    "network, 16 queries": "the network's forward and backward pass, 16 queries",
    "arsm, 16 queries": "the ARSM gradient, 16 queries",
    "epoch": "an epoch, 1,017 queries in 64 steps",
}
_CALLS = 20
"""Calls of a gradient in a turn."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", help="the earlier commit, tag or branch")
    parser.add_argument("--repeat", type=int, default=15, help="turns (default: %(default)s)")
    parser.add_argument(
        "--figure", type=Path, default=FIGURE, help="to draw (default: %(default)s)"
    )
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.answer:
        answer(arguments.answer)
        return
    if not arguments.before:
        parser.error("--before is needed")
    with tree_of(arguments.before) as earlier:
        versions = {"before": version(earlier), "after": version(PROJECT)}
        seconds: dict[str, dict[str, list[float]]] = {
            piece: {name: [] for name in versions} for piece in PIECES
        }
        try:
            for turn in range(arguments.repeat + 1):
                for piece in PIECES:
                    for name, process in versions.items():
                        taken = asked(process, piece)
                        if turn:  # the first compiles
                            seconds[piece][name].append(taken)
        finally:
            for process in versions.values():
                process.kill()
                process.wait()
    medians = {
        piece: {name: 1e3 * float(np.median(times)) for name, times in each.items()}
        for piece, each in seconds.items()
    }
    print_table(medians)
    draw(medians, arguments.figure)
    print(f"\nFigure: {arguments.figure}")


@contextmanager
def tree_of(revision: str) -> Iterator[Path]:
    """A folder with the files of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", revision, "src", "benchmarks"],
            cwd=PROJECT,
            capture_output=True,
            check=False,
        )
        if packed.returncode:
            raise UserError(f"--before {revision}: {packed.stderr.decode().strip()}")
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def version(tree: Path) -> "subprocess.Popen[str]":
    """A process that computes with the code of a tree when it is asked."""
    return subprocess.Popen(
        [sys.executable, __file__, "--answer", str(tree)],
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def asked(process: "subprocess.Popen[str]", piece: str) -> float:
    """The seconds that a process takes for a piece."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{piece}\n")
        process.stdin.flush()
        return float(process.stdout.readline())
    except (BrokenPipeError, ValueError):
        raise UserError(
            f"a version could not measure {piece!r}; what it says comes first"
        ) from None


def answer(tree: Path) -> None:
    """Measure whatever standard input asks for, by the code of a tree."""
    from one_epoch import epoch_like_mq2007

    from arsm_l2r.training.device import prepare_device

    prepare_device(threads=1)
    speed = gradient_speed_of(tree)
    pieces: dict[str, Callable[[], Any]] = {"epoch": epoch_like_mq2007()}
    for count in (16, 64):
        queries = speed.queries_like_mq2007(count)
        batch, logits = speed.batch_of(queries, speed.LEVELS)
        pieces[f"network, {count} queries"] = speed.compiled_network(queries)
        pieces[f"arsm, {count} queries"] = speed.compiled_gradient("arsm", batch, logits)
    for line in sys.stdin:
        piece = pieces[line.strip()]
        calls = 1 if line.strip() == "epoch" else _CALLS
        started = time.perf_counter()
        for _ in range(calls):
            piece()
        print((time.perf_counter() - started) / calls, flush=True)


def gradient_speed_of(tree: Path) -> ModuleType:
    """How a tree's own benchmark calls its gradients."""
    spec = importlib.util.spec_from_file_location(
        "gradient_speed", tree / "benchmarks" / "gradient_speed.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def print_table(medians: dict[str, dict[str, float]]) -> None:
    print(f"{'one thread':<54}{'before':>11}{'after':>11}")
    for piece, each in medians.items():
        ratio = each["after"] / each["before"]
        print(
            f"{PIECES[piece]:<54}{each['before']:>8.2f} ms{each['after']:>8.2f} ms  {ratio:.2f} x"
        )
    print()
    for count in (64, 16):
        network, arsm = medians[f"network, {count} queries"], medians[f"arsm, {count} queries"]
        shares = [f"{arsm[name] / network[name]:.2f} {name}" for name in network]
        print(f"gradient / network, {count} queries: {', '.join(shares)}")


def draw(medians: dict[str, dict[str, float]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "before-and-after"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 2.8), layout="constrained")
    places = np.arange(len(medians))
    for at, (name, colour) in enumerate((("before", "#9aa5b1"), ("after", "#1f6f8b"))):
        shares = [each[name] / each["before"] for each in medians.values()]
        bars = axes.barh(places + 0.38 * (at - 0.5), shares, 0.36, label=name, color=colour)
        labels = [f"{each[name]:.3g} ms" for each in medians.values()]
        axes.bar_label(bars, labels, padding=3, fontsize=8)
    axes.set_yticks(places, [PIECES[piece] for piece in medians])
    axes.invert_yaxis()
    axes.set(xlabel="median time, relative to before (one thread)", xlim=(0, 1.25))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    run(main)
