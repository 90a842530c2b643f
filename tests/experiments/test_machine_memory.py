"""How much memory jobs may take together, on a bare machine and in control groups."""

from pathlib import Path

import pytest

from arsm_l2r.experiments.machine_memory import memory_for_jobs

GIGABYTE = 2**30
UNLIMITED = 9223372036854771712


def machine(root: Path, groups: str, limits: dict[str, object]) -> Path:
    """Files of a made-up system below `root`."""
    for path, content in {"proc/self/cgroup": groups, **limits}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{content}\n")
    return root


def test_a_tenth_is_kept_back_and_at_least_1000_megabytes(tmp_path: Path) -> None:
    assert memory_for_jobs(100 * GIGABYTE, tmp_path) == int(0.9 * 100 * 1024)
    assert memory_for_jobs(4 * GIGABYTE, tmp_path) == 4 * 1024 - 1000


def test_a_small_machine_has_a_limit_nevertheless(tmp_path: Path) -> None:
    assert memory_for_jobs(GIGABYTE // 2, tmp_path) == 1


def test_this_machine_has_memory() -> None:
    assert memory_for_jobs() >= 1


@pytest.mark.parametrize("folder", ["sys/fs/cgroup", "sys/fs/cgroup/unified"])
def test_a_group_of_version_2_bounds_it(tmp_path: Path, folder: str) -> None:
    limits = {f"{folder}/a/b/memory.max": "max", f"{folder}/a/memory.max": 4 * GIGABYTE}
    root = machine(tmp_path, "0::/a/b", limits)
    assert memory_for_jobs(100 * GIGABYTE, root) == 4 * 1024 - 1000


def test_a_group_of_version_1_bounds_it(tmp_path: Path) -> None:
    top = "sys/fs/cgroup/memory"
    limits = {
        f"{top}/memory.limit_in_bytes": UNLIMITED,
        f"{top}/a/memory.limit_in_bytes": 6 * GIGABYTE,
        f"{top}/a/b/memory.limit_in_bytes": 4 * GIGABYTE,
    }
    root = machine(tmp_path, "5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/", limits)
    assert memory_for_jobs(100 * GIGABYTE, root) == 4 * 1024 - 1000


def test_in_a_container_the_files_of_the_group_lie_at_the_top(tmp_path: Path) -> None:
    limits = {"sys/fs/cgroup/memory/memory.limit_in_bytes": 4 * GIGABYTE}
    root = machine(tmp_path, "4:memory:/docker/0123", limits)
    assert memory_for_jobs(100 * GIGABYTE, root) == 4 * 1024 - 1000


def test_a_group_that_allows_more_than_there_is_changes_nothing(tmp_path: Path) -> None:
    root = machine(tmp_path, "0::/", {"sys/fs/cgroup/memory.max": UNLIMITED})
    assert memory_for_jobs(4 * GIGABYTE, root) == 4 * 1024 - 1000


@pytest.mark.parametrize("content", ["", "max", "nonsense", "-1", "0"])
def test_what_is_no_limit_is_none(tmp_path: Path, content: str) -> None:
    root = machine(tmp_path, "0::/", {"sys/fs/cgroup/memory.max": content})
    assert memory_for_jobs(4 * GIGABYTE, root) == 4 * 1024 - 1000
