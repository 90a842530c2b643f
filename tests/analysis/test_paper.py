"""The paper's printed numbers, and the check against them."""

import pytest

from arsm_l2r.analysis.measured import figures, runs_table
from arsm_l2r.analysis.paper import Deviation, load_paper, outside_tolerance

from ..made_up import MEASURES, fold, folds


def printed(dataset: str, change: float = 0.0):
    """Five folds that measured just what the paper prints, but for ARSM-L2R's MAP."""
    rows = load_paper().performance[dataset].rows
    runs = []
    for method, row in rows.items():
        values = dict(row.values)
        if method == "arsm-l2r":
            values["map"] += change
        runs.append({"method": method, "seed": 0, "test": {"letor": values}})
    return [fold(number, runs, dataset) for number in range(1, 6)]


def outside(results, dataset: str = "mq2007") -> list[Deviation]:
    ours = figures(runs_table(results)).filter(convention="letor").fill_nan(None)
    keys = ours.select("method", "measure").rows()
    return outside_tolerance(dataset, dict(zip(keys, ours["value"], strict=True)))


def test_every_row_has_every_measure_and_says_where_it_comes_from() -> None:
    for table in load_paper().performance.values():
        for row in table.rows.values():
            assert list(row.values) == list(MEASURES)
            assert row.origin.startswith(f"Printed in Table {table.number}.")


def test_bold_of_the_paper_is_what_its_numbers_give() -> None:
    """A slip of the pen would most likely change which method is the best."""
    best = {
        (dataset, measure): max(table.rows, key=lambda m: table.rows[m].values[measure])
        for dataset, table in load_paper().performance.items()
        for measure in MEASURES
    }
    arsm, listnet, adarank = "arsm-l2r", "listnet", "adarank-ndcg"
    assert list(best.values()) == [
        *(arsm, arsm, listnet, listnet, listnet),
        *(arsm, adarank, adarank, adarank, arsm),
    ]


@pytest.mark.parametrize("dataset", ["mq2007", "ohsumed"])
@pytest.mark.parametrize("change", [0.0, 0.01, -0.01])
def test_figures_inside_the_tolerance_are_not_listed(dataset: str, change: float) -> None:
    assert outside(printed(dataset, change), dataset) == []


def test_figure_outside_the_tolerance_is_listed_in_words() -> None:
    deviations = outside(printed("mq2007", -0.02))
    assert [str(each) for each in deviations] == [
        "mq2007: ARSM-L2R MAP: 0.4408 is 0.0200 below the paper's 0.4608 (tolerance 0.010)"
    ]


def test_figure_that_is_not_there_or_no_number_is_listed() -> None:
    rest = [str(each) for each in outside(folds({"listnet": float("nan")}))]
    assert len(rest) == 5 * 5
    assert "mq2007: ListNet MAP: the paper prints 0.4652; there is no figure of ours" in rest


def test_data_set_that_is_not_in_the_paper_cannot_deviate() -> None:
    assert outside(folds({"listnet": 0.1}, "synthetic"), "synthetic") == []
