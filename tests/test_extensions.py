"""A user's Python files are imported once, and errors in them are told without a traceback."""

from pathlib import Path

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.extensions import load_extensions
from arsm_l2r.losses import loss_by_name
from arsm_l2r.losses.loss import LOSSES

from .registries import forget_what_is_added

LOSS = """\
from arsm_l2r.losses import ZeroOneLoss


class Mine(ZeroOneLoss):
    name = "mine"
"""


@pytest.fixture(autouse=True)
def _forget_losses_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_what_is_added(LOSSES, monkeypatch)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_what_a_file_defines_is_found(tmp_path: Path) -> None:
    (module,) = load_extensions([written(tmp_path / "my-loss.py", LOSS)])
    assert type(loss_by_name("mine")) is module.Mine


def test_file_is_imported_once_whatever_path_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "my_loss.py", LOSS)
    monkeypatch.chdir(tmp_path)
    first, second, third = load_extensions([path, Path("my_loss.py"), tmp_path / "." / path.name])
    assert first is second is third


def test_files_of_one_name_in_two_folders_are_two_modules(tmp_path: Path) -> None:
    paths = [written(tmp_path / folder / "my.py", f"WHERE = {folder!r}") for folder in "ab"]
    assert [module.WHERE for module in load_extensions(paths)] == ["a", "b"]


def test_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^extensions: there is no file .*none.py$"):
        load_extensions([tmp_path / "none.py"])


def test_file_that_is_no_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"my.txt is no Python file: its name must end in .py"):
        load_extensions([written(tmp_path / "my.txt", LOSS)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = = 2\n", r"my.py:2: invalid syntax"),
        ("x = 1\n\nnone()\n", r"my.py:3: NameError: name 'none' is not defined"),
        ("import nothing_like_this\n", r"my.py:1: ModuleNotFoundError: .*nothing_like_this"),
        (LOSS.replace("mine", "ndcg"), r"my.py:4: there are two definitions of the loss 'ndcg': "),
        (LOSS.replace("mine", "My Loss"), r"my.py:4: 'My Loss' cannot be the name of a loss"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path / "my.py", text)
    for _ in range(2):  # a file that failed is tried again
        with pytest.raises(ConfigError, match=message):
            load_extensions([path])


def test_two_files_that_define_the_same_are_both_named(tmp_path: Path) -> None:
    paths = [written(tmp_path / folder / "my.py", LOSS) for folder in "ab"]
    with pytest.raises(ConfigError, match=r"Mine in .*a/my.py and Mine in .*b/my.py; give one"):
        load_extensions(paths)
