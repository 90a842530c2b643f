"""The part of the report about the paper's claims: a page, and the same as Markdown."""

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from arsm_l2r import __version__
from arsm_l2r.experiments.provenance import code_fingerprint
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import read_json
from arsm_l2r.report.markdown import escaped
from arsm_l2r.report.svg import inline_svg


def load_claims(folder: Path) -> list[dict[str, Any]]:
    """What `build.write_claim` wrote, in the order of the report."""
    return [read_json(folder / f"{name}.json") for name in CLAIMS]


def claims_page(folder: Path, settings: Mapping[str, Any]) -> str:
    """The page, as HTML in one file that needs no other.

    Args:
        folder: with what `build.write_claim` wrote.
        settings: of the ablations.
    """
    claims = load_claims(folder)
    for claim in claims:
        text = (folder / f"{claim['name']}.svg").read_text(encoding="utf-8")
        alternative = claim["figure"]["alternative"]
        claim["svg"] = Markup(inline_svg(text, f"claim-{claim['name']}", alternative))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    package = resources.files("arsm_l2r.report")
    template = environment.from_string(
        package.joinpath("claims", "page.html.jinja").read_text("utf-8")
    )
    return template.render(
        css=Markup(package.joinpath("page.css").read_text("utf-8")),
        claims=claims,
        settings=[(key, json.dumps(value)) for key, value in settings.items()],
        version=__version__,
        code=code_fingerprint(),
    )


def claims_markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    """The claims as a section of a Markdown page, with the figures that lie beside it.

    Args:
        claims: as `load_claims` gives them.
    """
    lines = ["| claim | verdict |", "| --- | --- |"]
    lines += [f"| {escaped(claim['says'])} | **{claim['answer']}** |" for claim in claims]
    for claim in claims:
        answer, words = claim["answer"], claim["figure"]
        lines += [
            *("", f"### {claim['title']}", ""),
            *(f"*{escaped(claim['says'])}*", ""),
            *(f"**{answer[0].upper()}{answer[1:]}.**", ""),
            *(f"- {escaped(paragraph)}" for paragraph in claim["because"]),
            "",
            *(f"![{escaped(words['title'])}]({words['name']}.svg)", ""),
            escaped(words["caption"]),
        ]
    return "\n".join([*lines, ""])
