#!/usr/bin/env python3
"""Compare this project's parser with scikit-learn's load_svmlight_file on one LETOR file.

Both parse the same file in turn, and the best time of each counts. Each also parses it once in
a process of its own, which tells by how much its peak memory grows. That the values are the
same is checked. Without --data, a file of the size of MQ2007's first training file is
generated: 42,158 documents with 46 features.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.datasets import load_svmlight_file

from arsm_l2r.command import run
from arsm_l2r.errors import UserError
from arsm_l2r.letor.parse import ParsedFile, parse_file

DOCUMENTS, FEATURES, DOCUMENTS_PER_QUERY = 42_158, 46, 41

PARSERS: dict[str, Callable[[Path], Any]] = {
    "arsm_l2r": parse_file,
    "scikit-learn": lambda path: load_svmlight_file(str(path), query_id=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="any LETOR or SVMlight file with query numbers")
    parser.add_argument("--repeat", type=int, default=5, help="times to parse (default: 5)")
    parser.add_argument("--memory-of", choices=PARSERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.repeat < 1:
        parser.error("--repeat must be at least 1")
    if arguments.memory_of:
        print(memory_growth(arguments.memory_of, arguments.data))
    elif arguments.data:
        compare(arguments.data, arguments.repeat)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "generated.txt"
            generate(path)
            compare(path, arguments.repeat)


def compare(path: Path, repeat: int) -> None:
    parsed = parse_file(path)
    require_same_values(parsed, PARSERS["scikit-learn"](path))
    documents, features = parsed.table.height, parsed.table.width - 3
    del parsed
    size = path.stat().st_size
    seconds = {name: float("inf") for name in PARSERS}
    for _ in range(repeat):
        for name, parse in PARSERS.items():
            started = time.perf_counter()
            parse(path)
            seconds[name] = min(seconds[name], time.perf_counter() - started)

    print(f"{path.name}: {size / 1e6:.1f} MB, {documents:,} documents × {features} features")
    print(f"{os.cpu_count()} cores, {pl.thread_pool_size()} threads; best of {repeat}\n")
    print(f"{'parser':<14}{'seconds':>9}{'MB/s':>8}{'peak memory growth':>22}")
    for name, best in seconds.items():
        growth = memory_growth_in_new_process(name, path)
        grown = f"{growth / 1e6:.0f} MB = {growth / size:.1f} × file"
        print(f"{name:<14}{best:>9.3f}{size / best / 1e6:>8.1f}{grown:>22}")
    ratio = seconds["scikit-learn"] / seconds["arsm_l2r"]
    print(f"\narsm_l2r is {ratio:.1f} × as fast; labels, queries and values are the same")


def require_same_values(parsed: ParsedFile, loaded: tuple[Any, np.ndarray, np.ndarray]) -> None:
    """Compare the two parsers' labels, queries and features, as 32-bit floats."""
    matrix, labels, qids = loaded
    table = parsed.table
    # scikit-learn numbers features from the lowest one in the file.
    features = table.drop("label", "qid", "docid").to_numpy()[:, -matrix.shape[1] :]
    for what, ours, theirs in (
        ("labels", table["label"].to_numpy(), labels),
        ("queries", table["qid"].to_numpy(), qids),
        ("features", features, matrix.toarray().astype(np.float32)),
    ):
        if not np.array_equal(ours, theirs):
            raise UserError(f"{parsed.path}: the two parsers differ in the {what}")


def memory_growth_in_new_process(name: str, path: Path) -> int:
    command = [sys.executable, __file__, "--memory-of", name, "--data", str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def memory_growth(name: str, path: Path) -> int:
    """By how many bytes parsing raises the peak of this process's memory."""
    before = peak_memory()
    result = PARSERS[name](path)
    growth = peak_memory() - before
    del result
    return growth


def peak_memory() -> int:
    """The most memory this process has held so far, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # unlike getrusage, not inherited from the process that started this one
        lines = status.read_text().splitlines()
        (kilobytes,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
        return int(kilobytes) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def generate(path: Path) -> None:
    """Write a file of the size and form of MQ2007's first training file."""
    random = np.random.default_rng(2007)
    with path.open("w", encoding="utf-8") as file:
        for document in range(DOCUMENTS):
            values = enumerate(random.random(FEATURES).tolist(), start=1)
            entries = " ".join(f"{index}:{value:.6f}" for index, value in values)
            label, qid = random.integers(3), document // DOCUMENTS_PER_QUERY
            file.write(f"{label} qid:{qid} {entries} #docid = GEN-{document} inc = 1 prob = 0.5\n")


if __name__ == "__main__":
    run(main)
