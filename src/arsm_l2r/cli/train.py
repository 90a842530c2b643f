"""Train ARSM-L2R on a LETOR or SVMlight file and save the model."""

import argparse
import sys
from pathlib import Path

SETTINGS = (
    "levels",
    "hidden",
    "loss",
    "estimator",
    "learning_rate",
    "epochs",
    "queries_per_batch",
    "select_on",
    "feature_scaling",
    "averaging",
    "patience",
    "seed",
    "threads",
)
"""The options that are settings of `ARSMRanker`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options; the defaults are those of `ARSMRanker`."""
    parser.add_argument("data", type=Path, help="training data")
    parser.add_argument("--model", type=Path, required=True, help="file to save the model to")
    parser.add_argument(
        "--vali", type=Path, help="validation data; without it the last epoch's weights are kept"
    )
    parser.add_argument("--epochs", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--learning-rate", type=float, default=1e-4, help="default: %(default)s")
    parser.add_argument("--levels", type=int, default=20, help="default: %(default)s")
    parser.add_argument(
        "--hidden", type=int, nargs="*", default=[500], help="units per layer; default: 500"
    )
    parser.add_argument("--loss", default="ndcg@10", help="default: %(default)s")
    parser.add_argument("--estimator", default="arsm", help="default: %(default)s")
    parser.add_argument("--queries-per-batch", type=int, default=16, help="default: %(default)s")
    parser.add_argument(
        "--select-on",
        default="mean",
        help="validation measure whose best epoch is kept; mean: of the five in the paper's "
        "tables (default)",
    )
    parser.add_argument(
        "--feature-scaling",
        default="none",
        help="standard: to mean 0 and variance 1, for features that are not scaled yet; "
        "quantile: by rank among the training documents; default: %(default)s",
    )
    parser.add_argument(
        "--averaging",
        type=float,
        default=0.0,
        help="decay of the moving average of weights over epochs; default: none",
    )
    parser.add_argument("--patience", type=int, help="epochs without improvement to stop after")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--threads", type=int, help="default: all cores")
    parser.add_argument("--history", type=Path, help="Parquet file for what each epoch measured")


def execute(arguments: argparse.Namespace) -> None:
    """Train, save, and say what came out."""
    from arsm_l2r.cli.outputs import check_output
    from arsm_l2r.errors import UserError
    from arsm_l2r.files import written_whole
    from arsm_l2r.letor.parse import parse_file
    from arsm_l2r.letor.store import ranking_data
    from arsm_l2r.rankers.arsm import ARSMRanker

    check_output(arguments.model)
    check_output(arguments.history)
    train = ranking_data(parse_file(arguments.data).table)
    eval_set = None
    if arguments.vali:
        vali = ranking_data(parse_file(arguments.vali, features=train.features.shape[1]).table)
        eval_set = (vali.features, vali.labels, vali.group)
    settings = {name: getattr(arguments, name) for name in SETTINGS}
    ranker = ARSMRanker(
        **{**settings, "hidden": tuple(arguments.hidden)},
        checkpoint=arguments.model.with_name(arguments.model.name + ".checkpoint"),
    )
    try:
        ranker.fit(train.features, train.labels, train.group, eval_set=eval_set)
    except (ValueError, NotImplementedError) as error:
        raise UserError(str(error)) from error
    ranker.save(arguments.model)
    Path(str(ranker.checkpoint)).unlink(missing_ok=True)
    if arguments.history:
        with written_whole(arguments.history) as temporary:
            ranker.history_.write_parquet(temporary)
    print(
        f"Saved {arguments.model}: weights of epoch {ranker.selected_epoch_} of "
        f"{ranker.epochs_done_}, {ranker.seconds_:.0f} s on {ranker.device_}",
        file=sys.stderr,
    )
