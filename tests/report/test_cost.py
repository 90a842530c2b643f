"""What jobs cost: one table, each row about the same runs."""

import polars as pl

from arsm_l2r.report.cost_table import cost_table

from ..made_up import analysed, fold, run

SCHEMA = {
    "rule": pl.String,
    "method": pl.String,
    "seed": pl.Int64,
    "seconds": pl.Float64,
    "processor": pl.Float64,
    "mebibytes": pl.Float64,
}
RESULTS = analysed(
    [fold(1, [run("listnet", 0.1, seconds=10.0), run("listnet", 0.1, seed=1, seconds=20.0)])]
)


def test_cost_is_the_mean_of_runs_and_the_highest_memory() -> None:
    jobs = pl.DataFrame(
        [
            ("train", "listnet", 0, 12.0, 3600.0, 700.0),
            ("train", "listnet", 1, 24.0, 3600.0, 900.0),
            ("prepare", None, None, 5.0, None, 50.0),
        ],
        schema=SCHEMA,
        orient="row",
    )
    table = cost_table([RESULTS], {"mq2007": jobs})
    ((row,),) = [group.rows for group in table.groups]
    assert [cell.text for cell in row] == ["ListNet", "2", "15.0", "18.0", "3600.0", "900"]
    assert "2.0 hours of processor time, 1.0 hours per seed" in table.notes[-1]


def test_runs_that_were_not_measured_count_in_no_column() -> None:
    jobs = pl.DataFrame([("train", "listnet", 1, 24.0, 3600.0, 900.0)], schema=SCHEMA, orient="row")
    table = cost_table([RESULTS], {"mq2007": jobs})
    ((row,),) = [group.rows for group in table.groups]
    assert [cell.text for cell in row] == ["ListNet", "1", "20.0", "24.0", "3600.0", "900"]
    assert "1.0 hours of processor time." in table.notes[-1]


def test_cost_without_benchmarks_has_dashes() -> None:
    table = cost_table(
        [analysed([fold(1, [run("listnet", 0.1, seconds=10.0)])])],
        {"mq2007": pl.DataFrame(schema=SCHEMA)},
    )
    assert [cell.text for cell in table.groups[0].rows[0]][2:] == ["10.0", "–", "–", "–"]
    assert len(table.notes) == 1
