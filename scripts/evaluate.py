#!/usr/bin/env python3
"""Measure the validation and test scores of one run, per query and on average."""

import argparse
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=Path, required=True, help="folder that prepare.py filled")
    parser.add_argument("--dataset", help="its data set: parts of another are refused")
    parser.add_argument("--fold", type=int, required=True, help="number of the fold, from 1")
    parser.add_argument("--vali-scores", type=Path, required=True, help="one number per line")
    parser.add_argument("--test-scores", type=Path, required=True, help="one number per line")
    parser.add_argument("--measures", type=Path, required=True, help="Parquet file to write")
    parser.add_argument("--summary", type=Path, required=True, help="JSON file to write")
    parser.add_argument(
        "--relevant-from",
        type=int,
        default=1,
        metavar="LABEL",
        help="lowest label that MAP, precision and reciprocal rank count as relevant (default: 1)",
    )
    parser.add_argument(
        "--also", nargs="*", default=[], help="measures besides those of the paper, such as rr"
    )
    parser.add_argument(
        "--extensions", type=Path, nargs="*", default=[], help="Python files to load first"
    )
    arguments = parser.parse_args()

    import polars as pl

    from arsm_l2r.experiments.results import per_query_measures, summary
    from arsm_l2r.extensions import load_extensions
    from arsm_l2r.files import write_json, written_whole
    from arsm_l2r.letor.store import read_judged
    from arsm_l2r.metrics import PAPER_MEASURES
    from arsm_l2r.rankers.score_file import read_scores

    load_extensions(arguments.extensions)
    wanted = [*PAPER_MEASURES, *arguments.also]
    vali, test = read_judged(arguments.parts, arguments.fold, arguments.dataset)
    tables = []
    for split, data, path in (
        ("vali", vali, arguments.vali_scores),
        ("test", test, arguments.test_scores),
    ):
        scores = read_scores(path, len(data.labels))
        tables.append(per_query_measures(scores, data, split, wanted, arguments.relevant_from))
    measures = pl.concat(tables)
    with written_whole(arguments.measures) as temporary:
        measures.write_parquet(temporary)
    other = {} if arguments.relevant_from == 1 else {"relevant_from": arguments.relevant_from}
    write_json(arguments.summary, {**other, **summary(measures, wanted)})


if __name__ == "__main__":
    run(main)
