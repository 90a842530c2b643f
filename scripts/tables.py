#!/usr/bin/env python3
"""Make a table from what was analysed, as .tex, .html, .csv and .md, or a document of all.

python scripts/tables.py --table mq2007 --results results
"""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--table", required=True, help="its name, such as mq2007; tables: a document of all"
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder (default: %(default)s)"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.files import written_whole
    from arsm_l2r.report.latex import document
    from arsm_l2r.report.table_files import table_named, write_table

    plan = Plan.load(arguments.results)
    target = plan.layout.table(arguments.table, "tex")
    if arguments.table == "tables":
        with written_whole(target) as temporary:
            temporary.write_text(document(plan.tables), encoding="utf-8")
    else:
        write_table(table_named(arguments.table, plan), target.parent)


if __name__ == "__main__":
    run(main)
