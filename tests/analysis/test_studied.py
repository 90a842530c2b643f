"""What claims are judged by, from the files that runs leave."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.analysis.claims.studied import learning_curves, mixed_code, seconds_per_epoch
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.plan import Run
from arsm_l2r.files import write_json

from ..made_up import record


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    """Two variants, two folds: epochs of 1 s and 2 s, twice that on fold 2, one with compiling."""
    found = []
    for number, name in enumerate(["one", "two"], start=1):
        for fold in (1, 2):
            files = Layout(tmp_path).run("mq2007", fold, name, 0)
            files.folder.mkdir(parents=True)
            epoch = float(number * fold)
            ends = [30.0, 30 + epoch, 30 + 2 * epoch, 50 + 3 * epoch, 50 + 4 * epoch]
            pl.DataFrame(
                {"epoch": [1, 2, 3, 4, 5], "ndcg@10": [0.1 * fold] * 5, "seconds": ends}
            ).write_parquet(files.history)
            found.append(Run("mq2007", fold, name, 0, files))
    return found


def test_an_epoch_takes_what_it_takes_undisturbed_and_compiled(runs: list[Run]) -> None:
    assert seconds_per_epoch(runs).rows() == [("one", "mq2007", 1.0), ("two", "mq2007", 2.0)]


def test_curves_are_means_over_folds_by_epoch_and_time(runs: list[Run]) -> None:
    rates = {"one": 1e-4, "two": 1e-3}
    curves = learning_curves(runs, {name: name for name in rates}, rates)
    two = curves.filter(estimator="two", learning_rate=1e-3)
    assert two["epoch"].to_list() == [1, 2, 3, 4, 5]
    assert two["seconds"].to_list() == [2, 4, 6, 8, 10]
    assert two["ndcg@10"].to_list() == pytest.approx([0.15] * 5)


def recorded(code: str) -> dict[str, Any]:
    whole = record()
    return {**whole, "provenance": {**whole["provenance"], "code": code}}


def test_code_is_mixed_if_it_differs_within_a_variant(runs: list[Run]) -> None:
    for run in runs:
        write_json(run.files.record, recorded(run.name))
    assert mixed_code(runs) == []
    write_json(runs[0].files.record, recorded("other"))
    assert mixed_code(runs) == ["one", "other"]
