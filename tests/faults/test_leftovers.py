"""What killed jobs leave, and jobs that live on when their workflow was killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arsm_l2r.cli.outputs import check_output
from arsm_l2r.errors import UserError
from arsm_l2r.files import temporary_folder, write_json, written_whole
from arsm_l2r.locks import alone

WRITES = """
import sys, time
from pathlib import Path
from arsm_l2r.files import temporary_folder, written_whole
target = Path(sys.argv[1])
with written_whole(target) as temporary, temporary_folder(target.with_name("text")) as folder:
    temporary.write_text("half")
    (folder / "half.txt").write_text("half")
    print("writing", flush=True)
    time.sleep(600)
"""

WORKS = """
import sys, time
from pathlib import Path
from arsm_l2r.locks import alone
with alone(Path(sys.argv[1]), "train", pause=0.01):
    print("working", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline(), process.stderr.read() if process.stderr else ""
    return process


def age(folder: Path) -> list[str]:
    """Let an hour go by for all that lies in a folder; their names."""
    for path in folder.iterdir():
        os.utime(path, (time.time() - 3600,) * 2)
    return sorted(path.name for path in folder.iterdir())


def write(folder: Path) -> None:
    write_json(folder / "a.json", {})
    with temporary_folder(folder / "text"):
        pass


def test_leftovers_of_a_killed_process_go_with_the_next_write(tmp_path: Path) -> None:
    process = started(WRITES, tmp_path / "a.json")
    process.kill()
    process.communicate()
    assert len(age(tmp_path)) == 2
    write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_what_a_living_process_writes_stays_however_old(tmp_path: Path) -> None:
    process = started(WRITES, tmp_path / "a.json")
    before = age(tmp_path)
    write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "a.json"])
    process.kill()
    process.communicate()


def test_what_is_fresh_stays_for_its_owner_may_be_about_to_lock_it(tmp_path: Path) -> None:
    (tmp_path / ".a.json-0123456789abcdef").touch()
    write(tmp_path)
    assert (tmp_path / ".a.json-0123456789abcdef").exists()


def test_hidden_files_of_the_user_with_a_like_name_stay(tmp_path: Path) -> None:
    for name in (".a.json-backup", ".a.json-0123456789abcdef0", ".a.json-0123456789ABCDEF"):
        (tmp_path / name).write_text("precious")
    (tmp_path / ".text-old" / "inside").mkdir(parents=True)
    before = age(tmp_path)
    write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "a.json"])


def test_a_pipe_among_the_leftovers_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".a.json-0123456789abcdef")
    age(tmp_path)
    write(tmp_path)
    assert (tmp_path / "a.json").exists()


def test_a_pipe_or_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    with pytest.raises(UserError, match=r"a\.json: cannot be written: a device or a pipe"):
        write_json(tmp_path / "a.json", {})
    with pytest.raises(UserError, match=r"a\.json: is a device or a pipe, not a file to write"):
        check_output(tmp_path / "a.json")
    assert (tmp_path / "a.json").is_fifo()


def test_files_of_others_and_links_stay(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / ".b.json-0123456789abcdef").touch()
    (tmp_path / ".a.json-0123456789abcdef").symlink_to(tmp_path / "precious")
    age(tmp_path)
    write(tmp_path)
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / ".b.json-0123456789abcdef").exists()


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_umask_is_respected(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        with written_whole(tmp_path / "a.txt") as temporary:
            temporary.write_text("whole")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == mode


def test_the_second_of_two_at_the_same_work_waits_and_says_so(tmp_path: Path) -> None:
    first = started(WORKS, tmp_path / "state", 600)
    second = subprocess.Popen(
        [sys.executable, "-c", WORKS, str(tmp_path / "state"), "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert second.stderr is not None
    said = second.stderr.readline()
    assert said.startswith(f"process {first.pid} on ")
    assert "is at the same work; waiting to train until it ends" in said
    assert second.poll() is None
    first.send_signal(signal.SIGKILL)  # however it ends
    assert second.communicate()[0] == "working\n"
    assert second.returncode == 0
    first.communicate()
    assert list(tmp_path.iterdir()) == []


def test_many_at_the_same_work_take_turns(tmp_path: Path) -> None:
    program = """
import sys, time
from pathlib import Path
from arsm_l2r.locks import alone
log, state = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(5):
    with alone(state, "train", pause=0.001), log.open("a") as file:
        file.write("[")
        file.flush()
        time.sleep(0.005)
        file.write("]")
"""
    log = tmp_path / "log"
    several = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(log), str(tmp_path / "state")],
            stderr=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]
    assert [each.wait() for each in several] == [0] * 4
    assert log.read_text() == "[]" * 20
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_the_lock_goes_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), alone(tmp_path / "state", "train"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
