"""Which processes train together, on what, and how they wait for each other."""

import json
import socket
import threading
from pathlib import Path

import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.training.cluster import Cluster, cluster_of_job, leads
from arsm_l2r.training.device import devices_of_workers
from arsm_l2r.training.meeting import meet

STEP = {
    "SLURM_STEP_NUM_TASKS": "3",
    "SLURM_STEP_NODELIST": "node[9-10]",
    "SLURM_STEP_TASKS_PER_NODE": "2,1",
    "SLURM_JOB_ID": "1000",
    "SLURM_STEP_ID": "0",
    "SLURM_PROCID": "1",
    "SLURM_LOCALID": "1",
}


@pytest.fixture
def scontrol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that names the nodes as SLURM's does."""
    program = tmp_path / "scontrol"
    program.write_text('#!/bin/sh\n[ "$3" = "node[9-10]" ] && printf "node9\\nnode10\\n"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


def tf_config(kind: str = "worker", count: int = 2, index: int = 1) -> dict[str, str]:
    cluster = {kind: [f"here:{number}" for number in range(count)]}
    return {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": kind, "index": index}})}


def test_the_tasks_of_a_job_step_train_together(scontrol: None) -> None:
    found = cluster_of_job(3, STEP)
    assert found is not None
    hosts, ports = zip(*(address.split(":") for address in found.addresses), strict=True)
    assert hosts == ("node9", "node9", "node10")
    assert len(set(ports)) == 3
    assert (found.own, found.place, found.leads) == (1, 1, False)


def test_jobs_on_the_same_node_have_different_ports(scontrol: None) -> None:
    ports: list[str] = []
    for job in range(1000, 1020):
        found = cluster_of_job(3, {**STEP, "SLURM_JOB_ID": str(job)})
        assert found is not None
        ports += [address.split(":")[1] for address in found.addresses]
    assert len(set(ports)) == len(ports)


@pytest.mark.parametrize("environment", [{}, {"SLURM_NTASKS": "2", "SLURM_PROCID": "0"}])
def test_without_a_job_step_all_workers_are_in_this_process(environment: dict[str, str]) -> None:
    assert cluster_of_job(2, environment) is None


def test_a_single_worker_looks_at_nothing() -> None:
    assert cluster_of_job(1, {**STEP, "TF_CONFIG": "no JSON"}) is None
    assert leads(1)


def test_processes_may_be_named_as_tensorflow_has_it() -> None:
    assert cluster_of_job(2, tf_config()) == Cluster(("here:0", "here:1"), 1)


def test_another_number_of_tasks_than_workers_is_refused(scontrol: None) -> None:
    with pytest.raises(UserError, match="workers is 2, but the SLURM job step has 3 tasks"):
        cluster_of_job(2, STEP)
    with pytest.raises(UserError, match="workers is 3, but TF_CONFIG names 2 tasks"):
        cluster_of_job(3, tf_config())


@pytest.mark.parametrize(
    "wrong", [{"TF_CONFIG": "no JSON"}, {"TF_CONFIG": "{}"}, tf_config("ps"), tf_config(index=2)]
)
def test_a_wrong_tf_config_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UserError, match="TF_CONFIG does not name a cluster of workers"):
        cluster_of_job(2, wrong)


GPUS = ["/physical_device:GPU:0", "/physical_device:GPU:1"]


def test_workers_of_one_process_take_its_first_gpus_or_cpu_devices() -> None:
    assert devices_of_workers(2, GPUS, None) == ["GPU:0", "GPU:1"]
    assert devices_of_workers(2, [], None) == ["CPU:0", "CPU:1"]


def test_a_worker_of_several_processes_takes_the_gpu_of_its_place() -> None:
    cluster = Cluster(("a:1", "a:2", "b:1"), own=1, place=1)
    assert devices_of_workers(3, GPUS, cluster) == [GPUS[1]]
    # The scheduler has given it one.
    assert devices_of_workers(3, GPUS[:1], cluster) == [GPUS[0]]
    assert devices_of_workers(3, [], cluster) == ["CPU:0"]


def test_more_workers_than_gpus_are_refused() -> None:
    with pytest.raises(UserError, match="workers is 3, but the GPUs that this process sees are 2"):
        devices_of_workers(3, GPUS, None)


@pytest.fixture
def addresses() -> tuple[str, ...]:
    """Two addresses of this machine that are free."""
    with socket.create_server(("", 0)) as one, socket.create_server(("", 0)) as two:
        return tuple(f"localhost:{each.getsockname()[1]}" for each in (one, two))


@pytest.mark.parametrize("own", [0, 1])
def test_who_waits_in_vain_says_for_whom(addresses: tuple[str, ...], own: int) -> None:
    with pytest.raises(
        UserError, match=rf"worker {own + 1} of 2 .*in vain for {addresses[1 - own]}"
    ):
        meet(Cluster(addresses, own), seconds=0.5)


def test_processes_wait_for_each_other_and_not_for_strangers(addresses: tuple[str, ...]) -> None:
    met: list[int] = []

    def come(own: int) -> None:
        meet(Cluster(addresses, own), seconds=20)
        met.append(own)

    first, second = (threading.Thread(target=come, args=(own,)) for own in (0, 1))
    first.start()
    port = int(addresses[0].split(":")[1])
    for _ in range(100):
        try:
            stranger = socket.create_connection(("localhost", port), 1)
            break
        except OSError:
            threading.Event().wait(0.05)
    with stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n")
    assert not met
    second.start()
    first.join(20), second.join(20)
    assert sorted(met) == [0, 1]


def test_a_port_that_is_taken_is_named(addresses: tuple[str, ...]) -> None:
    port = int(addresses[0].split(":")[1])
    with (
        socket.create_server(("", port)),
        pytest.raises(UserError, match=f"cannot meet at {addresses[0]}: Address already in use"),
    ):
        meet(Cluster(addresses, 0), seconds=1)
