"""Which claims hold, on results that were made up so that the answer is known."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.analysis.comparison import compare
from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.analysis.verdicts import Answer, Verdict, headline, verdicts

from ..made_up import MEASURES, folds, write_measures

PAPER = load_paper()
BASELINES = ["ranksvm", "listnet", "adarank-map", "adarank-ndcg"]
OURS = "arsm-l2r"
HIGHEST, COMPARABLE, REPRODUCED = 0, -2, -1


def compared(
    values: dict[str, Any],
    *,
    ahead: dict[tuple[str, str], tuple[float, float]] | None = None,
    fold_counts: dict[str, int] | None = None,
) -> pl.DataFrame:
    """A comparison with a value per method (or per method and measure).

    `ahead` gives how far ARSM-L2R is ahead of a method in a measure, and the corrected p.
    """
    rows = []
    for method, value in values.items():
        for measure in MEASURES:
            lead, p = (ahead or {}).get((method, measure), (0.0, 1.0))
            rows.append(
                {
                    "method": method,
                    "measure": measure,
                    "ours": value[measure] if isinstance(value, dict) else value,
                    "arsm_ahead": None if method == OURS else lead,
                    "p": None if method == OURS else p / 20 if p < 1 else 1.0,
                    "p_corrected": None if method == OURS else p,
                    "folds": (fold_counts or {}).get(method, 5),
                }
            )
    return pl.DataFrame(rows, schema_overrides={"ours": pl.Float64})


def judged(table: pl.DataFrame, dataset: str = "mq2007") -> list[Verdict]:
    return verdicts(dataset, dataset.upper(), table, PAPER, fold_count=5)


def everywhere(baseline: float, ours: float) -> dict[str, Any]:
    return {**dict.fromkeys(BASELINES, baseline), OURS: ours}


def ours_with(**values: float) -> dict[str, float]:
    return {
        **dict.fromkeys(MEASURES, 0.4),
        **{name.replace("_", "@"): v for name, v in values.items()},
    }


@pytest.mark.parametrize(
    ("dataset", "measures"), [("mq2007", "NDCG@1 and NDCG@3"), ("ohsumed", "NDCG@1 and MAP")]
)
def test_the_claims_are_those_of_the_papers_text(dataset: str, measures: str) -> None:
    found = judged(compared(everywhere(0.4, 0.5)), dataset)
    assert measures in found[HIGHEST].claim
    assert len(found) == (4 if dataset == "ohsumed" else 3)


@pytest.mark.parametrize(
    ("ours", "answer"),
    [
        (ours_with(ndcg_1=0.5, ndcg_3=0.5), Answer.HOLDS),
        (ours_with(ndcg_1=0.45, ndcg_3=0.45), Answer.HOLDS),
        (ours_with(ndcg_1=0.45001, ndcg_3=0.44999), Answer.HOLDS),
        (ours_with(ndcg_1=0.5), Answer.IN_PART),
        (ours_with(), Answer.FAILS),
    ],
    ids=["above", "equal", "equal as printed", "one of two", "none"],
)
def test_highest(ours: dict[str, float], answer: Answer) -> None:
    verdict = judged(compared(everywhere(0.45, 0) | {OURS: ours}))[HIGHEST]
    assert verdict.answer == answer
    assert f"{ours['ndcg@1']:.4f}" in verdict.because


def test_a_method_that_the_paper_lacks_is_named_but_does_not_decide() -> None:
    verdict = judged(compared({**everywhere(0.4, 0.5), "lambdamart": 0.6}))[HIGHEST]
    assert verdict.answer == Answer.HOLDS
    assert "not in the paper: LambdaMART 0.6000" in verdict.because


def test_missing_folds_leave_the_question_open_and_show_what_there_is() -> None:
    table = compared(everywhere(0.4, 0.5), fold_counts={OURS: 3, "listnet": 3})
    for verdict in judged(table):
        assert verdict.answer == Answer.UNKNOWN
        assert "only 3 of 5 folds" in verdict.because
        assert "So far" in verdict.because


def test_a_missing_method_leaves_its_comparisons_open_but_not_the_others() -> None:
    table = compared({name: v for name, v in everywhere(0.4, 0.5).items() if name != "listnet"})
    found = judged(table)
    assert found[HIGHEST].answer == found[COMPARABLE].answer == Answer.UNKNOWN
    assert "ListNet has not been measured" in found[HIGHEST].because
    assert found[REPRODUCED].answer == Answer.HOLDS


def test_nothing_measured() -> None:
    table = compared(everywhere(0.4, 0.5)).clear()
    assert {verdict.answer for verdict in judged(table)} == {Answer.UNKNOWN}
    assert judged(table, "synthetic")[0].because == "Nothing has been measured."


def test_a_value_that_is_no_number_is_named() -> None:
    broken = ours_with(ndcg_1=float("nan"))
    verdict = judged(compared(everywhere(0.4, 0) | {OURS: broken}))[HIGHEST]
    assert verdict.answer == Answer.UNKNOWN
    assert "NDCG@1 of ARSM-L2R is not a number" in verdict.because


def test_comparable_unless_a_baseline_is_significantly_better() -> None:
    behind = {("listnet", "map"): (-0.02, 0.2)}
    assert judged(compared(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE].answer == Answer.HOLDS
    behind = {("listnet", "map"): (-0.02, 0.01)}
    verdict = judged(compared(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE]
    assert verdict.answer == Answer.IN_PART
    assert "ListNet in MAP by 0.0200 (corrected p = 0.0100)" in verdict.because
    behind = {(name, "map"): (-0.02, 0.01) for name in BASELINES}
    assert judged(compared(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE].answer == Answer.FAILS


def test_significantly_worse_baselines_do_not_count_against_the_paper() -> None:
    ahead = {(name, measure): (0.1, 0.001) for name in BASELINES for measure in MEASURES}
    verdict = judged(compared(everywhere(0.4, 0.5), ahead=ahead))[COMPARABLE]
    assert verdict.answer == Answer.HOLDS
    assert "better in 20 and significantly worse in 0" in verdict.because


def test_without_values_per_query_nothing_can_be_tested() -> None:
    table = compared(everywhere(0.4, 0.5)).with_columns(p_corrected=pl.lit(None, pl.Float64))
    verdict = judged(table)[COMPARABLE]
    assert verdict.answer == Answer.UNKNOWN
    assert "values per query" in verdict.because


@pytest.mark.parametrize(
    ("offset", "answer"),
    [(0.1, Answer.HOLDS), (-0.01, Answer.HOLDS), (-0.0101, Answer.FAILS)],
)
def test_reproduced_within_the_tolerance(offset: float, answer: Answer) -> None:
    printed = PAPER.performance["mq2007"].rows[OURS].values
    ours = {measure: value + offset for measure, value in printed.items()}
    verdict = judged(compared(everywhere(0.4, 0) | {OURS: ours}))[REPRODUCED]
    assert verdict.answer == answer


def test_reproduced_in_part_names_what_is_below() -> None:
    printed = PAPER.performance["mq2007"].rows[OURS].values
    ours = {**printed, "map": printed["map"] - 0.05}
    verdict = judged(compared(everywhere(0.4, 0) | {OURS: ours}))[REPRODUCED]
    assert verdict.answer == Answer.IN_PART
    assert "4 of 5" in verdict.because
    assert "0.0500 below" in verdict.because


def test_significantly_higher_needs_every_baseline() -> None:
    ahead = {(name, "ndcg@1"): (0.1, 0.01) for name in BASELINES}
    table = compared(everywhere(0.4, 0.5), ahead=ahead)
    assert judged(table, "ohsumed")[1].answer == Answer.HOLDS
    table = compared(everywhere(0.4, 0.5), ahead={**ahead, ("listnet", "ndcg@1"): (0.1, 1.0)})
    assert judged(table, "ohsumed")[1].answer == Answer.IN_PART
    # Of 20 comparisons in the table, the claim is about four.
    table = compared(everywhere(0.4, 0.5), ahead={**ahead, ("listnet", "ndcg@1"): (0.1, 0.08)})
    assert judged(table, "ohsumed")[1].answer == Answer.HOLDS
    assert judged(compared(everywhere(0.4, 0.5)), "ohsumed")[1].answer == Answer.FAILS


def test_a_data_set_that_the_paper_lacks_is_ranked() -> None:
    (verdict,) = judged(compared({"ranksvm": 0.3, "lambdamart": 0.6, OURS: 0.5}), "synthetic")
    assert verdict.answer == Answer.NOT_IN_PAPER
    assert "LambdaMART (0.6000), ARSM-L2R (0.5000) and RankSVM (0.3000)" in verdict.because
    assert "number 2 of 3" in verdict.because


def test_one_seed_is_enough(tmp_path: Path) -> None:
    values = {**dict.fromkeys(BASELINES, 0.4), OURS: 0.5}
    results = folds(values)
    for fold in results:
        for method, value in values.items():
            write_measures(tmp_path, fold["fold"], method, [value] * 4)
    queries = per_query_table(results, tmp_path)
    table = compare("mq2007", runs_table(results), queries, PAPER, rounds=200)
    assert [verdict.answer for verdict in judged(table)] == [Answer.HOLDS] * 3


def test_headline_counts() -> None:
    found = judged(compared(everywhere(0.45, 0) | {OURS: ours_with(ndcg_1=0.5)}))
    assert headline(found) == "Of 3 claims of the paper, 1 holds and 2 hold in part."
    assert "None of the paper's claims" in headline(judged(compared({OURS: 0.5}), "synthetic"))
