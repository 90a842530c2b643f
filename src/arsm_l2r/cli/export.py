"""Write a saved model as ONNX or as TensorFlow's SavedModel, to be used without this project."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--model", type=Path, required=True, help="model saved by train")
    parser.add_argument(
        "--onnx",
        type=Path,
        metavar="FILE",
        help="ONNX file to write, from features (documents, P) to scores (documents,)",
    )
    parser.add_argument(
        "--saved-model",
        type=Path,
        metavar="FOLDER",
        help="folder to write as a SavedModel; new, empty, or an earlier SavedModel, which is "
        "replaced",
    )


def execute(arguments: argparse.Namespace) -> None:
    """Load, write, and say what was written."""
    from arsm_l2r.cli.outputs import check_output
    from arsm_l2r.errors import UserError
    from arsm_l2r.rankers.arsm import ARSMRanker

    if not (arguments.onnx or arguments.saved_model):
        raise UserError("nothing to write: name a file with --onnx, or a folder with --saved-model")
    check_output(arguments.onnx)
    ranker = ARSMRanker.load(arguments.model)
    if arguments.onnx:
        ranker.export_onnx(arguments.onnx)
        _say(arguments.onnx, ranker.n_features_in_)
    if arguments.saved_model:
        ranker.export_saved_model(arguments.saved_model)
        _say(arguments.saved_model, ranker.n_features_in_)


def _say(path: Path, features: int) -> None:
    print(f"Saved {path}: from {features} features, as they are, to scores", file=sys.stderr)
