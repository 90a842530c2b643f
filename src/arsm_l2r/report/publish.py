"""What is kept of a reproduction for others to read: results, tables and figures, no models.

A published folder has the layout of a results folder, so that the same code makes its tables:
configuration, descriptions and fold results as they were measured, the values of single test
queries and how their documents were ranked, gathered by fold, analyses, tables, figures,
searches, claims and the page.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.claims import judged
from arsm_l2r.analysis.completeness import (
    Fold,
    commits,
    missing,
    other_settings,
    several_commits,
)
from arsm_l2r.analysis.dataset import analysed
from arsm_l2r.analysis.measured import gather, load_folds
from arsm_l2r.analysis.stored import read_analysis, write_analysis
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import DataFiles, Layout
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.rankings import check_data, rankings_of, write_rankings
from arsm_l2r.experiments.reading import read_fold_result
from arsm_l2r.experiments.studies import TABLED
from arsm_l2r.files import read_json, write_json
from arsm_l2r.letor.store import Judged, Stored
from arsm_l2r.report.claim_files import write_claim
from arsm_l2r.report.figure_files import draw_again
from arsm_l2r.report.latex import document
from arsm_l2r.report.page import shown_options, write_page
from arsm_l2r.report.published_studies import (
    CLAIM,
    SEARCH,
    Names,
    Origin,
    checked_commits,
    files_of,
    origins_in,
    same_study,
    studies_there,
    write_origins,
)
from arsm_l2r.report.table_files import table_named, table_texts

MEASURED = ("cost",)
"""Tables that cannot be made from what is published: what Snakemake measured is not."""


def publish(plan: Plan, output: Path, data: DataFiles, *, keep: bool = False) -> None:
    """Publish complete results; what was published before is replaced.

    Args:
        plan: of the results.
        output: folder to publish to.
        data: with the parts that these were trained on.
        keep: let searches and experiments that were published before, and are not in these
            results, stay.

    Raises:
        UserError: if something is missing or was run with other settings, if it was trained by
            several commits, by files that no commit has or on other data, or if `output` holds
            something else. Nothing is replaced then.
    """
    results, old = plan.layout, Layout(output)
    if output.exists() and any(output.iterdir()) and not old.report.exists():
        raise UserError(f"{output}: holds something else than a published reproduction; left alone")
    needed = [results.configuration, results.report]
    for name in plan.datasets:
        needed += [results.analysis(name), results.captions(name)]
    absent = [path for path in needed if not path.exists()]
    if absent:
        raise UserError(f"{absent[0]}: not there; run the workflow to its end first")
    _check_paths(plan)
    own = studies_there(plan)
    kept = _kept(plan, output, own, keep=keep)
    commit = _check_complete(plan, own)
    tested = {(name, fold): _tested(plan, data, name, fold) for name, fold in _places(plan)}
    made = Layout(output.with_name(f".{output.name}.new"))
    shutil.rmtree(made.root, ignore_errors=True)
    for name in plan.datasets:
        _copy(results, made, results.description(name))
        _copy(results, made, *(results.fold(name, fold) for fold in plan.folds(name)))
        measures = list(read_analysis(results.analysis(name)).measures)
        analysis = _of_what_is_published(read_json(results.analysis(name)), measures)
        write_json(made.analysis(name), analysis)
        for fold in load_folds([results.fold(name, number) for number in plan.folds(name)]):
            gather(fold, results, made, measures)
    for (name, number), documents in tested.items():
        runs = [run for run in plan.runs(name) if run.fold == number]
        write_rankings(rankings_of(made, name, number), runs, documents)
    _copy(results, made, results.configuration, results.report)
    for folder in (results.table("x", "md").parent, _figures(results)):
        _copy(results, made, *(path for path in folder.rglob("*.*") if path.suffix != ".png"))
    for study in [*own, *((CLAIM, name) for name in ("claims", *TABLED))]:
        _copy(results, made, *files_of(results, study))
    for study in kept:
        _copy(old, made, *files_of(old, study))
    loaded = Plan.load(made.root)
    _write_tables(loaded)
    write_origins(loaded, commit, own, kept)
    if kept:
        write_page(loaded, _options_of(results))
    _replace(output, made)


def publish_studies(plan: Plan, folder: Path) -> list[str]:
    """Put the searches and experiments of results in the place of those that are published.

    Everything else in the folder stays.

    Args:
        plan: of the results.
        folder: that was published, from runs of the same commit.

    Returns:
        The names of these searches and experiments.

    Raises:
        UserError: if there are none, or if other settings or another commit made the folder.
            Nothing is replaced then.
    """
    old = Layout(folder)
    published, own = Plan.load(folder), studies_there(plan)
    if not own:
        raise UserError(
            f"{plan.layout.root}: no search or experiment is finished; run snakemake search or "
            "snakemake ablations"
        )
    if published.recorded != plan.recorded:
        raise UserError(f"{folder}: was published with another configuration than these results'")
    folds = load_folds([published.layout.fold(*place) for place in _places(published)])
    # What rests on the models of the tables rests on those of these results.
    beside = [plan.layout.fold(*place) for place in _places(plan)]
    found, problems = checked_commits(plan, own, folds)
    found |= commits(folds) | commits(load_folds([path for path in beside if path.exists()]))
    commit = _the_commit(plan, found, problems)
    made = Layout(folder.with_name(f".{folder.name}.new"))
    shutil.rmtree(made.root, ignore_errors=True)
    shutil.copytree(folder, made.root)
    for study in own:
        for path in files_of(made, study):
            path.unlink()
        _copy(plan.layout, made, *files_of(plan.layout, study))
    loaded = Plan.load(made.root)
    write_origins(loaded, commit, own, origins_in(old))
    write_page(loaded, _options_of(old))
    _replace(folder, made)
    return [name for _, name in own]


def publish_again(folder: Path) -> None:
    """Make anew whatever can be made from a published folder, and keep the rest of it.

    That is analyses, tables, figures of both, the claims that tables decide, and the page. What
    Snakemake measured, figures that show training or cut-offs that are not published, searches and
    claims that rest on experiments of their own stay as they are.

    Args:
        folder: that was published.

    Raises:
        UserError: if it is no published folder. Nothing is replaced then.
    """
    old = Plan.load(folder)
    needed = [old.layout.report]
    needed += [old.layout.gathered_queries(*place) for place in _places(old)]
    absent = [path for path in needed if not path.exists()]
    if absent:
        raise UserError(f"{absent[0]}: not there, so that {folder} is not what was published")
    made = Layout(folder.with_name(f".{folder.name}.new"))
    shutil.rmtree(made.root, ignore_errors=True)
    shutil.copytree(folder, made.root)
    plan = Plan.load(made.root)
    for name in plan.datasets:
        analysis = analysed(plan, name)
        write_analysis(made.analysis(name), analysis)
        draw_again(analysis, made)
    _write_tables(plan)
    titles = {name: plan.catalogue[name].title for name in plan.datasets}
    for name in TABLED:
        write_claim(judged(name, plan), titles, made)
    write_page(plan, _options_of(old.layout))
    for path in made.root.rglob("*.png"):
        path.unlink()
    _replace(folder, made)


def _places(plan: Plan) -> list[tuple[str, int]]:
    """Every fold of every data set."""
    return [(name, fold) for name in plan.datasets for fold in plan.folds(name)]


def _tested(plan: Plan, data: DataFiles, dataset: str, fold: int) -> Judged:
    """The test documents of a fold, if it was trained on these data."""
    stored, path = Stored(data.parts(dataset), dataset), plan.layout.fold(dataset, fold)
    check_data(path, read_fold_result(path), stored)
    return stored.judged(stored.divided(fold)[2])


def _write_tables(plan: Plan) -> None:
    for name, texts in published_tables(plan).items():
        for ending, text in texts.items():
            plan.layout.table(name, ending).write_text(text, encoding="utf-8")
    plan.layout.table("tables", "tex").write_text(document(list(plan.tables)), encoding="utf-8")


def _replace(output: Path, made: Layout) -> None:
    replaced = output.with_name(f".{output.name}.old")
    shutil.rmtree(replaced, ignore_errors=True)
    if output.exists():
        output.rename(replaced)
    made.root.rename(output)
    shutil.rmtree(replaced, ignore_errors=True)


def _of_what_is_published(analysis: dict[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    """An analysis as it can be made from what is published, which has not every cut-off."""
    kept = {name.removeprefix("ndcg@") for name in measures}
    cutoffs = {
        convention: {
            method: {cutoff: value for cutoff, value in values.items() if cutoff in kept}
            for method, values in methods.items()
        }
        for convention, methods in analysis["cutoffs"].items()
    }
    return {**analysis, "cutoffs": cutoffs}


def _check_paths(plan: Plan) -> None:
    """Refuse to publish where something lies on this machine."""
    settings = plan.configuration
    paths = [settings.catalogue, *settings.extensions, *settings.pathvars.model_dump().values()]
    outside = [path for path in paths if Path(path).is_absolute() or ".." in Path(path).parts]
    if outside:
        raise UserError(f"{outside[0]}: a path of this machine in the configuration; not published")


def published_tables(plan: Plan) -> dict[str, dict[str, str]]:
    """What the files of a published folder's tables hold, by name and ending, made anew."""
    return {
        name: table_texts(table_named(name, plan)) for name in plan.tables if name not in MEASURED
    }


def _check_complete(plan: Plan, studies: Sequence[Names]) -> str:
    """Refuse what is not complete, or does not belong together; the commit that trained it."""
    gaps: list[str] = []
    every: list[Fold] = []
    for name in plan.datasets:
        paths = [plan.layout.fold(name, number) for number in plan.folds(name)]
        folds = load_folds([path for path in paths if path.exists()])
        gaps += missing(name, folds, len(paths), list(plan.methods), plan.seeds)
        gaps += other_settings(folds, plan.methods_on(name))
        every += folds
    if gaps:  # whatever else there may be cannot be looked at
        return _the_commit(plan, commits(every), gaps)
    found, problems = checked_commits(plan, studies, every)
    return _the_commit(plan, found | commits(every), problems)


def _the_commit(plan: Plan, found: set[str], gaps: Sequence[str]) -> str:
    """Refuse results with gaps, or such as not exactly one commit trained; that commit."""
    gaps = [*gaps, *several_commits(found)]
    if gaps:
        root = plan.layout.root
        raise UserError("\n  - ".join([f"{root}: not complete, so not published", *gaps]))
    (commit,) = found
    return commit


def _kept(plan: Plan, output: Path, own: Sequence[Names], *, keep: bool) -> dict[Names, Origin]:
    """The searches and experiments of what is published that these results don't have.

    Raises:
        UserError: if they should not, or cannot, stay.
    """
    old = Layout(output)
    if not old.configuration.exists():
        return {}
    before, known = Plan.load(output), origins_in(old)
    there = {SEARCH: list(plan.searches), CLAIM: plan.studied}
    kept = {}
    for study in (study for study in studies_there(before) if study not in own):
        kind, name = study
        if not keep or name not in there[kind]:
            path = files_of(old, study)[0]
            remedy = (
                f"run snakemake {'search' if kind == SEARCH else 'ablations'}, let it stay (--keep)"
                if name in there[kind]
                else "put it back into the configuration"
            )
            raise UserError(
                f"{plan.layout.root / path.relative_to(old.root)}: not there, but {path} was "
                f"published before and would be lost; {remedy}, or delete what was published"
            )
        origin = known.get(study, Origin())
        same = origin.configured and same_study(plan, before, study)
        kept[study] = origin.model_copy(update={"configured": same})
    return kept


def _options_of(layout: Layout) -> str:
    """The options that a page says it was made with."""
    return shown_options(layout.report.read_text(encoding="utf-8"))


def _figures(results: Layout) -> Path:
    return results.captions("x").parent.parent


def _copy(results: Layout, made: Layout, *paths: Path) -> None:
    for path in paths:
        target = made.root / path.relative_to(results.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
