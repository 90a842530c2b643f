"""Score the documents of a file with a saved model, one score per line."""

import argparse
import sys
from pathlib import Path

from arsm_l2r.cli.inputs import add_sparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("data", type=Path, help="LETOR or SVMlight file; its labels are not used")
    parser.add_argument("--model", type=Path, required=True, help="model saved by train")
    add_sparse(parser)
    parser.add_argument("--output", type=Path, help="file for the scores (default: print them)")


def execute(arguments: argparse.Namespace) -> None:
    """Load, score, write."""
    from arsm_l2r.cli.outputs import check_output
    from arsm_l2r.errors import UserError
    from arsm_l2r.letor.parse import parse_file
    from arsm_l2r.letor.store import ranking_data
    from arsm_l2r.rankers.arsm import ARSMRanker
    from arsm_l2r.rankers.score_file import format_scores, write_scores

    check_output(arguments.output)
    ranker = ARSMRanker.load(arguments.model)
    table = parse_file(
        arguments.data, features=ranker.n_features_in_, sparse=arguments.sparse
    ).table
    try:
        scores = ranker.predict(ranking_data(table).features)
    except ValueError as error:
        raise UserError(f"{arguments.data}: {error}") from error
    if arguments.output:
        write_scores(arguments.output, scores)
    else:
        sys.stdout.write(format_scores(scores))
