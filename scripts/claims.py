#!/usr/bin/env python3
"""Judge a claim of the paper by the ablations, or make the page of all claims."""

import argparse
import json
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_subparsers(metavar="what", required=True)

    judge = what.add_parser("judge", help="one claim: {claim}.json, .csv, .svg and .png")
    judge.add_argument("--claim", required=True, help="name, such as levels")
    judge.add_argument("--data", type=Path, nargs="+", required=True, help="data.json files")
    judge.add_argument("--methods", type=json.loads, required=True, help="their settings, as JSON")
    judge.add_argument("--results", type=Path, required=True, help="folder of the results")
    judge.set_defaults(make=make_claim)

    page = what.add_parser("page", help="claims.html and claims.md in the folder of the claims")
    page.set_defaults(make=make_page)

    for each in (judge, page):
        each.add_argument("--ablations", type=json.loads, required=True, help="settings, as JSON")
        each.add_argument("--output", type=Path, required=True, help="folder of the claims")
    arguments = parser.parse_args()
    arguments.make(arguments)


def make_claim(arguments: argparse.Namespace) -> None:
    from arsm_l2r.files import read_json
    from arsm_l2r.report.claims.build import Sources, write_claim

    sources = Sources(
        arguments.results,
        [read_json(path) for path in arguments.data],
        arguments.ablations,
        arguments.methods,
    )
    write_claim(arguments.claim, sources, arguments.output)


def make_page(arguments: argparse.Namespace) -> None:
    from arsm_l2r.files import written_whole
    from arsm_l2r.report.claims.page import claims_markdown, claims_page, load_claims

    made = {
        "claims.html": claims_page(arguments.output, arguments.ablations),
        "claims.md": claims_markdown(load_claims(arguments.output)),
    }
    for name, text in made.items():
        with written_whole(arguments.output / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run(main)
