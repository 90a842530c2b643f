import os
import subprocess
import sys
from pathlib import Path

import pytest

import arsm_l2r

from .conftest import Command

COMMANDS = ["train", "rank", "evaluate", "export", "check"]


def test_help_names_every_command_and_what_it_does(command: Command) -> None:
    done = command("--help")
    assert done.code == 0
    assert done.err == ""
    for name, text in {
        "train": "save the model",
        "rank": "Score the documents",
        "evaluate": "Measure scores",
        "export": "Write a saved model as ONNX",
        "check": "say what it holds",
    }.items():
        assert f" {name} " in done.out
        assert text in " ".join(done.out.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(command: Command, name: str) -> None:
    done = command(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: arsm-l2r {name} ")


def test_version_is_that_of_the_package(command: Command) -> None:
    done = command("--version")
    assert (done.code, done.out) == (0, f"arsm-l2r {arsm_l2r.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: command"),
        (("learn",), "invalid choice: 'learn'"),
        (("train", "data.txt"), "the following arguments are required: --model"),
        (("train", "data.txt", "--model", "m", "--epochs", "many"), "invalid int value: 'many'"),
        (("check", "data.txt", "--jsonn"), "unrecognized arguments: --jsonn"),
    ],
)
def test_wrong_arguments_end_with_2_and_usage_on_standard_error(
    command: Command, arguments: tuple[str, ...], message: str
) -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: arsm-l2r")
    assert message in done.err


HEAVY = {"polars", "sklearn", "scipy"}
NEVER = {"tensorflow", "pandera"}


@pytest.mark.parametrize(
    ("arguments", "code", "unwanted"),
    [
        (["--help"], 0, HEAVY | NEVER),
        (["learn"], 2, HEAVY | NEVER),
        (["rank", "--help"], 0, HEAVY | NEVER),
        # Its options are the ranker's settings.
        (["train", "--help"], 0, NEVER),
        (["train", "--epochs", "x"], 2, NEVER),
    ],
    ids=["--help", "learn", "rank --help", "train --help", "train --epochs x"],
)
def test_help_and_wrong_arguments_wait_for_no_library(
    arguments: list[str], code: int, unwanted: set[str]
) -> None:
    program = (
        "import sys\n"
        "from arsm_l2r.cli import main\n"
        f"sys.argv = ['arsm-l2r', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as ending:\n"
        f"    assert ending.code == {code}, ending.code\n"
        f"loaded = {unwanted!r} & sys.modules.keys()\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["train", "evaluate"])
def test_help_of_the_scripts_waits_for_no_tensorflow(name: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / f"{name}.py"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", str(script), "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "usage:" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "argparse" in loaded
    assert not loaded & {"tensorflow", "polars", "sklearn"}


def test_installed_command_is_the_same(command: Command) -> None:
    installed = Path(sys.executable).with_name("arsm-l2r")
    done = subprocess.run([installed, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, command("--version").out)


def test_help_of_training_describes_every_loss_and_estimator_and_has_every_setting(
    command: Command,
) -> None:
    from arsm_l2r.estimators import estimator_descriptions
    from arsm_l2r.losses import loss_descriptions

    shown = command("train", "--help").out
    words = " ".join(shown.split())
    for name, text in {**loss_descriptions(), **estimator_descriptions()}.items():
        assert f" {name} {text}" in words
    for name in set(arsm_l2r.ARSMRanker().get_params()) - {"checkpoint"}:
        assert f"  --{name.replace('_', '-')} " in shown


def test_help_of_training_can_be_printed_where_only_ascii_can() -> None:
    program = (
        "import sys; from arsm_l2r.cli import main; sys.argv = ['arsm-l2r', 'train', '-h']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"estimators:" in done.stdout
