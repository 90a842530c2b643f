"""Make the files that are made from others, or check that they are what they should be.

    python tools/generated.py [--fix]

The reference of settings in config/README.md and the schema of the configuration come from the
models in src/arsm_l2r, the table of further collections from the catalogue and what jobs ask for,
the answer in short, docs/summary, from everything that is published; what pages include from the
files that they name.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import yaml
from includes import ROOT, default_pages, with_includes

from arsm_l2r.experiments.collections import collections_table
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.reference import configuration_schema, settings_reference

SUMMARY = ROOT / "docs" / "summary"
REFERENCE = ROOT / "config" / "README.md"
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"
COLLECTIONS = ROOT / "benchmarks" / "figures" / "collections.md"
_BEGIN = "<!-- the following is made by tools/generated.py -->\n"


def _reference() -> str:
    written, found, _ = REFERENCE.read_text(encoding="utf-8").partition(_BEGIN)
    if not found:
        sys.exit(f"{REFERENCE}: no line {_BEGIN.strip()!r}")
    return f"{written}{_BEGIN}\n{settings_reference()}"


def _schema() -> str:
    content = yaml.safe_dump(configuration_schema(), sort_keys=False, allow_unicode=True, width=96)
    return "# Made by tools/generated.py; nothing reads it but editors.\n" + content


def _summary() -> dict[str, str]:
    from arsm_l2r.report.summary import summary_files

    return summary_files(Plan.load(ROOT / "docs" / "reproduction", ROOT))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="write what is stale")
    arguments = parser.parse_args()
    made: dict[Path, Callable[[], str]] = {
        REFERENCE: _reference,
        SCHEMA: _schema,
        COLLECTIONS: lambda: collections_table(ROOT),
    }
    made |= {SUMMARY / name: lambda text=text: text for name, text in _summary().items()}
    made |= {page: lambda page=page: with_includes(page) for page in default_pages()}
    stale = []
    for path, make in made.items():
        fresh = make()
        if not path.exists() or path.read_text(encoding="utf-8") != fresh:
            stale.append(path.relative_to(ROOT).as_posix())
            if arguments.fix:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(fresh, encoding="utf-8")
    if stale:
        print(f"{'Updated' if arguments.fix else 'Stale'}: {', '.join(stale)}")
    if stale and not arguments.fix:
        sys.exit("run: python tools/generated.py --fix")


if __name__ == "__main__":
    main()
