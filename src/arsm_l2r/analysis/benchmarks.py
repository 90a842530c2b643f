"""What Snakemake measured of every job: time and memory, from its benchmark files."""

from collections.abc import Collection
from csv import DictReader
from pathlib import Path

import polars as pl

STEPS = ("fetch", "prepare", "describe", "train", "evaluate", "fold")
"""The rules that make results; those that make tables and figures come after them."""


def read_benchmarks(
    folder: Path, dataset: str, methods: Collection[str], seeds: Collection[int]
) -> pl.DataFrame:
    """Read what was measured for a data set: `{rule}/{dataset}.tsv`, `{rule}/{dataset}/…`.

    Args:
        folder: of the benchmark files.
        dataset: name of the data set.
        methods: to take; what else was trained, such as variants, is passed over.
        seeds: to take.

    Returns:
        One row per job: `rule`, `method` and `seed` (null if it has none), `seconds` of wall-clock
        time, seconds of `processor` time, and peak resident memory in `mebibytes`, each null where
        Snakemake could not tell.
    """
    wanted = {f"seed{seed}.tsv": seed for seed in seeds}
    rows = []
    for rule in (folder / step for step in STEPS):
        files = [*rule.glob(f"{dataset}.tsv"), *rule.glob(f"{dataset}/**/*.tsv")]
        for path in sorted(files):
            parts = path.relative_to(rule).parts
            method = parts[2] if len(parts) == 4 else None
            seed = wanted.get(path.name)
            if method is not None and (method not in methods or seed is None):
                continue
            for job in DictReader(path.read_text("utf-8").splitlines(), delimiter="\t"):
                measured = [_number(job.get(key)) for key in ("s", "cpu_time", "max_rss")]
                rows.append((rule.name, method, seed, *measured))
    schema = {"rule": pl.String, "method": pl.String, "seed": pl.Int64}
    schema |= dict.fromkeys(("seconds", "processor", "mebibytes"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _number(text: str | None) -> float | None:
    """A figure of a benchmark file, which says NA or - for what was too short to measure."""
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
