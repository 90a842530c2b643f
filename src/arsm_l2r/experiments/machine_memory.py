"""How much memory of this machine jobs may take together."""

import os
from pathlib import Path, PurePosixPath

_MEGABYTE = 2**20
_KEPT_BACK, _SHARE_KEPT_BACK = 1_000, 0.1
"""Megabytes for Snakemake itself and the system: at least so many, or a share of all."""


def memory_for_jobs(physical: int | None = None, root: Path = Path("/")) -> int:
    """Megabytes that jobs may take together.

    What the machine has, or what the control groups of this process allow (in a container, or as a
    scheduler's job), less what others need; never less than 1, as 0 would limit nothing.

    Args:
        physical: bytes of memory of the machine; by default as the system says.
        root: where `proc` and `sys` are.
    """
    if physical is None:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    available = min([physical, *_control_group_limits(root)]) / _MEGABYTE
    return max(1, int(available - max(_KEPT_BACK, _SHARE_KEPT_BACK * available)))


def _control_group_limits(root: Path) -> list[int]:
    """Bytes that this process's control groups, versions 1 and 2, and those above them allow."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    mounted, limits = root / "sys/fs/cgroup", []
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            places = [(mounted, "memory.max"), (mounted / "unified", "memory.max")]
        elif "memory" in controllers.split(","):
            places = [(mounted / "memory", "memory.limit_in_bytes")]
        else:
            continue
        # In a container the path is often the host's, and the group's files lie at the top.
        group = PurePosixPath(path.lstrip("/"))
        for top, name in places:
            limits += [_number(top / each / name) for each in (group, *group.parents)]
    return [limit for limit in limits if limit]


def _number(path: Path) -> int:
    """The limit in a file; 0 for none, which is written as `max` or is not there."""
    try:
        text = path.read_text().strip()
    except OSError:
        return 0
    return int(text) if text.isascii() and text.isdigit() else 0
