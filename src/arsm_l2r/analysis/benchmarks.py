"""What Snakemake measured of every job: time and memory, from its benchmark files."""

from collections.abc import Collection
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
            rows += [
                (
                    rule.name,
                    method,
                    seed,
                    *(_number(job.get(key)) for key in ("s", "cpu_time", "max_rss")),
                )
                for job in _records(path)
            ]
    schema = {
        "rule": pl.String,
        "method": pl.String,
        "seed": pl.Int64,
        "seconds": pl.Float64,
        "processor": pl.Float64,
        "mebibytes": pl.Float64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _records(path: Path) -> list[dict[str, str]]:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]


def _number(text: str | None) -> float | None:
    """A figure of a benchmark file, which says NA or - for what was too short to measure."""
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
