"""How every run ranks its test documents: what is left of scores in what is published.

Measures need no more of a score than how it compares with those of the same query, so that a place
in the ranking, one byte or two, stands for it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.plan import Run
from arsm_l2r.experiments.provenance import fingerprint_of
from arsm_l2r.experiments.reading import read_numbers
from arsm_l2r.files import written_whole
from arsm_l2r.letor.store import Judged, Stored
from arsm_l2r.rankers.score_file import read_scores


def rankings_of(layout: Layout, dataset: str, fold: int) -> Path:
    """Where the rankings of a fold's runs are, once they are published: beside its result."""
    return layout.fold(dataset, fold).with_suffix(".rankings.parquet")


def check_data(path: Path, result: Mapping[str, Any], stored: Stored) -> None:
    """Refuse the result of a fold if it comes from other data than these.

    Args:
        path: the file of the result.
        result: what it holds.
        stored: the data.
    """
    prints = [
        "+".join(stored.index.parts[part - 1].fingerprint for part in parts)
        for parts in stored.divided(result["fold"])
    ]
    if result["provenance"]["data"] != fingerprint_of(prints):
        raise UserError(f"{path}: is of other data than these parts")


def places(scores: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The place of every document in the ranking of its query, from 1; tied ones have the same.

    Args:
        scores: (documents,) the higher, the better.
        group: (queries,) how many documents each query has.
    """
    query = np.repeat(np.arange(len(group)), group)
    table = pl.DataFrame({"query": query, "score": scores})
    ranked = pl.col("score").rank("dense", descending=True).over("query")
    return table.select(ranked.cast(pl.UInt16)).to_series().to_numpy()


def write_rankings(path: Path, runs: Sequence[Run], judged: Judged) -> None:
    """Write how runs rank the test documents of their fold, from their scores.

    Args:
        path: to write to.
        runs: of one fold.
        judged: its test documents.
    """
    columns = {"qid": np.repeat(judged.qids, judged.group)}
    for run in runs:
        scores = read_scores(run.files.test, len(judged.labels))
        columns[_column(run)] = places(scores, judged.group)
    with written_whole(path) as temporary:
        pl.DataFrame(columns).write_parquet(temporary, compression="zstd", compression_level=19)


def read_ranking(path: Path, run: Run, judged: Judged) -> np.ndarray:
    """What stands for the scores of a run's test documents: the better the place, the higher.

    Raises:
        UserError: if the file is damaged, has not that run or is of other documents.
    """
    table = read_numbers(path, ["qid", _column(run)])
    if not np.array_equal(table["qid"].to_numpy(), np.repeat(judged.qids, judged.group)):
        raise UserError(f"{path}: ranks other documents than these parts test on")
    return -table[_column(run)].to_numpy().astype(np.float64)


def _column(run: Run) -> str:
    return f"{run.name}.seed{run.seed}"
