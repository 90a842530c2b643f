"""Our baselines beside Microsoft's, and what all of it cost."""

import polars as pl
import pytest

from arsm_l2r.report.cost import cost_table
from arsm_l2r.report.letor_baselines import letor_baselines_table, published
from arsm_l2r.report.paper import load_paper

from .made_up import fold, folds, run


@pytest.mark.parametrize("method", ["listnet", "adarank-map", "adarank-ndcg"])
def test_means_of_the_published_figures_are_the_rows_that_the_paper_prints(method: str) -> None:
    own = published().filter(method=method)
    assert own["fold"].to_list() == [1, 2, 3, 4, 5]
    for measure, printed in load_paper().performance["mq2007"].rows[method].values.items():
        if own[measure].null_count():
            assert (method, measure) == ("listnet", "map")  # printed as a mean only
            continue
        assert own[measure].mean() == pytest.approx(printed, abs=6e-5)


def test_ours_stand_above_the_published_ones_with_the_difference() -> None:
    table = letor_baselines_table(
        folds({"ranksvm": 0.5, "arsm-l2r": 0.6, "listnet": 0.4}), "MQ2007"
    )
    assert [group.title for group in table.groups] == ["RankSVM", "ListNet"]
    ours, theirs, difference = table.groups[0].rows[:3]
    assert [cell.text for cell in ours] == ["NDCG@1, here", *["0.5000"] * 6]
    assert theirs[1].text == "0.4395"
    assert difference[1].text == "+0.0605"
    assert "MAP, here" not in [row[0].text for row in table.groups[1].rows]


def test_cost_is_the_mean_of_runs_and_the_highest_memory() -> None:
    results = [
        fold(1, [run("listnet", 0.1, seconds=10.0), run("listnet", 0.1, seed=1, seconds=20.0)])
    ]
    jobs = pl.DataFrame(
        {
            "rule": ["train", "train", "prepare"],
            "method": ["listnet", "listnet", None],
            "seconds": [12.0, 24.0, 5.0],
            "processor": [3600.0, 3600.0, None],
            "mebibytes": [700.0, 900.0, 50.0],
        }
    )
    table = cost_table(results, {"mq2007": jobs}, {"mq2007": "MQ2007"})
    ((row,),) = [group.rows for group in table.groups]
    assert [cell.text for cell in row] == ["ListNet", "2", "15.0", "18.0", "3600.0", "900"]
    assert "2.0 hours of processor time, 1.0 hours per seed" in table.notes[-1]


def test_cost_without_benchmarks_has_dashes() -> None:
    nothing = pl.DataFrame(
        schema={
            "rule": pl.String,
            "method": pl.String,
            "seconds": pl.Float64,
            "processor": pl.Float64,
            "mebibytes": pl.Float64,
        }
    )
    table = cost_table(
        [fold(1, [run("listnet", 0.1, seconds=10.0)])], {"mq2007": nothing}, {"mq2007": "MQ2007"}
    )
    assert [cell.text for cell in table.groups[0].rows[0]][2:] == ["10.0", "–", "–", "–"]
    assert len(table.notes) == 1
