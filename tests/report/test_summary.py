"""The answer in short says what was measured, whoever is ahead."""

import csv
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from arsm_l2r.experiments.plan import Plan
from arsm_l2r.report.figures import standing
from arsm_l2r.report.standing import Standing
from arsm_l2r.report.summary import summary, summary_files, verdict
from arsm_l2r.report.svg import dark_where_pages_are

from ..made_up import ROOT, comparison

PAPERS = {"ranksvm": 0.4, "listnet": 0.42, "adarank-map": 0.4, "adarank-ndcg": 0.4}
HOLD = {"highest": "holds", "comparison": "holds"}


def stands(values: Mapping[str, Any], dataset: str = "mq2007", **more: Any) -> Standing:
    analysis = comparison(values, dataset, **more)
    return Standing(dataset, analysis)


def test_who_is_ahead_is_said_with_the_numbers() -> None:
    found = [stands({**PAPERS, "arsm-l2r": 0.41, "lambdamart": 0.5})]
    sentence = verdict(found, {**HOLD, "reproduced": "holds in part"})
    assert sentence.startswith("The paper holds in part: of 5 figures")
    # The paper prints 0.4051, 0.4112, 0.4159, 0.4432 and 0.4608.
    assert "3 are reached or missed by no more than 0.010" in sentence
    assert "NDCG@10 of 0.4100 on MQ2007 (printed: 0.4432)" in sentence
    assert sentence.endswith(
        "it is not ahead: highest is LambdaMART, which is not in the paper, with 0.5000 on MQ2007."
    )


def test_a_lead_is_said_as_well() -> None:
    sentence = verdict([stands({**PAPERS, "arsm-l2r": 0.5})], HOLD)
    assert sentence.startswith("The paper holds: of 5 figures")
    assert sentence.endswith("the highest of all methods here.")
    assert "5 are reached" in sentence


def test_who_is_ahead_on_both_data_sets_is_named_once() -> None:
    values = {**PAPERS, "arsm-l2r": 0.41}
    found = [stands(values), stands(values, "ohsumed")]
    assert "highest is ListNet, with 0.4200 on MQ2007 and 0.4200 on OHSUMED." in verdict(
        found, HOLD
    )
    found[1] = stands({**values, "arsm-l2r": 0.43}, "ohsumed")
    assert verdict(found, HOLD).endswith("highest is ListNet, with 0.4200 on MQ2007.")


@pytest.mark.parametrize(
    ("judged", "opening"),
    [
        ({}, "Whether the paper holds cannot be told yet"),
        (
            {"highest": "cannot be told", "levels": "holds"},
            "Whether the paper holds cannot be told",
        ),
        ({"highest": "does not hold"}, "The paper does not hold"),
        ({"highest": "does not hold", "levels": "holds"}, "The paper holds in part"),
    ],
)
def test_the_sentence_begins_with_all_claims_together(judged: dict[str, str], opening: str) -> None:
    assert verdict([], judged).startswith(opening)


def test_lines_say_what_is_significant_and_what_is_missing_is_left_out() -> None:
    ahead = {("listnet", "map"): (-0.01, 0.001), ("ranksvm", "map"): (0.02, 0.001)}
    ahead |= {("lambdamart", "ndcg@10"): (-0.03, 0.001)}
    own = stands({**PAPERS, "arsm-l2r": 0.41, "lambdamart": 0.5}, ahead=ahead)
    lines = dict(summary([own], HOLD))
    assert lines["The claims"] == "Of 2 claims of the paper, 2 hold."
    assert lines["ARSM-L2R against the paper's baselines on MQ2007"] == (
        "of 20 comparisons over queries it is significantly better in 1 and significantly worse in "
        "1: ListNet in MAP (0.0100). Ahead of it significantly, and not in the paper: LambdaMART "
        "in NDCG@10 (0.0300)."
    )
    ranked = lines["By the mean of the five measures on MQ2007"]
    assert ranked.startswith("LambdaMART 0.5000, ListNet 0.4200, ARSM-L2R 0.4100")
    assert not [about for about in lines if "tuned" in about]
    without = dict(summary([stands(PAPERS)], {}))
    assert list(without) == [
        "The claims",
        "By the mean of the five measures on MQ2007",
        "Median time of a training on MQ2007",
    ]


def test_the_figure_draws_what_there_is() -> None:
    drawing = standing.draw([stands({**PAPERS, "arsm-l2r": 0.41})], "ndcg@10")
    assert "ARSM-L2R 0.4100 (printed 0.4432)" in drawing.alternative
    labels = [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()]
    assert labels == ["RankSVM", "ListNet", "AdaRank-MAP", "AdaRank-NDCG", "ARSM-L2R"]
    own = stands({"ranksvm": 0.4})
    rows = [replace(row, low=0.3, high=0.5) for row in own.analysis.compared["letor"]]
    with_ends = replace(own.analysis, compared={"letor": rows, "paper": rows})
    drawing = standing.draw([replace(own, analysis=with_ends)], "ndcg@10")
    drawn = [list(line.get_xdata()) for line in drawing.figure.axes[0].lines]
    assert [0.3, 0.5] in drawn
    assert standing.draw([], "ndcg@10").alternative.startswith("Empty")


def test_a_picture_is_dark_where_its_page_is() -> None:
    svg = dark_where_pages_are('<?xml version="1.0"?>\n<svg width="9">\n <g/>\n</svg>')
    assert svg.count("prefers-color-scheme: dark") == 1
    assert svg.index('<svg width="9">') < svg.index("<style>") < svg.index("<g/>")


class TestWhatIsPublished:
    """The answer that this project gives."""

    @pytest.fixture
    def plan(self) -> Plan:
        return Plan.load(ROOT / "docs/reproduction", ROOT)

    def test_it_is_made_of_what_is_published_now(self, plan: Plan) -> None:
        there = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/summary").iterdir()}
        assert summary_files(plan) == there

    def test_its_numbers_are_those_of_the_tables(self, plan: Plan) -> None:
        sentence = (ROOT / "docs/summary/verdict.md").read_text("utf-8").splitlines()[0]
        tabled = {
            cell
            for dataset in plan.datasets
            for table in (dataset, f"{dataset}_comparison")
            for row in csv.reader(plan.layout.table(table, "csv").read_text("utf-8").splitlines())
            for cell in row
        }
        numbers = re.findall(r"\d\.\d{4}", sentence)
        assert len(numbers) >= 4
        assert set(numbers) <= tabled

    @pytest.mark.parametrize("page", ["README.md", "docs/reproduction.md"])
    def test_pages_begin_with_it(self, page: str) -> None:
        text = (ROOT / page).read_text("utf-8")
        sentence = (ROOT / "docs/summary/verdict.md").read_text("utf-8").splitlines()[0]
        assert 0 < text.index(sentence) < text.index("standing.svg")
        assert "dag.svg" not in text[: text.index("standing.svg")]
