"""The page that a person reads: everything about the results in one file that needs no other."""

import json
import re
from collections.abc import Mapping, Sequence
from html import unescape
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from arsm_l2r import __version__
from arsm_l2r.analysis.claims.claim import headline
from arsm_l2r.analysis.claims.tabled import leading, ranking
from arsm_l2r.analysis.completeness import missing
from arsm_l2r.analysis.measured import load_folds
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis, read_analysis
from arsm_l2r.analysis.words import counted, listed, relevance
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import OURS, in_order, method_of, method_title
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.reading import read_description, read_written
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import written_whole
from arsm_l2r.report.captions import Captions
from arsm_l2r.report.claim_files import about_these_data, claims_markdown, load_claims
from arsm_l2r.report.published_studies import apart
from arsm_l2r.report.svg import inline_svg
from arsm_l2r.report.text import printable

_EVERYTHING = "--cores all"
_OF_PAPER = "Does the ARSM-L2R paper hold?"
_OF_OTHERS = "Which method ranks best on these data?"

_TABLES = ("", "_comparison", "_comparison_paper", "_published")


def render(plan: Plan, options: str = "") -> str:
    """The page, as HTML, of what has been made so far.

    Args:
        plan: of the results; their analyses, claims, tables and figures are taken as they are.
        options: what to add to a Snakemake command so that it makes these results.
    """
    layout = plan.layout
    analyses = {
        name: read_analysis(path)
        for name in plan.datasets
        if (path := layout.analysis(name)).exists()
    }
    found = list(analyses.values())
    judged = load_claims(plan.claims_shown())
    claims = about_these_data(judged)
    for claim in claims:
        if claim["figure"]:
            path = layout.claim(claim["name"], "svg")
            claim["svg"] = _inlined(path, f"drawn-{claim['name']}", claim["figure"]["alternative"])
    of_paper = bool(set(plan.datasets) & set(load_paper().performance))
    ablations = set(plan.studied)
    made = ablations & {claim["name"] for claim in judged}
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.from_string(_resource("page.html.jinja")).render(
        css=Markup(_resource("page.css")),
        question=_OF_PAPER if of_paper else _OF_OTHERS,
        of_paper=of_paper,
        headline=(not of_paper and leading(found))
        or headline([claim["answer"] for claim in judged if CLAIMS[claim["name"]].papers]),
        paper_source=load_paper().source,
        title_of=method_title,
        claims=claims,
        searches={
            name: html for name in plan.searches if (html := _table(layout.search(name, "html")))
        },
        ablations_missing=made != ablations,
        ablations=_settings_shown(plan.configuration.ablations.model_dump()) if made else [],
        asked=_asked(plan),
        missing=[
            sentence
            for name in plan.datasets
            for sentence in _missing(plan, name, analyses.get(name))
        ],
        measured=bool(found),
        mixed=[*(sentence for each in found for sentence in each.mixed), *apart(plan)],
        unlike=[sentence for each in found for sentence in each.unlike],
        datasets=[_dataset(plan, name, analyses.get(name)) for name in plan.datasets],
        datasets_table=_table(layout.table("datasets", "html")),
        methods=_method_facts(plan, found),
        relevance=relevance(
            {
                each.title: analyses[name].relevant_from if name in analyses else each.relevant_from
                for name in plan.datasets
                for each in [plan.catalogue[name]]
            }
        ),
        seeds=plan.seeds,
        steps=_steps(plan, options),
        version=__version__,
    )
    return printable(page)


def write_page(plan: Plan, options: str = "") -> None:
    """Write the page, and its claims as Markdown; arguments are those of `render`."""
    made = {
        plan.layout.report: render(plan, options),
        plan.layout.claim("claims", "md"): claims_markdown(load_claims(plan.claims_shown())),
    }
    for path, text in made.items():
        with written_whole(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def shown_options(page: str) -> str:
    """The options that a page was rendered with, from the command for everything on it."""
    found = re.search(rf"snakemake {_EVERYTHING}(?: ([^<]*))?<", page)
    return unescape(found[1] or "") if found else ""


def _dataset(plan: Plan, name: str, analysis: Analysis | None) -> dict[str, Any]:
    """What the template shows of a data set."""
    layout, description = plan.layout, plan.layout.description(name)
    tables = {kind: _table(layout.table(f"{name}{kind}", "html")) for kind in _TABLES}
    return {
        "title": analysis.title if analysis else plan.catalogue[name].title,
        "ranking": ranking(analysis) if analysis and not analysis.in_paper else "",
        "tables": {kind: html for kind, html in tables.items() if html},
        "figures": _figures(layout.captions(name)),
        "data": _described(plan, name, description) if description.exists() else None,
        "analysis": analysis,
    }


def _described(plan: Plan, name: str, path: Path) -> dict[str, Any]:
    """What a data set holds; what it was read from, by its whole path if that is known."""
    found = read_description(path)
    local = plan.catalogue[name].local_source
    return {**found, "source": local} if local and Path(local).name == found["source"] else found


def _asked(plan: Plan) -> str:
    """What the configuration asks for, in words."""
    titles = listed(plan.catalogue[name].title for name in plan.datasets)
    methods = f"{len(plan.methods)} method{'s' if len(plan.methods) > 1 else ''}"
    return f"{titles}, {methods}, {counted('seed', plan.seeds)}: {len(plan.runs()):,} runs"


def _missing(plan: Plan, name: str, analysis: Analysis | None) -> list[str]:
    """What has not been measured on a data set, and what has been but is not shown, in sentences.

    It looks at what was measured itself: an analysis may be older, or not made yet.
    """
    paths = [plan.layout.fold(name, number) for number in plan.folds(name)]
    folds = load_folds([path for path in paths if path.exists()])
    sentences = missing(name, folds, len(paths), list(plan.methods), plan.seeds)
    known = set(analysis.origins) if analysis else set()
    if unseen := [fold["fold"] for fold in folds if fold["fold"] not in known]:
        verb = "have" if len(unseen) > 1 else "has"
        sentences.append(
            f"{name}: {counted('fold', unseen)} {verb} been measured, and {verb} no part in this "
            "page yet."
        )
    return sentences


def _table(path: Path) -> Markup | None:
    """A table that `report.html` made, which escaped what comes from data."""
    return Markup(_text(path)) if path.exists() else None


def _figures(captions: Path) -> list[dict[str, Any]]:
    if not captions.exists():
        return []
    content = read_written(captions, Captions)
    prefix = f"figure-{content['dataset']}"
    return [
        {**words, "svg": _inlined(captions.with_name(f"{name}.svg"), f"{prefix}-{name}", label)}
        for words in content["figures"]
        for name, label in [(words["name"], words["alternative"])]
    ]


def _inlined(path: Path, prefix: str, label: str) -> Markup:
    """A figure that `report.figures` drew; names from data are text in it, which stays escaped."""
    try:
        return Markup(inline_svg(_text(path), prefix, label))
    except ElementTree.ParseError as error:
        raise UserError(f"{path}: not a figure: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def _resource(name: str) -> str:
    return resources.files("arsm_l2r.report").joinpath(name).read_text("utf-8")


def _method_facts(plan: Plan, analyses: Sequence[Analysis]) -> list[dict[str, Any]]:
    """What each method is and how it is configured."""
    names = {*plan.methods, *(name for each in analyses for name in each.methods)}
    return [
        {
            "title": method_title(name),
            "description": record.description if (record := method_of(name)) else "",
            "settings": _settings_shown(plan.methods.get(name, {})),
        }
        for name in in_order(names)
    ]


def _settings_shown(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Settings as the page shows them."""
    return [
        (key, "none" if value is None else json.dumps(value, ensure_ascii=False))
        for key, value in settings.items()
    ]


def _steps(plan: Plan, options: str = "") -> list[dict[str, str]]:
    """The commands that make each part again.

    Args:
        plan: of the results.
        options: to add to every Snakemake command.
    """
    # Where they are made, wherever they lie now: what is published is made there, too.
    layout, name = Layout(Path(plan.configuration.pathvars.results)), plan.datasets[0]
    run = layout.run(name, 1, OURS if OURS in plan.methods else next(iter(plan.methods)), 0)
    targets = {
        "Everything": _EVERYTHING,
        "One data set: fetch, check and count it": layout.description(name),
        "One fold, and only what it needs": layout.fold(name, 1),
        "One run again": f"{run.record} --forcerun train",
        "What is computed from everything measured on a data set": layout.analysis(name),
        "The tables of a data set": layout.table(name, "html"),
        "The figures of a data set": layout.captions(name),
        "This page": layout.report,
        "The claims that need experiments of their own": "--cores all ablations",
        "The searches for settings": "--cores all search",
        "Snakemake's own report": f"--report {layout.root / 'snakemake.html'}",
    }
    after = f" {options}" if options else ""
    commands = [(what, f"snakemake {target}{after}") for what, target in targets.items()]
    so_far = f"python scripts/report.py --so-far --results {layout.root}"
    commands.append(("This page from whatever has been measured so far", so_far))
    return [{"what": what, "command": command} for what, command in commands]
