"""Score the documents of a file with a saved model, one score per line, or as a TREC run."""

import argparse
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arsm_l2r.cli.inputs import READ, ZERO_BASED, add_reading, read_given

if TYPE_CHECKING:
    import numpy as np

    from arsm_l2r.letor.own_files import OwnData
    from arsm_l2r.rankers.arsm import ARSMRanker

_TAG = "arsm-l2r"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("data", type=Path, help=f"{READ}; labels are not used, and may be missing")
    parser.add_argument("--model", type=Path, required=True, help="model saved by train")
    add_reading(parser)
    parser.add_argument("--output", type=Path, help="file for the scores (default: print them)")
    parser.add_argument(
        "--format",
        choices=("scores", "trec", "parquet"),
        help="scores: one number per line, in the data's order; trec: a run, lines 'qid Q0 docid "
        "rank score arsm-l2r'; parquet: a table of qid, docid, score, and label if there is one "
        "(default: parquet if --output ends in .parquet, scores otherwise)",
    )


def execute(arguments: argparse.Namespace) -> None:
    """Load, score, write."""
    from arsm_l2r.cli.outputs import check_output
    from arsm_l2r.errors import UserError
    from arsm_l2r.files import written_whole
    from arsm_l2r.rankers.arsm import ARSMRanker
    from arsm_l2r.rankers.score_file import format_scores

    output = arguments.output
    form = arguments.format
    if form is None:
        form = "parquet" if output and output.suffix == ".parquet" else "scores"
    if form == "parquet" and not output:
        raise UserError("--format parquet: a table is not printed; say where with --output")
    check_output(output)
    ranker = ARSMRanker.load(arguments.model)
    _number_alike(arguments, ranker)
    data = read_given(
        arguments, arguments.data, features=ranker.n_features_in_, labels_needed=False
    )
    try:
        scores = ranker.predict(_named(data, ranker))
    except ValueError as error:
        raise UserError(f"{data.path}: {error}") from error
    if form == "parquet":
        with written_whole(output) as temporary:
            data.scored(scores).write_parquet(temporary)
        return
    text = _run(data, scores) if form == "trec" else format_scores(scores)
    if output:
        with written_whole(output) as temporary:
            temporary.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _number_alike(arguments: argparse.Namespace, ranker: "ARSMRanker") -> None:
    """Let lines number their features as those did that the model learnt from, if that is known."""
    from arsm_l2r.errors import UserError

    learnt = ranker.choices_.get(ZERO_BASED)
    if learnt is None:
        return
    if arguments.zero_based not in (None, learnt):
        raise UserError(
            f"{arguments.model}: learnt from lines that number features from {int(not learnt)}; "
            f"leave out --{'' if arguments.zero_based else 'no-'}zero-based"
        )
    arguments.zero_based = learnt


def _named(data: "OwnData", ranker: "ARSMRanker") -> Any:
    """The features, by the names that the ranker learnt if they have none."""
    import polars as pl

    from arsm_l2r.errors import Advice

    names = list(getattr(ranker, "feature_names_in_", []))
    if data.feature_names is not None or not names:
        return data.frame
    shown = ", ".join(names if len(names) < 4 else [*names[:2], "…", names[-1]])
    warnings.warn(
        f"{data.path}: its features have no names; they are taken for {shown}, in this order, as "
        "the model learnt them",
        Advice,
        stacklevel=2,
    )
    return pl.DataFrame(data.features, schema=names)


def _run(data: "OwnData", scores: "np.ndarray") -> str:
    from arsm_l2r.errors import Advice, UserError
    from arsm_l2r.letor.trec import format_run

    docids = data.table["docid"]
    unnamed = docids.null_count()
    if unnamed:
        warnings.warn(
            f"{data.path}: {unnamed:,} documents have no docid; in the run they are called "
            "QUERY.PLACE, by their place among the documents of their query, from 1",
            Advice,
            stacklevel=2,
        )
    try:
        return format_run(data.table["qid"].to_list(), docids.to_list(), scores.tolist(), _TAG)
    except UserError as error:
        raise UserError(f"{data.path}: {error}") from error
