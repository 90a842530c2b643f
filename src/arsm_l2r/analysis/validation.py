"""What the variants of a study reach on validation data, and only there."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from arsm_l2r.experiments.plan import Run
from arsm_l2r.files import read_json, read_parquet
from arsm_l2r.metrics import PAPER_MEASURES

MEASURES = [*PAPER_MEASURES, "mean"]
"""What is measured on validation data; `mean` is the mean of the others."""


def validated(runs: Sequence[Run]) -> pl.DataFrame:
    """The validation measures of each run's selected epoch.

    Returns:
        One row per `variant`, `dataset`, `fold` and `seed`: the selected `epoch`, the `seconds` of
        training, and a column per measure.
    """
    return pl.DataFrame(
        [
            {"variant": run.name, "dataset": run.dataset, "fold": run.fold, "seed": run.seed}
            | _selected(run)
            for run in runs
        ]
    )


def _selected(run: Run) -> dict[str, Any]:
    record, history = read_json(run.files.record), read_parquet(run.files.history)
    epoch = record["selected_epoch"]  # or round, or number of trees: a row of the history, from 1
    measures = history.select(*MEASURES).row(epoch - 1, named=True)
    return {"epoch": epoch, "seconds": float(record["seconds"]), **measures}


def validation_means(measured: pl.DataFrame) -> pl.DataFrame:
    """Means over folds and seeds of what `validated` gives, per `variant` and `dataset`."""
    return measured.group_by("variant", "dataset", maintain_order=True).agg(
        pl.col(*MEASURES, "epoch", "seconds").mean()
    )
