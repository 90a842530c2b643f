"""The page that a person reads: everything about the results in one file that needs no other."""

from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from arsm_l2r import __version__
from arsm_l2r.analysis.claims.claim import headline
from arsm_l2r.analysis.claims.tabled import ranking
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.stored import Analysis, read_analysis
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import read_json
from arsm_l2r.report.claim_files import about_these_data, load_claims
from arsm_l2r.report.facts import method_facts, settings_shown, steps
from arsm_l2r.report.svg import inline_svg

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
    judged = load_claims(layout)
    claims = about_these_data(judged)
    for claim in claims:
        if claim["figure"]:
            path = layout.claim(claim["name"], "svg")
            claim["svg"] = _inlined(path, f"drawn-{claim['name']}", claim["figure"]["alternative"])
    ablations = {name for name, needs in CLAIMS.items() if needs.ablations}
    made = ablations & {claim["name"] for claim in judged}
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_resource("page.html.jinja")).render(
        css=Markup(_resource("page.css")),
        headline=headline([claim["answer"] for claim in judged if CLAIMS[claim["name"]].papers]),
        paper_source=load_paper().source,
        title_of=method_title,
        claims=claims,
        ablations_missing=made != ablations,
        ablations=settings_shown(plan.configuration.ablations.model_dump()) if made else [],
        missing=[sentence for name in plan.datasets for sentence in _missing(analyses, name)],
        mixed=[sentence for each in found for sentence in each.mixed],
        unlike=[sentence for each in found for sentence in each.unlike],
        datasets=[_dataset(plan, name, analyses.get(name)) for name in plan.datasets],
        datasets_table=_table(layout.table("datasets", "html")),
        methods=method_facts(plan, found),
        seeds=plan.seeds,
        steps=steps(plan, options),
        version=__version__,
    )


def _missing(analyses: dict[str, Analysis], dataset: str) -> list[str]:
    if dataset in analyses:
        return analyses[dataset].missing
    return [f"{dataset}: no fold has been measured."]


def _dataset(plan: Plan, name: str, analysis: Analysis | None) -> dict[str, Any]:
    """What the template shows of a data set."""
    layout, description = plan.layout, plan.layout.description(name)
    tables = {kind: _table(layout.table(f"{name}{kind}", "html")) for kind in _TABLES}
    return {
        "title": analysis.title if analysis else plan.catalogue[name].title,
        "ranking": ranking(analysis) if analysis and not analysis.in_paper else "",
        "tables": {kind: html for kind, html in tables.items() if html},
        "figures": _figures(layout.captions(name)),
        "data": read_json(description) if description.exists() else None,
        "analysis": analysis,
    }


def _table(path: Path) -> Markup | None:
    """A table that `report.html` made, which escaped what comes from data."""
    return Markup(path.read_text(encoding="utf-8")) if path.exists() else None


def _figures(captions: Path) -> list[dict[str, Any]]:
    if not captions.exists():
        return []
    content = read_json(captions)
    prefix = f"figure-{content['dataset']}"
    return [
        {**words, "svg": _inlined(captions.with_name(f"{name}.svg"), f"{prefix}-{name}", label)}
        for words in content["figures"]
        for name, label in [(words["name"], words["alternative"])]
    ]


def _inlined(path: Path, prefix: str, label: str) -> Markup:
    """A figure that `report.figures` drew; names from data are text in it, which stays escaped."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    return Markup(inline_svg(text, prefix, label))


def _resource(name: str) -> str:
    return resources.files("arsm_l2r.report").joinpath(name).read_text("utf-8")
