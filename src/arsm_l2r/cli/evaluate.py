"""Measure scores against the labels of a file, or a TREC run against qrels."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

from arsm_l2r.cli.inputs import READ, add_reading, read_given

_CUTOFFS = (1, 3, 5, 10)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--data", type=Path, help=f"file with the labels: {READ}")
    add_reading(parser)
    parser.add_argument("--scores", type=Path, help="one number per line, in the data's order")
    parser.add_argument("--run", type=Path, help="TREC run, instead of --scores")
    parser.add_argument("--qrels", type=Path, help="TREC qrels, instead of --data")
    parser.add_argument(
        "--measures",
        nargs="+",
        metavar="NAME",
        help="what to measure, such as nDCG@10 AP RR P@5 R@10 ERR@10 (names of ir_measures, with "
        "our gains; default: NDCG and MAP)",
    )
    parser.add_argument(
        "--cutoffs",
        type=int,
        nargs="+",
        metavar="K",
        help="cut-offs of NDCG, instead of --measures (default: 1 3 5 10)",
    )
    parser.add_argument(
        "--relevant-from",
        type=int,
        default=1,
        metavar="LABEL",
        help="lowest label that MAP and others count as relevant (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def execute(arguments: argparse.Namespace) -> None:
    """Measure and print, in every convention."""
    from arsm_l2r.errors import UserError

    letor = (arguments.data, arguments.scores)
    trec = (arguments.run, arguments.qrels)
    if not (all(letor) and not any(trec)) and not (all(trec) and not any(letor)):
        raise UserError("give --data and --scores, or --run and --qrels")
    try:
        measures = _measures(arguments)
        measured = _of_run if arguments.run else _of_scores
        found = measured(arguments, measures)
    except ValueError as error:
        raise UserError(str(error)) from error
    if arguments.json:
        content = {**found.counts, "relevant_from": arguments.relevant_from, **found.means}
        print(json.dumps(content, indent=1))
    else:
        print(_table(found.means))
        print(f"\n{found.said}")
        print("\n".join([found.legend, *_definitions(measures, arguments.relevant_from)]))


@dataclass(frozen=True)
class _Found:
    """What is printed.

    Attributes:
        means: by convention and measure.
        counts: for JSON.
        said: the same as a sentence.
        legend: what the conventions are.
    """

    means: dict[str, dict[str, float]]
    counts: dict[str, int]
    said: str
    legend: str


def _measures(arguments: argparse.Namespace) -> list[str]:
    """Our names of what is asked for."""
    from arsm_l2r.errors import UserError
    from arsm_l2r.metrics import measure_by_name
    from arsm_l2r.metrics.ranking import checked_cutoffs

    if arguments.measures and arguments.cutoffs:
        raise UserError("--cutoffs is for the measures by default; write --measures nDCG@10 …")
    cutoffs = checked_cutoffs(arguments.cutoffs or _CUTOFFS)
    names = arguments.measures or [*(f"ndcg@{cutoff}" for cutoff in cutoffs), "map"]
    return list(dict.fromkeys(measure_by_name(name).name for name in names))


def _of_scores(arguments: argparse.Namespace, measures: list[str]) -> _Found:
    from arsm_l2r.metrics import CONVENTIONS, Judgements, evaluate, means
    from arsm_l2r.rankers.score_file import read_scores

    data = read_given(arguments, arguments.data)
    scores = read_scores(arguments.scores, len(data.labels))
    _check_relevant_from(data.path, arguments.relevant_from, int(data.labels.max()))
    judgements = Judgements(data.labels, data.group, relevant_from=arguments.relevant_from)
    found = {
        name: means(evaluate(scores, judgements, convention, measures))
        for name, convention in CONVENTIONS.items()
    }
    counts = {"queries": judgements.queries, "documents": len(data.labels)}
    said = f"{judgements.queries:,} queries, {len(data.labels):,} documents."
    return _Found(found, counts, said, _LETOR_LEGEND)


def _of_run(arguments: argparse.Namespace, measures: list[str]) -> _Found:
    from arsm_l2r.errors import UserError
    from arsm_l2r.letor.trec import read_qrels, read_run
    from arsm_l2r.metrics import evaluate_run, means

    run, qrels = read_run(arguments.run), read_qrels(arguments.qrels)
    if not run.keys() & qrels.keys():
        raise UserError(f"{arguments.run}: none of its queries is in {arguments.qrels}")
    highest = max(max(labels.values()) for labels in qrels.values())
    _check_relevant_from(arguments.qrels, arguments.relevant_from, highest)
    found = evaluate_run(run, qrels, measures, arguments.relevant_from)
    documents = sum(len(run[query]) for query in found.queries if query in run)
    counts = {
        "queries": len(found.queries),
        "documents": documents,
        "queries_not_in_run": len(found.not_in_run),
        "queries_not_judged": len(found.not_judged),
    }
    said = (
        f"{len(found.queries):,} queries of the qrels, {documents:,} documents of the run.\n"
        f"{len(found.not_in_run):,} of these queries have no document in the run, and count as 0.\n"
        f"{len(found.not_judged):,} queries of the run are not in the qrels, and are left out."
    )
    return _Found({"trec": means(found.values)}, counts, said, _TREC_LEGEND)


def _check_relevant_from(path: Path, relevant_from: int, highest: int) -> None:
    from arsm_l2r.errors import UserError

    if relevant_from > max(1, highest):
        raise UserError(
            f"{path}: --relevant-from {relevant_from}, but the highest label is {highest}"
        )


_LETOR_LEGEND = """\
letor: as LETOR's tools: discount 1, 1, 1/log2(rank); tied scores in file order; NDCG@k is 0
       for a query with fewer than k documents.
paper: discount 1/log2(1 + rank); tied scores averaged over their orders; shorter lists count.
A query without a relevant document counts as 0 in both."""

_TREC_LEGEND = """\
trec: as trec_eval ranks: by score, and tied scores by document, descending; the run's ranks are
      not used. Documents without judgement count as not relevant; judged ones that the run does
      not have count in what could be found. Discount of NDCG: 1/log2(1 + rank).
A query without a relevant document counts as 0."""


def _definitions(measures: list[str], relevant_from: int) -> list[str]:
    """What readers of the measures' names could take for something else."""
    from arsm_l2r.analysis.words import listed
    from arsm_l2r.metrics import measure_by_name

    every = [measure_by_name(name) for name in measures]
    lines = []
    binary = [each.title for each in every if each.kind.binary and each.relevant_from is None]
    if binary:
        count = "counts" if len(binary) == 1 else "count"
        lines.append(f"{listed(binary)} {count} labels from {relevant_from} as relevant.")
    if any("ndcg" in each.name for each in every):
        lines.append(
            "NDCG has gains 2^label - 1, as LETOR's: nDCG(dcg='exp-log2') of ir_measures, whose "
            "plain\nnDCG has the labels as gains."
        )
    if any(each.name.startswith("err@") for each in every):
        lines.append("ERR takes label 4 for the highest, as gdeval, whatever labels there are.")
    return lines


def _table(found: dict[str, dict[str, float]]) -> str:
    from arsm_l2r.metrics import measure_title

    names = list(next(iter(found.values())))
    heads = [measure_title(name) for name in names]
    widths = [max(len(head), 6) for head in heads]
    lines = ["".ljust(8) + "  ".join(h.rjust(w) for h, w in zip(heads, widths, strict=True))]
    for convention, values in found.items():
        cells = (f"{values[n]:.4f}".rjust(w) for n, w in zip(names, widths, strict=True))
        lines.append(convention.ljust(8) + "  ".join(cells))
    return "\n".join(lines)
