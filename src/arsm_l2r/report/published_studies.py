"""Searches and experiments beside published folds: which there are, and which commit trained each.

Their runs are not published, so that a file says where what is left of them comes from.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.completeness import Fold, commit_in, commits
from arsm_l2r.analysis.measured import load_folds
from arsm_l2r.analysis.words import DASH, listed
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.provenance import settings_fingerprint
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
        trainings: how many they are; none of what rests on the models of the tables.
        configured: whether the configuration that is published asks for the same.
    """

    commit: str | None = None
    trainings: int | None = None
    configured: bool = True


class Origins(Settings):
    """Where all of them come from, by name."""

    search: dict[str, Origin]
    claim: dict[str, Origin]


_OTHER = "‡"
_OF_ANOTHER = "of an earlier configuration, with other seeds, variants or settings"

_SHORT = 12
"""Digits of a commit that tell it from others."""

Names = tuple[str, str]
"""`SEARCH` or `CLAIM`, and the name of a search or claim."""


def origins_of(layout: Layout) -> Path:
    """Where a published folder says it."""
    return layout.root / "origins.json"


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


def checked_commits(
    plan: Plan, studies: Iterable[Names], folds: Sequence[Fold]
) -> tuple[set[str], list[str]]:
    """The commits that trained the runs of searches and claims, and what is wrong with these runs.

    Args:
        plan: of the results with these runs.
        studies: the searches and claims.
        folds: results of every fold, on whose data the runs should have been trained.
    """
    data = {(fold["dataset"], fold["fold"]): fold["provenance"]["data"] for fold in folds}
    runs = {run.files.record: run for study in studies for run in runs_of(plan, study)}
    found, other_settings, other_data = set(), [], []
    for path, run in sorted(runs.items()):
        origin = read_record(path)["provenance"]
        # A variant is recorded by the name of its method.
        method = plan.trained[run.name].method.name
        settings = plan.training_settings(run.name, run.dataset)
        if origin["config"] != settings_fingerprint(method, run.seed, settings):
            other_settings.append(path)
        if origin["data"] != data[run.dataset, run.fold]:
            other_data.append(path)
        found.add(commit_in(origin))
    problems = [
        f"{paths[0]}: was run {words}{f' ({len(paths)} are such)' if len(paths) > 1 else ''}."
        for paths, words in (
            (other_settings, "with other settings than those of the configuration"),
            (other_data, "on other data than the folds"),
        )
        if paths
    ]
    return found, problems


def same_study(one: Plan, other: Plan, study: Names) -> bool:
    """Whether two plans ask for the same by the name of a search or claim."""
    kind, name = study
    if kind == SEARCH:
        return one.searches[name] == other.searches[name]
    return (one.evidence(name).study, one.ablation_settings) == (
        other.evidence(name).study,
        other.ablation_settings,
    )


def origins_in(layout: Layout) -> dict[Names, Origin]:
    """Where the searches and claims of a published folder come from, as far as it says so."""
    path = origins_of(layout)
    if not path.exists():
        return {}
    found = Origins(**read_written(path, Origins))
    return {
        (kind, name): origin
        for kind, own in ((SEARCH, found.search), (CLAIM, found.claim))
        for name, origin in own.items()
    }


def apart(plan: Plan) -> list[str]:
    """Which published searches and experiments don't belong to the tables, in sentences.

    Args:
        plan: of a folder that is published; of others there is nothing to say.
    """
    found = origins_in(plan.layout)
    if not found:
        return []
    folds = [plan.layout.fold(name, k) for name in plan.datasets for k in plan.folds(name)]
    trained_by = commits(load_folds([path for path in folds if path.exists()]))
    others = [_title(study) for study, own in found.items() if own.commit not in trained_by]
    unlike = [_title(study) for study, own in found.items() if not own.configured]
    return [
        f"{listed(titles)}: {words}."
        for titles, words in (
            (others, "trained by an earlier commit than the tables"),
            (unlike, _OF_ANOTHER),
        )
        if titles
    ]


def _title(study: Names) -> str:
    kind, name = study
    return f"{'Search' if kind == SEARCH else 'Experiment'} “{name}”"


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
    found = {study: kept.get(study, Origin()) for study in studies_there(plan)}
    for study in own:
        found[study] = Origin(commit=commit, trainings=len(runs_of(plan, study)))
    content: dict[str, dict[str, Any]] = {
        kind: {name: origin.model_dump() for (each, name), origin in found.items() if each == kind}
        for kind in (SEARCH, CLAIM)
    }
    path = origins_of(plan.layout)
    write_json(path, content)
    path.with_suffix(".md").write_text(markdown(_table(plan, commit, found)), encoding="utf-8")


def _table(plan: Plan, commit: str, found: Mapping[Names, Origin]) -> Table:
    tables = "The tables, and the claims that they decide"
    lines = [(tables, Origin(commit=commit, trainings=len(plan.runs())))]
    lines += [
        (_title(study) if origin.configured else f"{_title(study)}{_OTHER}", origin)
        for study, origin in found.items()
    ]
    rows = [
        [
            title,
            f"{origin.trainings:,}" if origin.trainings else DASH,
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
        notes=[
            "Experiments without trainings of their own rest on the models of the tables.",
            *(
                [f"{_OTHER} {_OF_ANOTHER.capitalize()}."]
                if any(not o.configured for _, o in lines)
                else []
            ),
        ],
        data=pl.DataFrame(),
    )
