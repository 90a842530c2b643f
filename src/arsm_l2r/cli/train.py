"""Train ARSM-L2R on a LETOR, SVMlight or Parquet file and save the model."""

import argparse
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from arsm_l2r.cli.inputs import READ, ZERO_BASED, add_reading, read_given

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from arsm_l2r.letor.own_files import OwnData
    from arsm_l2r.rankers.arsm import ARSMRanker

_GIVEN = "checkpoint"
"""The one setting that is no option: it goes with the model."""

_NAME_WIDTH = 22
"""Of the column of names in lists."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: its files, and every setting of `ARSMRanker`."""
    from arsm_l2r.declared import declared
    from arsm_l2r.estimators import estimator_descriptions
    from arsm_l2r.losses import loss_descriptions
    from arsm_l2r.rankers.arsm import PAPER_SETTINGS, ARSMRanker

    parser.add_argument("data", type=Path, help=f"training data: {READ}")
    parser.add_argument("--model", type=Path, required=True, help="file to save the model to")
    parser.add_argument(
        "--vali", type=Path, help="validation data; without it the last epoch's weights are kept"
    )
    add_reading(parser)
    parser.add_argument("--history", type=Path, help="Parquet file for what each epoch measured")
    parser.add_argument(
        "--preset",
        choices=("best", "paper"),
        default="best",
        help="what settings are that are not given: the best known (the defaults below), or the "
        f"paper's ({_changed(PAPER_SETTINGS)})",
    )
    settings = parser.add_argument_group("settings")
    for name, field in declared(ARSMRanker).items():
        if name != _GIVEN:
            settings.add_argument(f"--{name.replace('_', '-')}", **_option(field))
    # Lists of names are not to be filled up to paragraphs.
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    lists = {"losses": loss_descriptions(), "estimators": estimator_descriptions()}
    parser.epilog = "\n\n".join(_listed(*each) for each in lists.items())


def _listed(title: str, descriptions: dict[str, str]) -> str:
    """Names and what each is, in two columns; letters that cannot be printed as `?`."""
    encoding = sys.stdout.encoding or "utf-8"
    lines = []
    for name, text in descriptions.items():
        first = f"  {name:<{_NAME_WIDTH}}"
        lines += textwrap.wrap(text, 79, initial_indent=first, subsequent_indent=" " * len(first))
    return "\n".join([f"{title}:", *lines]).encode(encoding, "replace").decode(encoding)


def _option(field: "FieldInfo") -> dict[str, Any]:
    """How a setting is given on the command line."""
    from arsm_l2r.declared import OneOf
    from arsm_l2r.settings import bare

    kind, default = bare(field.annotation), field.default
    listed = next((each for each in field.metadata if isinstance(each, OneOf)), None)
    names = listed.names() if listed else get_args(kind) if get_origin(kind) is Literal else ()
    said = [str(field.description)]
    if names:
        said.append(f"One of {', '.join(names)}.")
    if default is not None:
        shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
        said.append(f"Default: {shown}.")
    several = {"nargs": "*", "type": int} if get_origin(kind) is tuple else {}
    number = {"type": kind} if kind in (int, float) else {}
    text = " ".join(said).replace("`", "").replace("%", "%%")
    return {"default": argparse.SUPPRESS, "help": text, "metavar": "X", **number, **several}


def _changed(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', '-')} {value}" for name, value in settings.items())


def execute(arguments: argparse.Namespace) -> None:
    """Train, save, and say what came out."""
    from arsm_l2r.cli.outputs import check_output
    from arsm_l2r.declared import check_declared, declared
    from arsm_l2r.errors import UserError
    from arsm_l2r.files import written_whole
    from arsm_l2r.letor.contents import STANDARD_INPUT
    from arsm_l2r.locks import alone
    from arsm_l2r.rankers.arsm import ARSMRanker
    from arsm_l2r.training.cluster import leads

    checkpoint = arguments.model.with_name(arguments.model.name + ".checkpoint")
    given = {name: value for name, value in vars(arguments).items() if name in declared(ARSMRanker)}
    settings: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
    preset = ARSMRanker.paper if arguments.preset == "paper" else ARSMRanker
    ranker = preset(**settings, **{_GIVEN: checkpoint})
    try:
        check_declared(ranker)
    except ValueError as error:
        raise UserError(str(error)) from error
    check_output(arguments.model)
    check_output(arguments.history)
    if arguments.data == arguments.vali == STANDARD_INPUT:
        raise UserError("standard input cannot be both the training and the validation data")
    train = read_given(arguments, arguments.data)
    eval_set = None
    if arguments.vali:
        vali = _validation_data(arguments, train)
        eval_set = (vali.frame, vali.labels, vali.group)
    if not leads(ranker.workers):  # another process of this training writes
        _fit(ranker, train, eval_set, verbose=False)
        return
    with alone(checkpoint, "train"):
        _fit(ranker, train, eval_set)
        if train.feature_names is None:
            ranker.choices_[ZERO_BASED] = train.zero_based
        ranker.save(arguments.model)
        checkpoint.unlink(missing_ok=True)
    if arguments.history:
        with written_whole(arguments.history) as temporary:
            ranker.history_.write_parquet(temporary)
    print(
        f"Saved {arguments.model}: weights of epoch {ranker.selected_epoch_} of "
        f"{ranker.epochs_done_}, {ranker.seconds_:.0f} s on {ranker.device_}",
        file=sys.stderr,
    )


def _fit(ranker: "ARSMRanker", train: "OwnData", eval_set: Any, *, verbose: bool = True) -> None:
    from arsm_l2r.errors import UserError

    try:
        ranker.fit(train.frame, train.labels, train.group, eval_set=eval_set, verbose=verbose)
    except (ValueError, NotImplementedError) as error:
        raise UserError(str(error)) from error


def _validation_data(arguments: argparse.Namespace, train: "OwnData") -> "OwnData":
    """Read `--vali`, with the features that the training data have, numbered alike."""
    from arsm_l2r.errors import UserError

    arguments.zero_based = train.zero_based or arguments.zero_based
    vali = read_given(arguments, arguments.vali, features=train.features.shape[1])
    if vali.zero_based and not train.zero_based and train.feature_names is None:
        raise UserError(
            f"{vali.path}: its features are numbered from 0, those of {train.path} seem to be "
            "numbered from 1; if both are numbered from 0, say --zero-based"
        )
    return vali
