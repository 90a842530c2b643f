"""Which processes train together: the tasks of a SLURM job step, or those that TF_CONFIG names.

Found from the environment, without TensorFlow.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from arsm_l2r.errors import UserError

_FIRST_PORT, _PORTS = 20_000, 12_000
"""Ports below those that Linux gives to connections by itself, which begin at 32,768."""


@dataclass(frozen=True)
class Cluster:
    """Processes that train together, one worker each.

    Attributes:
        addresses: `host:port` of each.
        own: the number of this process; 0 leads, and is the only one that writes files.
        place: its number among those of its node, which says what GPU it takes of several.
    """

    addresses: tuple[str, ...]
    own: int
    place: int = 0

    @property
    def leads(self) -> bool:
        """Whether this process leads."""
        return self.own == 0


def cluster_of_job(workers: int, environment: Mapping[str, str] = os.environ) -> Cluster | None:
    """The processes that this one trains with; None if all workers are in this one.

    Args:
        workers: how many there must be.
        environment: variables of TensorFlow and SLURM.

    Raises:
        UserError: if there are several processes, but not so many.
    """
    if workers == 1:
        return None
    if "TF_CONFIG" in environment:
        found, said = _of_tf_config(environment["TF_CONFIG"]), "TF_CONFIG names"
    elif int(environment.get("SLURM_STEP_NUM_TASKS", "1")) > 1:
        found, said = _of_slurm(environment), "the SLURM job step has"
    else:
        return None
    if len(found.addresses) != workers:
        raise UserError(
            f"workers is {workers}, but {said} {len(found.addresses)} tasks; start as many tasks "
            "as there are workers, or one task that trains with all of them"
        )
    return found


def leads(workers: int) -> bool:
    """Whether this process writes what a training with so many workers makes."""
    cluster = cluster_of_job(workers)
    return cluster is None or cluster.leads


def _of_tf_config(text: str) -> Cluster:
    try:
        given = json.loads(text)
        (addresses,) = (tuple(map(str, given["cluster"][name])) for name in given["cluster"])
        task = given["task"]
        if list(given["cluster"]) != [task["type"]] or task["type"] != "worker":
            raise ValueError("tasks must all be of the type worker")
        if not 0 <= task["index"] < len(addresses):
            raise ValueError(f"there is no task {task['index']}")
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"TF_CONFIG does not name a cluster of workers: {error!r}") from error
    return Cluster(addresses, task["index"])


def _of_slurm(environment: Mapping[str, str]) -> Cluster:
    """The tasks of a job step, which SLURM has numbered node by node (`--distribution=block`)."""
    nodes = environment["SLURM_STEP_NODELIST"]
    try:
        shown = subprocess.run(
            ["scontrol", "show", "hostnames", nodes],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UserError(
            f"scontrol does not tell the nodes of this job, {nodes}: {error}"
        ) from error
    counts = _tasks_per_node(environment["SLURM_STEP_TASKS_PER_NODE"])
    hosts = [
        host for host, count in zip(shown.stdout.split(), counts, strict=True) for _ in range(count)
    ]
    # Jobs that are on a node at the same time have numbers near each other, and so other ports.
    step = int(environment["SLURM_JOB_ID"]) * len(hosts) + int(environment["SLURM_STEP_ID"])
    ports = [_FIRST_PORT + (step + task) % _PORTS for task in range(len(hosts))]
    addresses = tuple(f"{host}:{port}" for host, port in zip(hosts, ports, strict=True))
    return Cluster(addresses, int(environment["SLURM_PROCID"]), int(environment["SLURM_LOCALID"]))


def _tasks_per_node(text: str) -> list[int]:
    """`2(x3),1` is 2, 2, 2, 1."""
    counts: list[int] = []
    for part in text.split(","):
        count, _, times = part.rstrip(")").partition("(x")
        counts += [int(count)] * int(times or 1)
    return counts
