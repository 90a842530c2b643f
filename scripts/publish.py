#!/usr/bin/env python3
"""Publish complete results: folds, values and rankings of queries, analyses, tables, figures, page.

    python scripts/publish.py --results results --output docs/reproduction

Searches and experiments may come later, from runs of the same commit; until then, those that were
published before stay with --keep:

    python scripts/publish.py --keep
    python scripts/publish.py --studies

Or make anew whatever can be made from what is published, such as tables whose notes have changed:
analyses, tables, figures of both, the claims that they decide, and the page. It needs nothing but
the folder.

    python scripts/publish.py --again docs/reproduction
    python tools/generated.py --fix

The last command, after any of these, makes the answer in short from it, and puts that and the
tables into the pages that show them.
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run, use_threads
from arsm_l2r.experiments.layout import DataFiles


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="default: %(default)s"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("docs/reproduction"), help="default: %(default)s"
    )
    parser.add_argument("--data", type=Path, default=DataFiles().root, help="default: %(default)s")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--again", type=Path, nargs="+", metavar="FOLDER", help="published, to be made anew"
    )
    ways.add_argument(
        "--keep",
        action="store_true",
        help="let searches and experiments stay that these results don't have",
    )
    ways.add_argument(
        "--studies",
        action="store_true",
        help="only the finished searches and experiments of these results, beside the folds that "
        "the same commit trained; everything else stays",
    )
    arguments = parser.parse_args()
    use_threads(1)  # the products of tests are too small to share

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.report.publish import publish, publish_again, publish_studies

    if arguments.again:
        for folder in arguments.again:
            publish_again(folder)
            print(f"Made {folder} anew")
        return
    plan = Plan.load(arguments.results)
    if arguments.studies:
        names = publish_studies(plan, arguments.output)
        print(f"Published in {arguments.output}: {', '.join(names)}")
        return
    publish(plan, arguments.output, DataFiles(arguments.data), keep=arguments.keep)
    print(f"Published in {arguments.output}")


if __name__ == "__main__":
    run(main)
