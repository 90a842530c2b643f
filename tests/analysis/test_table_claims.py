"""Which claims hold, on results that were made up so that the answer is known."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.analysis.claims import comparison as comparable
from arsm_l2r.analysis.claims import highest, reproduced, significance, tuned
from arsm_l2r.analysis.claims.claim import Answer, Claim, headline
from arsm_l2r.analysis.claims.tabled import ranking, together
from arsm_l2r.analysis.paired import Difference
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import RIVALS, TUNED

from ..made_up import MEASURES, OURS, analysed, comparison, folds, write_measures

PAPER = load_paper()
BASELINES = ["ranksvm", "listnet", "adarank-map", "adarank-ndcg"]
JUDGES = (highest, significance, comparable, reproduced)
HIGHEST, SIGNIFICANT, COMPARABLE, REPRODUCED = range(4)


def judged(*analyses: Analysis) -> list[Claim]:
    return [judge.judge(analyses) for judge in JUDGES]


def because(claim: Claim) -> str:
    return " ".join(claim.because)


def everywhere(baseline: float, ours: float) -> dict[str, Any]:
    return {**dict.fromkeys(BASELINES, baseline), OURS: ours}


def ours_with(**values: float) -> dict[str, float]:
    return {
        **dict.fromkeys(MEASURES, 0.4),
        **{name.replace("_", "@"): v for name, v in values.items()},
    }


def test_the_claims_are_those_of_the_papers_text() -> None:
    found = judged(comparison(everywhere(0.4, 0.5)))
    assert "the highest NDCG@1 and NDCG@3 on MQ2007 (Table 2)" in found[HIGHEST].says
    assert "the highest NDCG@1 and MAP on OHSUMED (Table 3)" in found[HIGHEST].says
    assert "significantly higher NDCG@1 on OHSUMED" in found[SIGNIFICANT].says
    # Which is about other data than these.
    assert found[SIGNIFICANT].answer == Answer.ELSEWHERE


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
    verdict = judged(comparison(everywhere(0.45, 0) | {OURS: ours}))[HIGHEST]
    assert verdict.answer == answer
    assert f"{ours['ndcg@1']:.4f}" in because(verdict)


def test_a_method_that_the_paper_lacks_is_named_but_does_not_decide() -> None:
    verdict = judged(comparison({**everywhere(0.4, 0.5), "lambdamart": 0.6}))[HIGHEST]
    assert verdict.answer == Answer.HOLDS
    assert "not in the paper: LambdaMART 0.6000" in because(verdict)


def test_missing_folds_leave_the_question_open_and_show_what_there_is() -> None:
    table = comparison(everywhere(0.4, 0.5), fold_counts={OURS: 3, "listnet": 3})
    for verdict in (claim for claim in judged(table) if claim.answer != Answer.ELSEWHERE):
        assert verdict.answer == Answer.UNKNOWN
        assert "only 3 of 5 folds" in because(verdict)
        assert "So far" in because(verdict)


def test_a_missing_method_leaves_its_comparisons_open_but_not_the_others() -> None:
    table = comparison({name: v for name, v in everywhere(0.4, 0.5).items() if name != "listnet"})
    found = judged(table)
    assert found[HIGHEST].answer == found[COMPARABLE].answer == Answer.UNKNOWN
    assert "ListNet has not been measured" in because(found[HIGHEST])
    assert found[REPRODUCED].answer == Answer.HOLDS


def test_nothing_measured() -> None:
    nothing = analysed([])
    found = judged(nothing)
    assert {claim.answer for claim in found} == {Answer.UNKNOWN, Answer.ELSEWHERE}
    assert ranking(nothing) == "Nothing has been measured."


def test_a_value_that_is_no_number_is_named() -> None:
    broken = ours_with(ndcg_1=float("nan"))
    verdict = judged(comparison(everywhere(0.4, 0) | {OURS: broken}))[HIGHEST]
    assert verdict.answer == Answer.UNKNOWN
    assert "NDCG@1 of ARSM-L2R is not a number" in because(verdict)


def test_comparable_unless_a_baseline_is_significantly_better() -> None:
    behind = {("listnet", "map"): (-0.02, 0.2)}
    assert judged(comparison(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE].answer == Answer.HOLDS
    behind = {("listnet", "map"): (-0.02, 0.01)}
    verdict = judged(comparison(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE]
    assert verdict.answer == Answer.IN_PART
    assert "ListNet in MAP by 0.0200 (corrected p = 0.010)" in because(verdict)
    behind = {(name, "map"): (-0.02, 0.01) for name in BASELINES}
    assert judged(comparison(everywhere(0.4, 0.4), ahead=behind))[COMPARABLE].answer == Answer.FAILS


def test_significantly_worse_baselines_do_not_count_against_the_paper() -> None:
    ahead = {(name, measure): (0.1, 0.001) for name in BASELINES for measure in MEASURES}
    verdict = judged(comparison(everywhere(0.4, 0.5), ahead=ahead))[COMPARABLE]
    assert verdict.answer == Answer.HOLDS
    assert "better in 20 and significantly worse in 0" in because(verdict)


def test_without_values_per_query_nothing_can_be_tested() -> None:
    table = comparison(everywhere(0.4, 0.5))
    rows = [replace(row, ahead=None) for row in table.compared["letor"]]
    verdict = judged(replace(table, compared={"letor": rows}))[COMPARABLE]
    assert verdict.answer == Answer.UNKNOWN
    assert "values per query" in because(verdict)


def test_a_difference_that_seeds_disagree_on_decides_nothing() -> None:
    behind = {(name, "map"): (-0.02, 0.01) for name in BASELINES}
    ahead = {(name, "ndcg@1"): (0.1, 0.01) for name in BASELINES}
    table = comparison(everywhere(0.4, 0.4), "ohsumed", ahead=behind | ahead, consistent=False)
    found = judged(table)
    assert found[COMPARABLE].answer == Answer.HOLDS
    assert "better in 0 and significantly worse in 0" in because(found[COMPARABLE])
    assert "worse in 4)" in because(found[COMPARABLE])
    assert found[SIGNIFICANT].answer == Answer.FAILS
    assert "the sign differs between seeds" in because(found[SIGNIFICANT])


def test_which_mean_a_number_is_is_said() -> None:
    for claim in judged(comparison(everywhere(0.4, 0.5), "ohsumed")):
        assert "over folds" in because(claim) or "over queries" in because(claim)


@pytest.mark.parametrize(
    ("offset", "answer"),
    [(0.1, Answer.HOLDS), (-0.01, Answer.HOLDS), (-0.0101, Answer.FAILS)],
)
def test_reproduced_within_the_tolerance(offset: float, answer: Answer) -> None:
    printed = PAPER.performance["mq2007"].rows[OURS].values
    ours = {measure: value + offset for measure, value in printed.items()}
    verdict = judged(comparison(everywhere(0.4, 0) | {OURS: ours}))[REPRODUCED]
    assert verdict.answer == answer


def test_reproduced_in_part_names_what_is_below() -> None:
    printed = PAPER.performance["mq2007"].rows[OURS].values
    ours = {**printed, "map": printed["map"] - 0.05}
    verdict = judged(comparison(everywhere(0.4, 0) | {OURS: ours}))[REPRODUCED]
    assert verdict.answer == Answer.IN_PART
    assert "4 of 5" in because(verdict)
    assert "0.0500 below" in because(verdict)


def test_significantly_higher_needs_every_baseline() -> None:
    def answer(ahead: dict[tuple[str, str], tuple[float, float]]) -> Answer:
        return judged(comparison(everywhere(0.4, 0.5), "ohsumed", ahead=ahead))[SIGNIFICANT].answer

    ahead = {(name, "ndcg@1"): (0.1, 0.01) for name in BASELINES}
    assert answer(ahead) == Answer.HOLDS
    assert answer({**ahead, ("listnet", "ndcg@1"): (0.1, 1.0)}) == Answer.IN_PART
    # Of 20 comparisons in the table, the claim is about four.
    assert answer({**ahead, ("listnet", "ndcg@1"): (0.1, 0.08)}) == Answer.HOLDS
    assert answer({}) == Answer.FAILS


def test_a_data_set_that_the_paper_lacks_is_ranked() -> None:
    table = comparison({"ranksvm": 0.3, "lambdamart": 0.6, OURS: 0.5}, "synthetic")
    assert {claim.answer for claim in judged(table)} == {Answer.ELSEWHERE}
    words = ranking(table)
    assert "LambdaMART (0.6000), ARSM-L2R (0.5000) and RankSVM (0.3000)" in words
    assert "number 2 of 3" in words


def test_one_seed_is_enough(tmp_path: Path) -> None:
    values = {**dict.fromkeys(BASELINES, 0.4), OURS: 0.5}
    results = folds(values)
    for fold in results:
        for method, value in values.items():
            write_measures(tmp_path, fold["fold"], method, [value] * 4)
    found = judged(analysed(results, tmp_path, rounds=200))
    assert [claim.answer for claim in found if claim.answer != Answer.ELSEWHERE] == [
        Answer.HOLDS
    ] * 3
    assert found[COMPARABLE].drawn["points"]["value"].to_list() == pytest.approx([0.1] * 8)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([Answer.HOLDS, Answer.HOLDS], Answer.HOLDS),
        ([Answer.HOLDS, Answer.FAILS], Answer.IN_PART),
        ([Answer.FAILS, Answer.FAILS], Answer.FAILS),
        ([Answer.IN_PART, Answer.HOLDS], Answer.IN_PART),
        ([Answer.HOLDS, Answer.UNKNOWN], Answer.UNKNOWN),
        ([], Answer.ELSEWHERE),
    ],
)
def test_a_claim_holds_where_it_holds_on_every_data_set(
    answers: list[Answer], expected: Answer
) -> None:
    assert together(answers) == expected


def test_each_data_set_has_its_own_answer_and_numbers() -> None:
    ahead = {("listnet", "map"): (-0.02, 0.01)}
    first, second = (
        comparison(everywhere(0.4, 0.4), name, ahead=own)
        for name, own in (("mq2007", ahead), ("ohsumed", {}))
    )
    claim = judged(first, second)[COMPARABLE]
    assert claim.answer == Answer.IN_PART
    assert claim.because[0].startswith("MQ2007 (holds in part): Of 20 comparisons over queries")
    assert claim.because[1].startswith("OHSUMED (holds): Of 20 comparisons over queries")
    assert "about OHSUMED" in judged(first)[COMPARABLE].because[1]
    assert "about OHSUMED" in because(judged(first)[SIGNIFICANT])


def test_headline_counts() -> None:
    found = judged(comparison(everywhere(0.45, 0) | {OURS: ours_with(ndcg_1=0.5)}))
    words = headline([claim.answer for claim in found])
    assert words == "Of 3 claims of the paper, 1 holds and 2 hold in part."
    assert "None of the paper's claims" in headline([Answer.ELSEWHERE] * 4)
    assert headline([Answer.OPPOSITE, Answer.NOT_SEEN]).endswith(
        "1 is not seen and 1 is the opposite of what holds."
    )


def against_rivals(leads: dict[str, float], p: float = 0.0001) -> Analysis:
    """The tuned method ahead of each of these by so much in every measure."""
    found = [
        Difference("mq2007", name, measure, lead, lead - 0.01, lead + 0.01, p, True, p)
        for name, lead in leads.items()
        for measure in [*MEASURES, "mean"]
    ]
    return replace(comparison(dict.fromkeys([*leads, TUNED], 0.4)), tuned_ahead=found)


@pytest.mark.parametrize(
    ("leads", "p", "answer"),
    [
        ((0.02, 0.02, 0.02), 0.0001, Answer.HOLDS),
        ((0.02, 0.02, 0.02), 0.5, Answer.FAILS),
        ((0.02, -0.02, 0.02), 0.0001, Answer.IN_PART),
        ((-0.02, -0.02, -0.02), 0.0001, Answer.FAILS),
    ],
)
def test_rivals_tuned_as_hard(leads: tuple[float, ...], p: float, answer: Answer) -> None:
    found = tuned.judge([against_rivals(dict(zip(RIVALS, leads, strict=True)), p)])
    assert found.answer == answer
    assert "Against LambdaMART (tuned), mean over queries: NDCG@10" in because(found)
    assert set(found.data["measure"]) == {"ndcg@10", "map", "mean"}


def test_rivals_that_were_not_trained_leave_the_question_open() -> None:
    found = tuned.judge([against_rivals({"lambdamart": 0.1})])
    assert found.answer == Answer.UNKNOWN
    assert "LambdaMART (tuned) and ListNet (network) have not been measured" in because(found)


def test_without_the_tuned_method_there_is_no_such_claim() -> None:
    assert tuned.judge([comparison(everywhere(0.4, 0.5))]).answer == Answer.ELSEWHERE


def test_the_tuned_method_is_compared_with_every_other(tmp_path: Path) -> None:
    for number in range(1, 6):
        for method, value in ((TUNED, 0.6), ("listnet", 0.5)):
            values = [value + 0.01 * query for query in range(10)]
            write_measures(tmp_path, number, method, values)
    found = analysed(folds({TUNED: 0.6, "listnet": 0.5}), tmp_path).tuned_ahead
    assert [(each.name, each.measure) for each in found] == [
        ("listnet", measure) for measure in [*MEASURES, "mean"]
    ]
    assert all(each.value == pytest.approx(0.1) and each.better for each in found)


def test_claims_about_a_method_that_is_left_out_are_not_made() -> None:
    left_out = comparison({TUNED: 0.5, "lambdamart": 0.4})
    assert left_out.missing == []
    assert {claim.answer for claim in judged(left_out)} == {Answer.ELSEWHERE}
    begun = replace(left_out, missing=["mq2007: ARSM-L2R is missing."])
    assert judged(begun)[HIGHEST].answer == Answer.UNKNOWN
    assert "ARSM-L2R have not been measured" in because(judged(begun)[HIGHEST])
