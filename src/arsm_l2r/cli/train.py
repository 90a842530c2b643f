"""Train ARSM-L2R on a LETOR or SVMlight file and save the model."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options; the defaults are the paper's settings."""
    parser.add_argument("data", type=Path, help="training data")
    parser.add_argument("--model", type=Path, required=True, help="file to save the model to")
    parser.add_argument(
        "--vali", type=Path, help="validation data; without it the last epoch's weights are kept"
    )
    parser.add_argument("--epochs", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--learning-rate", type=float, default=1e-4, help="default: %(default)s")
    parser.add_argument("--levels", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--loss", default="ndcg@10", help="default: %(default)s")
    parser.add_argument("--estimator", default="arsm", help="default: %(default)s")
    parser.add_argument("--queries-per-batch", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--select-on", default="ndcg@10", help="default: %(default)s")
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
    from arsm_l2r.ranker import ARSMRanker

    check_output(arguments.model)
    check_output(arguments.history)
    train = ranking_data(parse_file(arguments.data).table)
    eval_set = None
    if arguments.vali:
        vali = ranking_data(parse_file(arguments.vali, features=train.features.shape[1]).table)
        eval_set = (vali.features, vali.labels, vali.group)
    ranker = ARSMRanker(
        epochs=arguments.epochs,
        learning_rate=arguments.learning_rate,
        levels=arguments.levels,
        loss=arguments.loss,
        estimator=arguments.estimator,
        queries_per_batch=arguments.queries_per_batch,
        select_on=arguments.select_on,
        patience=arguments.patience,
        seed=arguments.seed,
        threads=arguments.threads,
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
