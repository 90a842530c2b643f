"""Other users of the machine can prepare the place of the lock files; they gain nothing by it."""

import os
from pathlib import Path

import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.gpu_locks import least_busy

GPUS = ["0", "1"]
STRANGER = 4242

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file of this user that a link leads to."""
    path = tmp_path / "precious"
    path.write_text("years of work")
    return path


def refusal(folder: Path) -> str:
    with pytest.raises(UserError) as error, least_busy(GPUS, folder):
        pass
    return str(error.value)


def test_the_folder_is_this_users_alone(tmp_path: Path) -> None:
    with least_busy(GPUS, tmp_path / "locks"):
        assert (tmp_path / "locks").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "locks/0.0").stat().st_mode & 0o777 == 0o600


@as_root
@pytest.mark.parametrize("mode", [0o700, 0o755, 0o777])
def test_another_users_folder_is_an_error_that_says_whose(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "locks"
    folder.mkdir()
    os.chown(folder, STRANGER, STRANGER)
    folder.chmod(mode)
    said = refusal(folder)
    assert f"{folder}: the folder for locks of GPUs belongs to user {STRANGER}, not to" in said
    assert "remove it, or set TMPDIR to a folder of your own" in said
    assert not list(folder.iterdir())


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_an_error(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "locks"
    folder.mkdir()
    folder.chmod(mode)
    assert f"{folder}: others may write" in refusal(folder)
    assert f"(mode {mode:o})" in refusal(folder)
    assert not list(folder.iterdir())


def test_a_link_is_no_folder(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "locks"
    for target in (elsewhere, tmp_path / "nowhere"):
        elsewhere.mkdir(mode=0o700, exist_ok=True)
        folder.unlink(missing_ok=True)
        folder.symlink_to(target)
        assert f"{folder}: a link, or no folder" in refusal(folder)
    assert not list(elsewhere.iterdir())


def test_a_file_is_no_folder(precious: Path) -> None:
    assert f"{precious}: a link, or no folder" in refusal(precious)
    assert precious.read_text() == "years of work"


def test_a_lock_file_that_is_a_link_is_an_error_and_its_target_stays(
    tmp_path: Path, precious: Path
) -> None:
    folder = tmp_path / "locks"
    folder.mkdir(mode=0o700)
    (folder / "0.0").symlink_to(precious)
    assert f"{folder / '0.0'}: no lock file: a link; remove it" in refusal(folder)
    assert precious.read_text() == "years of work"


def test_a_dangling_link_makes_no_file_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "locks"
    folder.mkdir(mode=0o700)
    (folder / "0.0").symlink_to(tmp_path / "made")
    refusal(folder)
    assert not (tmp_path / "made").exists()


def test_what_a_lock_file_holds_stays(tmp_path: Path, precious: Path) -> None:
    folder = tmp_path / "locks"
    folder.mkdir(mode=0o700)
    (folder / "0.0").hardlink_to(precious)
    with least_busy(GPUS, folder) as taken:
        assert taken == "0"
    assert precious.read_text() == "years of work"


def test_no_name_of_a_gpu_leads_out_of_the_folder(tmp_path: Path) -> None:
    names = ["../outside", "MIG-GPU-1/0/0"]
    locks = tmp_path / "locks"
    with least_busy(names, locks) as first, least_busy(names, locks) as second:
        assert [first, second] == names
    assert list(tmp_path.iterdir()) == [locks]
    assert len(list(locks.iterdir())) == 2


def test_a_folder_that_cannot_be_made_is_said(precious: Path) -> None:
    assert f"{precious / 'locks'}: cannot be made a folder" in refusal(precious / "locks")
