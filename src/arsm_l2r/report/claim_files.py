"""The files of claims: written one by one, read back for the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from arsm_l2r.analysis.claims.claim import Answer, Claim
from arsm_l2r.declared import OneOf
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import OURS, TUNED, method_title
from arsm_l2r.experiments.reading import read_written
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import write_json, written_whole
from arsm_l2r.report.captions import FigureWords
from arsm_l2r.report.csv_text import csv_text
from arsm_l2r.report.figures import (
    entropy_curves,
    estimator_curves,
    intervals,
    levels_curves,
    loss_matrix,
)
from arsm_l2r.report.figures.style import Drawing, figure_style, save
from arsm_l2r.report.markdown import escaped, paragraph
from arsm_l2r.settings import Settings

FIGURES: dict[str, Callable[[Claim, Mapping[str, str]], Drawing]] = {
    "comparison": partial(
        intervals.draw,
        heading=f"{method_title(OURS)} minus each other method",
        axis="difference",
        caption=f"Test measures of {method_title(OURS)} minus those of the other method, mean over "
        "queries with 95 % bootstrap interval. Methods with a † are not in the paper.",
    ),
    "levels": levels_curves.draw,
    "scorings": partial(
        intervals.draw,
        heading="Other scores than the paper's, from the same weights",
        axis="difference from linear weights",
        caption="Test measures of other weightings minus those of the paper's linear one, mean "
        "over queries with 95 % bootstrap interval.",
    ),
    "estimators": estimator_curves.draw,
    "losses": loss_matrix.draw,
    "ties": partial(
        intervals.draw,
        heading="Training with different rules for ties",
        axis="test measure",
        caption="Mean over the test queries of all folds with its 95 % bootstrap interval over "
        "queries.",
    ),
    "entropy": entropy_curves.draw,
    "tuned": partial(
        intervals.draw,
        heading=f"{method_title(TUNED)}, minus each other method",
        axis="difference",
        caption=f"Test measures of {method_title(TUNED)}, minus those of the other method, mean "
        "over queries with 95 % bootstrap interval. Methods with a † are not in the paper.",
    ),
}
"""Who draws the claims that have a figure."""


class StoredClaim(Settings):
    """What the file of a claim holds."""

    name: Annotated[str, OneOf(lambda: list(CLAIMS))]
    title: str
    says: str
    answer: Annotated[str, OneOf(lambda: list(Answer))]
    because: list[str]
    figure: FigureWords | None


def write_claim(claim: Claim, titles: Mapping[str, str], results: Layout) -> None:
    """Write a claim: its words, its numbers, and its figure if it has one.

    Args:
        claim: to write.
        titles: of the data sets.
        results: where it goes.
    """
    figure = None
    if claim.name in FIGURES:
        with figure_style(salt=claim.name):
            drawing = FIGURES[claim.name](claim, titles)
            save(drawing, results.claim(claim.name, "svg").parent)
        figure = drawing.words
    if claim.data.width:
        with written_whole(results.claim(claim.name, "csv")) as temporary:
            temporary.write_text(csv_text(claim.data), encoding="utf-8")
    words = {
        "name": claim.name,
        "title": claim.title,
        "says": claim.says,
        "answer": str(claim.answer),
        "because": list(claim.because),
        "figure": figure,
    }
    write_json(results.claim(claim.name, "json"), words)


def load_claims(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The claims that have been judged, of those whose paths are given, in that order."""
    return [read_written(path, StoredClaim) for path in paths if path.exists()]


def about_these_data(claims: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The claims that are to be shown."""
    return [claim for claim in claims if claim["answer"] != Answer.ELSEWHERE]


def claims_markdown(claims: Sequence[dict[str, Any]]) -> str:
    """The claims as a section of a Markdown page, with the figures that lie beside it.

    Args:
        claims: as `load_claims` gives them.
    """
    claims = about_these_data(claims)
    lines = ["| claim | verdict |", "| --- | --- |"]
    lines += [f"| {escaped(claim['says'])} | **{claim['answer']}** |" for claim in claims]
    for claim in claims:
        answer, words = claim["answer"], claim["figure"]
        lines += [
            *("", f"### {escaped(claim['title'])}", ""),
            *(f"*{escaped(claim['says'])}*", ""),
            *(f"**{answer[0].upper()}{answer[1:]}.**", ""),
            *(f"- {paragraph(sentence)}" for sentence in claim["because"]),
        ]
        if words:
            lines += ["", f"![{escaped(words['title'])}]({words['name']}.svg)", ""]
            lines.append(paragraph(words["caption"]))
    return "\n".join([*lines, ""])
