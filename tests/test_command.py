"""How command-line programs end: exit codes, messages, Ctrl-C, a reader that has gone."""

import subprocess
import sys

import pytest

from arsm_l2r.command import run
from arsm_l2r.errors import UserError, ValidationError

Captured = pytest.CaptureFixture[str]


def exit_code(main) -> int:
    with pytest.raises(SystemExit) as caught:
        run(main)
    return caught.value.code


def test_success_is_zero(capsys: Captured) -> None:
    assert exit_code(lambda: print("table")) == 0
    assert capsys.readouterr() == ("table\n", "")


@pytest.mark.parametrize("error", [UserError("a.txt: gone"), ValidationError("a", ["b"])])
def test_error_that_a_user_can_act_on_is_told_without_a_traceback(
    capsys: Captured, error: UserError
) -> None:
    def main() -> None:
        raise error

    assert exit_code(main) == 1
    assert capsys.readouterr() == ("", f"error: {error}\n")


def test_error_of_the_disk_names_the_file(capsys: Captured) -> None:
    def main() -> None:
        open("/absent/file")  # noqa: PTH123, SIM115

    assert exit_code(main) == 1
    assert capsys.readouterr().err == "error: /absent/file: No such file or directory\n"


def test_error_of_the_disk_that_names_no_file_is_told_as_it_is(capsys: Captured) -> None:
    def main() -> None:
        raise OSError("no locks here")

    assert exit_code(main) == 1
    assert capsys.readouterr().err == "error: no locks here\n"


def test_interruption_is_130_and_says_how_to_go_on(capsys: Captured) -> None:
    def main() -> None:
        raise KeyboardInterrupt

    assert exit_code(main) == 130
    assert "The same command goes on from here." in capsys.readouterr().err


def test_bug_keeps_its_traceback() -> None:
    def main() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(main)


def test_exit_code_of_the_argument_parser_is_kept() -> None:
    assert exit_code(lambda: sys.exit(2)) == 2


def test_reader_that_has_gone_is_no_error() -> None:
    program = "from arsm_l2r.command import run\nrun(lambda: print('line\\n' * 100_000))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "line\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0
