"""Searches and experiments beside published folds: which there are, and which commit trained each.

Their runs are not published, so that a file says where what is left of them comes from.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.completeness import commit_in
from arsm_l2r.analysis.words import DASH
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.reading import read_record, read_written
from arsm_l2r.files import write_json
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.table import Cell, Group, Table
from arsm_l2r.settings import Settings

SEARCH, CLAIM = "search", "claim"


class Origin(Settings):
    """Where a search or experiment comes from: nothing of what nobody recorded.

    Attributes:
        commit: that trained its runs.
        trainings: how many they are.
    """

    commit: str | None = None
    trainings: int | None = None


class Origins(Settings):
    """Where all of them come from, by name."""

    search: dict[str, Origin]
    claim: dict[str, Origin]


_SHORT = 12
"""Digits of a commit that tell it from others."""

Names = tuple[str, str]
"""`SEARCH` or `CLAIM`, and the name of a search or claim."""


def studies_there(plan: Plan) -> list[Names]:
    """The searches that have a table, and the claims of experiments that have a verdict."""
    found = [(SEARCH, name) for name in plan.searches if plan.layout.search(name, "md").exists()]
    return found + [
        (CLAIM, name) for name in plan.studied if plan.layout.claim(name, "json").exists()
    ]


def runs_of(plan: Plan, study: Names) -> Sequence[Run]:
    """The runs that a search or claim rests on, those of the tables aside."""
    kind, name = study
    if kind == SEARCH:
        return plan.runs_of_study(plan.searches[name])
    return plan.evidence(name).runs


def files_of(layout: Layout, study: Names) -> list[Path]:
    """What is published of a search or claim."""
    kind, name = study
    path = layout.search(name, "md") if kind == SEARCH else layout.claim(name, "json")
    return [each for each in sorted(path.parent.glob(f"{name}.*")) if each.suffix != ".png"]


def commits_of(plan: Plan, studies: Iterable[Names]) -> set[str]:
    """The commits that trained the runs of searches and claims."""
    paths = {run.files.record for study in studies for run in runs_of(plan, study)}
    return {commit_in(read_record(path)["provenance"]) for path in sorted(paths)}


def origins_in(layout: Layout) -> dict[Names, Origin]:
    """Where the searches and claims of a published folder come from, as far as it says so."""
    if not layout.origins.exists():
        return {}
    found = Origins(**read_written(layout.origins, Origins))
    return {
        (kind, name): origin
        for kind, own in ((SEARCH, found.search), (CLAIM, found.claim))
        for name, origin in own.items()
    }


def write_origins(
    plan: Plan, commit: str, own: Iterable[Names], kept: Mapping[Names, Origin]
) -> None:
    """Write where the searches and claims of a published folder come from, and a table of it.

    Args:
        plan: of the folder.
        commit: that trained the runs of the tables.
        own: those that it trained as well.
        kept: where others come from; what is in neither, nobody knows.
    """
    trained = set(own)
    found = {
        study: Origin(commit=commit, trainings=len(runs_of(plan, study)))
        if study in trained
        else kept.get(study, Origin())
        for study in studies_there(plan)
    }
    content: dict[str, dict[str, Any]] = {
        kind: {name: origin.model_dump() for (each, name), origin in found.items() if each == kind}
        for kind in (SEARCH, CLAIM)
    }
    write_json(plan.layout.origins, content)
    table = _table(plan, commit, found)
    plan.layout.origins.with_suffix(".md").write_text(markdown(table), encoding="utf-8")


def _table(plan: Plan, commit: str, found: Mapping[Names, Origin]) -> Table:
    tables = "The tables, and the claims that they decide"
    lines = [(tables, Origin(commit=commit, trainings=len(plan.runs())))]
    for (kind, name), origin in found.items():
        title = f"Search “{name}”" if kind == SEARCH else f"Experiment “{name}”"
        lines.append((title, origin))
    rows = [
        [
            title,
            DASH if origin.trainings is None else f"{origin.trainings:,}",
            "an earlier one" if origin.commit is None else origin.commit[:_SHORT],
        ]
        for title, origin in lines
    ]
    return Table(
        name="origins",
        label="tab:origins",
        caption="What was trained by which commit.",
        columns=["Results", "Trainings", "Commit"],
        alignment="lrl",
        groups=[Group([[Cell(text) for text in row] for row in rows])],
        notes=[],
        data=pl.DataFrame(),
    )
