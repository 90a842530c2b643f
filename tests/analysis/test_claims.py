"""Verdicts on the paper's claims, on data that were made up so that the answer is known."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.analysis.claims import comparison as comparable
from arsm_l2r.analysis.claims import (
    entropy,
    estimators,
    levels,
    losses,
    reproduced,
    scorings,
    significance,
    ties,
)
from arsm_l2r.analysis.claims.claim import Answer, Claim, improvement, with_mean
from arsm_l2r.analysis.paired import Difference, differences
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.report.claim_files import FIGURES, claims_markdown, load_claims, write_claim

from ..made_up import MEASURES, comparison

TITLES = {"mq2007": "MQ2007", "ohsumed": "OHSUMED"}
QUERIES = 60


def paths_of(results: Layout) -> list[Path]:
    """The files of all claims in the order of the report."""
    return [results.claim(name, "json") for name in CLAIMS]


def queries(
    values: Mapping[str, float | Mapping[str, float]], noise: float = 0.002, seed: int = 0
) -> pl.DataFrame:
    """Queries around a value per name, or per name and data set; the same queries for all."""
    tables = []
    for number, (name, value) in enumerate(values.items()):
        for dataset in TITLES:
            hardness = np.random.default_rng(7).normal(0, 0.1, QUERIES)
            own = np.random.default_rng(number).normal(0, noise, QUERIES)
            level = value if isinstance(value, float) else value[dataset]
            tables.append(
                pl.DataFrame(
                    {
                        "name": name,
                        "dataset": dataset,
                        "fold": np.arange(QUERIES) % 5 + 1,
                        "seed": seed,
                        "qid": np.arange(QUERIES),
                        **dict.fromkeys(MEASURES, level + hardness + own),
                    }
                )
            )
    return with_mean(pl.concat(tables))


def difference(value: float, corrected: float) -> Difference:
    return Difference("mq2007", "one", "mean", value, value, value, corrected, True, corrected)


@pytest.mark.parametrize("name", CLAIMS)
def test_every_claim_has_a_judge_and_every_experiment_a_figure(name: str) -> None:
    assert callable(import_module(f"arsm_l2r.analysis.claims.{name}").judge)
    assert name in FIGURES or not CLAIMS[name].ablations


def test_the_papers_claims_come_first() -> None:
    ours = [not needs.papers for needs in CLAIMS.values()]
    assert ours == sorted(ours)
    assert any(ours)


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([(0.1, 0.01), (0.2, 0.04)], Answer.HOLDS),
        ([(0.1, 0.01), (0.2, 0.06)], Answer.IN_PART),
        ([(0.1, 0.01), (-0.2, 0.01)], Answer.IN_PART),
        ([(0.1, 0.2), (-0.2, 0.06)], Answer.NOT_SEEN),
        ([(0.1, 0.2), (-0.2, 0.01)], Answer.OPPOSITE),
        ([], Answer.UNKNOWN),
    ],
)
def test_an_improvement_must_be_significant(
    found: list[tuple[float, float]], answer: Answer
) -> None:
    assert improvement([difference(*each) for each in found]) == answer


def test_differences_are_paired_by_query_and_corrected_for_all_tests() -> None:
    found = differences(queries({"a": 0.4, "b": 0.41, "c": 0.4}), "a", ["b", "c"], ["map"])
    assert [(each.dataset, each.name) for each in found] == [
        ("mq2007", "b"),
        ("mq2007", "c"),
        ("ohsumed", "b"),
        ("ohsumed", "c"),
    ]
    assert found[0].value == pytest.approx(0.01, abs=0.001)
    assert found[0].low < found[0].value < found[0].high
    assert found[0].significant
    assert not found[1].significant
    assert all(each.corrected >= each.p for each in found)
    assert found[0].turned().value == -found[0].value
    assert found[0].turned().low == -found[0].high


def test_a_difference_whose_sign_depends_on_the_seed_does_not_count() -> None:
    found = pl.concat(
        queries({"a": 0.4, "b": value}, seed=seed) for seed, value in enumerate([0.43, 0.42, 0.39])
    )
    for each in differences(found, "a", ["b"], ["mean"]):
        assert each.value == pytest.approx(0.04 / 3, abs=0.001)
        assert each.corrected < 0.05
        assert not each.significant
        assert "the sign differs between seeds" in str(each)
    agreeing = differences(found.filter(pl.col("seed") < 2), "a", ["b"], ["mean"])
    assert all(each.significant for each in agreeing)


def seconds(names: Mapping[str, int]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"name": name, "dataset": dataset, "seconds": 0.1 * count}
            for name, count in names.items()
            for dataset in TITLES
        ]
    )


LEVELS = {"three": 3, "twenty": 20, "forty": 40}


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"three": 0.4, "twenty": 0.42, "forty": 0.41}, Answer.HOLDS),
        ({"three": 0.4, "twenty": 0.4, "forty": 0.42}, Answer.NOT_SEEN),
        ({"three": 0.42, "twenty": 0.4, "forty": 0.42}, Answer.OPPOSITE),
        (
            {"three": 0.4, "twenty": {"mq2007": 0.42, "ohsumed": 0.4}, "forty": 0.4},
            Answer.IN_PART,
        ),
    ],
)
def test_more_levels(values: dict[str, float | dict[str, float]], answer: Answer) -> None:
    claim = levels.judge_levels(queries(values), seconds(LEVELS), LEVELS, TITLES, 3)
    assert claim.answer == answer
    assert "with C = 3" in " ".join(claim.because)
    assert "0.30 s with C = 3, 2.00 s with C = 20 and 4.00 s with C = 40" in " ".join(claim.because)


@pytest.mark.parametrize("true_levels", [5, 40])
def test_without_the_number_of_true_levels_nothing_can_be_told(true_levels: int) -> None:
    found = queries(dict.fromkeys(LEVELS, 0.4))
    claim = levels.judge_levels(found, seconds(LEVELS), LEVELS, TITLES, true_levels)
    assert claim.answer == Answer.UNKNOWN
    assert f"takes C = {true_levels}" in " ".join(claim.because)


@pytest.mark.parametrize(
    ("squared", "other", "answer"),
    [
        (0.4, 0.4, Answer.HOLDS),
        (0.4, 0.407, Answer.HOLDS),
        (0.4, 0.42, Answer.IN_PART),
        (0.38, 0.42, Answer.OPPOSITE),
    ],
)
def test_other_scores(squared: float, other: float, answer: Answer) -> None:
    found = queries({"linear": 0.4, "squared": squared, "top": other}, noise=0.0001)
    claim = scorings.judge_scorings(found, TITLES)
    assert claim.answer == answer
    if answer == Answer.IN_PART:
        assert "from linear weights, mean over queries, is top in" in " ".join(claim.because)


def test_scores_of_too_few_queries_do_not_show_that_nothing_changes() -> None:
    claim = scorings.judge_scorings(queries({"linear": 0.4, "top": 0.4}, noise=0.1), TITLES)
    assert claim.answer == Answer.IN_PART
    assert "0 are significant" in " ".join(claim.because)


@pytest.mark.parametrize(
    ("worst", "answer"), [(0.35, Answer.HOLDS), (0.3, Answer.IN_PART), (0.1, Answer.IN_PART)]
)
def test_any_loss(worst: float, answer: Answer) -> None:
    names = {"a": "ndcg@10", "b": "zero-one"}
    untaught = {losses.UNTRAINED: 0.3, losses.CHANCE: 0.2}
    claim = losses.judge_losses(queries({"a": 0.4, "b": worst, **untaught}), names, TITLES)
    assert claim.answer == answer
    above = "not significantly above untrained: zero-one" not in " ".join(claim.because)
    assert above == (answer == Answer.HOLDS)
    assert "The highest NDCG@1 by ndcg@10" in " ".join(claim.because)


@pytest.mark.parametrize(
    ("file_order", "answer"),
    [(0.39, Answer.HOLDS), (0.4, Answer.IN_PART), (0.41, Answer.IN_PART)],
)
def test_ties(file_order: float, answer: Answer) -> None:
    names = {"b": "file order", "a": "in expectation", "c": "at random"}
    claim = ties.judge_ties(queries({"a": 0.4, "b": file_order, "c": 0.38}), names, TITLES)
    assert claim.answer == answer
    assert "against at random" in " ".join(claim.because)


CONDITIONS = {
    f"{scaling} {weight}": entropy.Condition("arsm", scaling, weight)
    for scaling in ("none", "quantile")
    for weight in (0.0, 0.1, 0.3)
}


def histories(best: Mapping[str, float]) -> pl.DataFrame:
    """Two epochs of every condition; the second has this validation mean."""
    return pl.DataFrame(
        [
            {
                "name": name,
                "dataset": dataset,
                "epoch": epoch,
                "entropy": 0.9 if epoch == 1 else 0.05 + CONDITIONS[name].entropy,
                "gradient_norm": 0.1 / epoch,
                "mean": best[name] - 0.1 * (epoch == 1),
            }
            for name in CONDITIONS
            for dataset in TITLES
            for epoch in (1, 2)
        ]
    )


@pytest.mark.parametrize(
    ("test", "answer"),
    [
        ({"none 0.1": 0.42, "quantile 0.3": 0.42}, Answer.HOLDS),
        ({"none 0.1": 0.42, "quantile 0.3": 0.4}, Answer.IN_PART),
        ({"none 0.1": 0.4, "quantile 0.3": 0.4}, Answer.NOT_SEEN),
        ({"none 0.1": 0.38, "quantile 0.3": 0.4}, Answer.OPPOSITE),
        # Highest on test data, but not the weights that validation data choose.
        ({"none 0.3": 0.5, "quantile 0.1": 0.5}, Answer.NOT_SEEN),
    ],
)
def test_entropy(test: dict[str, float], answer: Answer) -> None:
    validated = dict.fromkeys(CONDITIONS, 0.3) | {"none 0.1": 0.4, "quantile 0.3": 0.4}
    found = queries(dict.fromkeys(CONDITIONS, 0.4) | test)
    claim = entropy.judge_entropy(found, histories(validated), CONDITIONS, TITLES)
    assert claim.answer == answer
    assert "with arsm and features none, weight 0.1 against 0:" in claim.because[0]
    assert "features quantile, weight 0.3 against 0:" in claim.because[1]
    assert "the entropy at the end being 0.35 against 0.05 of the highest" in claim.because[1]
    assert claim.data.height == len(CONDITIONS) * len(TITLES)
    assert set(claim.data["entropy_weight"]) == {0.0, 0.1, 0.3}


def gradients(arsm: float, agreement: float = 1.0, of_zero: float = 50.0) -> pl.DataFrame:
    values = {"reinforce": 30.0, "ars": 25.0, "arsm": arsm, "local-expectation": 0.003}
    return pl.DataFrame(
        [
            {
                "dataset": dataset,
                "stage": stage,
                "estimator": name,
                "variance": value,
                "seconds": 0.01,
                "agreement": agreement,
                "agreement_of_zero": of_zero,
            }
            for dataset in TITLES
            for stage in ("start", "middle", "end")
            for name, value in values.items()
        ]
    )


def curves() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "dataset": dataset,
                "estimator": name,
                "learning_rate": rate,
                "epoch": epoch,
                "ndcg@10": 0.3 + 0.01 * epoch + 10 * rate,
                "seconds": 2.0 * epoch,
            }
            for dataset in TITLES
            for name in ("reinforce", "arsm")
            for rate in (1e-4, 1e-3)
            for epoch in (1, 2, 3)
        ]
    )


@pytest.mark.parametrize(
    ("arsm", "agreement", "answer"),
    [
        (1.0, 1.0, Answer.HOLDS),
        (1.0, 3.0, Answer.IN_PART),
        (26.0, 1.0, Answer.IN_PART),
        (26.0, 3.0, Answer.NOT_SEEN),
    ],
)
def test_unbiased_and_of_low_variance(arsm: float, agreement: float, answer: Answer) -> None:
    claim = estimators.judge_estimators(gradients(arsm, agreement), curves(), TITLES)
    assert claim.answer == answer
    if arsm == 1.0:
        assert "30 for reinforce" in " ".join(claim.because)
    assert "arsm 0.3400 (learning rate 0.001, 6 s)" in " ".join(claim.because)


def test_agreement_that_anything_would_reach_says_nothing() -> None:
    claim = estimators.judge_estimators(gradients(1.0, of_zero=1.2), curves(), TITLES)
    assert claim.answer == Answer.IN_PART
    assert "(1.2 if its mean were 0)" in " ".join(claim.because)


def test_estimators_are_compared_at_equal_time() -> None:
    slower = curves().with_columns(
        pl.when(estimator="reinforce").then(pl.col("seconds") * 2).otherwise("seconds")
    )
    claim = estimators.judge_estimators(gradients(1.0), slower, TITLES)
    # The faster one takes 6 s for its three epochs, in which the slower one does one.
    assert "The highest within 6.0 s: arsm 0.3400 and reinforce 0.3200." in " ".join(claim.because)


def test_each_estimator_has_its_best_learning_rate() -> None:
    best = estimators.best_rates(curves())
    assert set(best["learning_rate"]) == {1e-3}
    assert best.filter(dataset="mq2007", estimator="arsm")["epoch"].to_list() == [1, 2, 3]


def every_claim() -> list[Claim]:
    names = {"a": "in expectation", "b": "file order"}
    return [
        levels.judge_levels(
            queries(dict.fromkeys(LEVELS, 0.4)), seconds(LEVELS), LEVELS, TITLES, 3
        ),
        scorings.judge_scorings(queries({"linear": 0.4, "top": 0.39}), TITLES),
        estimators.judge_estimators(gradients(1.0), curves(), TITLES),
        losses.judge_losses(
            queries({"a": 0.4, "b": 0.35, "untrained": 0.3, "chance": 0.2}), names, TITLES
        ),
        comparable.judge([comparison({"arsm-l2r": 0.4, "listnet": 0.39})]),
        comparable.judge([comparison({"arsm-l2r": 0.4, "own": 0.39}, "ohsumed")]),
        ties.judge_ties(queries({"a": 0.4, "b": 0.3}), names, TITLES),
        entropy.judge_entropy(
            queries(dict.fromkeys(CONDITIONS, 0.4)),
            histories(dict.fromkeys(CONDITIONS, 0.3)),
            CONDITIONS,
            TITLES,
        ),
    ]


@pytest.mark.slow
def test_figures_are_vector_graphics_with_plain_numbers(tmp_path: Path) -> None:
    results, made = Layout(tmp_path), every_claim()
    for claim in made:
        write_claim(claim, TITLES, results)
        drawn = results.claim(claim.name, "svg").read_text()
        assert "mathdefault" not in drawn
        assert "<image" not in drawn
    written = load_claims(paths_of(results))
    assert [claim["name"] for claim in written] == [
        name for name in CLAIMS if name in {claim.name for claim in made}
    ]
    assert all(claim["figure"]["alternative"] for claim in written)
    assert list(written[0]) == ["name", "title", "says", "answer", "because", "figure"]


def test_methods_that_the_paper_lacks_are_marked_in_the_figure(tmp_path: Path) -> None:
    claim = comparable.judge([comparison({"arsm-l2r": 0.4, "lambdamart": 0.39})])
    write_claim(claim, TITLES, Layout(tmp_path))
    assert "LambdaMART†" in load_claims(paths_of(Layout(tmp_path)))[0]["figure"]["alternative"]


def test_a_figure_of_nothing_says_so(tmp_path: Path) -> None:
    write_claim(comparable.judge([]), TITLES, Layout(tmp_path))
    assert {path.name for path in tmp_path.rglob("*.*")} == {
        f"comparison.{ending}" for ending in ("json", "csv", "svg", "png")
    }
    assert load_claims(paths_of(Layout(tmp_path)))[0]["figure"]["alternative"].startswith("Empty")


def test_a_claim_without_a_figure_and_one_about_other_data(tmp_path: Path) -> None:
    results = Layout(tmp_path)
    for claim in (
        reproduced.judge([comparison({"arsm-l2r": 0.4})]),
        significance.judge([]),
    ):
        write_claim(claim, TITLES, results)
    assert {path.name for path in tmp_path.rglob("*.*")} == {
        "reproduced.json",
        "significance.json",
    }
    reached, elsewhere = load_claims(paths_of(results))[::-1]
    assert elsewhere["answer"] == Answer.ELSEWHERE
    assert reached["figure"] is None
    assert "![" not in claims_markdown([reached])
    assert claims_markdown([reached, elsewhere]) == claims_markdown([reached])


@pytest.mark.parametrize(
    ("loss", "rule"),
    [
        ("ndcg@10", "in expectation"),
        ("ndcg", "in expectation"),
        ("ndcg-file-order@10", "file order"),
        ("ndcg-random-order", "random order"),
    ],
)
def test_what_a_loss_does_with_ties_is_in_its_name(loss: str, rule: str) -> None:
    assert ties.rule_of(loss) == rule


def test_the_section_has_every_claim_with_verdict_and_figure() -> None:
    claims = [
        {
            "title": title,
            "says": f"{title} is better.",
            "answer": "holds in part",
            "because": ["It is so.", "Trained with seed 0."],
            "figure": {"name": title, "title": "C", "caption": "Curves.", "alternative": ""},
        }
        for title in ("One", "Two")
    ]
    text = claims_markdown(claims)
    assert "| One is better. | **holds in part** |" in text
    assert "**Holds in part.**\n\n- It is so.\n- Trained with seed 0.\n" in text
    assert "![C](Two.svg)" in text
    assert text.count("![") == 2
