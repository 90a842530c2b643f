#!/usr/bin/env python3
"""Publish complete results: fold results, values of queries, tables, figures, report.

python scripts/publish.py --results results --output docs/reproduction
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, help="default: that of the configuration")
    parser.add_argument(
        "--output", type=Path, default=Path("docs/reproduction"), help="default: %(default)s"
    )
    parser.add_argument(
        "--configfile", type=Path, nargs="*", default=[], help="that override config/config.yaml"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.status import load_settings
    from arsm_l2r.report.publish import publish

    settings = load_settings(Path(), arguments.configfile)
    publish(
        arguments.results or Path(settings["pathvars"]["results"]),
        arguments.output,
        settings["datasets"],
        {name: own for name, own in settings["methods"].items() if own is not None},
        settings["seeds"],
    )
    print(f"Published in {arguments.output}")


if __name__ == "__main__":
    run(main)
