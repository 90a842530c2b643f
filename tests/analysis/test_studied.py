"""What claims are judged by, from the files that runs leave."""

from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.report.claims.studied import Runs, learning_curves, seconds_per_epoch


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """Two variants, two folds: epochs of 1 s and 2 s, twice that on fold 2, one with compiling."""
    for number, name in enumerate(["one", "two"], start=1):
        for fold in (1, 2):
            folder = tmp_path / "mq2007" / f"fold{fold}" / name / "seed0"
            folder.mkdir(parents=True)
            epoch = float(number * fold)
            ends = [30.0, 30 + epoch, 30 + 2 * epoch, 50 + 3 * epoch, 50 + 4 * epoch]
            pl.DataFrame(
                {"epoch": [1, 2, 3, 4, 5], "ndcg@10": [0.1 * fold] * 5, "seconds": ends}
            ).write_parquet(folder / "history.parquet")
    return Runs(["one", "two"], {"mq2007": 2}, [0], tmp_path)


def test_an_epoch_takes_what_it_takes_undisturbed_and_compiled(runs: Runs) -> None:
    assert seconds_per_epoch(runs).rows() == [("one", "mq2007", 1.0), ("two", "mq2007", 2.0)]


def test_curves_are_means_over_folds_by_epoch_and_time(runs: Runs) -> None:
    settings = {
        name: {"estimator": name, "learning_rate": rate}
        for name, rate in (("one", 1e-4), ("two", 1e-3))
    }
    curves = learning_curves(runs, settings)
    two = curves.filter(estimator="two", learning_rate=1e-3)
    assert two["epoch"].to_list() == [1, 2, 3, 4, 5]
    assert two["seconds"].to_list() == [2, 4, 6, 8, 10]
    assert two["ndcg@10"].to_list() == pytest.approx([0.15] * 5)
