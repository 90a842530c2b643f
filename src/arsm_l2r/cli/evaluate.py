"""Measure a score file against the labels of a LETOR, SVMlight or Parquet file."""

import argparse
import json
from pathlib import Path

from arsm_l2r.cli.inputs import READ, add_reading, read_given


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--data", type=Path, required=True, help=f"file with the labels: {READ}")
    add_reading(parser)
    parser.add_argument(
        "--scores", type=Path, required=True, help="one number per line, in the data's order"
    )
    parser.add_argument(
        "--cutoffs",
        type=int,
        nargs="+",
        default=[1, 3, 5, 10],
        metavar="K",
        help="cut-offs of NDCG (default: 1 3 5 10)",
    )
    parser.add_argument(
        "--relevant-from",
        type=int,
        default=1,
        metavar="LABEL",
        help="lowest label that MAP counts as relevant (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def execute(arguments: argparse.Namespace) -> None:
    """Measure and print, in every convention."""
    from arsm_l2r.errors import UserError
    from arsm_l2r.metrics import CONVENTIONS, Judgements, evaluate, means
    from arsm_l2r.metrics.ranking import checked_cutoffs
    from arsm_l2r.rankers.score_file import read_scores

    data = read_given(arguments, arguments.data)
    scores = read_scores(arguments.scores, len(data.labels))
    relevant_from = arguments.relevant_from
    if relevant_from > max(1, data.labels.max()):
        raise UserError(
            f"{data.path}: --relevant-from {relevant_from}, but the highest label is "
            f"{data.labels.max()}"
        )
    try:
        judgements = Judgements(data.labels, data.group, relevant_from=relevant_from)
        cutoffs = checked_cutoffs(arguments.cutoffs)
        measures = [*(f"ndcg@{cutoff}" for cutoff in cutoffs), "map"]
        found = {
            name: means(evaluate(scores, judgements, convention, measures))
            for name, convention in CONVENTIONS.items()
        }
    except ValueError as error:
        raise UserError(str(error)) from error
    if arguments.json:
        counts = {"queries": judgements.queries, "documents": len(data.labels)}
        print(json.dumps({**counts, "relevant_from": relevant_from, **found}, indent=1))
    else:
        print(_table(found))
        print(f"\n{judgements.queries:,} queries, {len(data.labels):,} documents.")
        print(_LEGEND.format(relevant_from=relevant_from))


_LEGEND = """\
letor: as LETOR's tools: discount 1, 1, 1/log2(rank); tied scores in file order; NDCG@k is 0
       for a query with fewer than k documents.
paper: discount 1/log2(1 + rank); tied scores averaged over their orders; shorter lists count.
MAP counts labels from {relevant_from} as relevant.
A query without a relevant document counts as 0 in both."""


def _table(found: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(found.values())))
    heads = [name.upper() for name in names]
    widths = [max(len(head), 6) for head in heads]
    lines = ["".ljust(8) + "  ".join(h.rjust(w) for h, w in zip(heads, widths, strict=True))]
    for convention, values in found.items():
        cells = (f"{values[n]:.4f}".rjust(w) for n, w in zip(names, widths, strict=True))
        lines.append(convention.ljust(8) + "  ".join(cells))
    return "\n".join(lines)
