"""Wait until every process of a training is there, and no longer than that may take.

TensorFlow joins processes by itself. But while it waits for one that never comes it cannot be
interrupted or told how long to wait. So it is started only once all have answered here.
"""

import socket
import time
from contextlib import ExitStack

from arsm_l2r.errors import UserError
from arsm_l2r.training.cluster import Cluster

SECONDS = 600.0
"""How long processes wait for each other: a scheduler starts them at the same time."""

_PAUSE = 0.2
_GO = b"go\n"


def meet(cluster: Cluster, seconds: float = SECONDS) -> None:
    """Return when all processes of a cluster have come here.

    Raises:
        UserError: if they don't in so many seconds, or the first one's port is taken.
    """
    deadline = time.monotonic() + seconds
    (_receive if cluster.leads else _come)(cluster, deadline)


def _receive(cluster: Cluster, deadline: float) -> None:
    waiting = dict(enumerate(cluster.addresses))
    del waiting[cluster.own]
    address = cluster.addresses[cluster.own]
    with ExitStack() as opened:
        try:
            server = opened.enter_context(socket.create_server(("", _port(address))))
        except OSError as error:
            raise UserError(f"workers cannot meet at {address}: {error.strerror}") from error
        arrived = []
        while waiting:
            try:
                server.settimeout(_left(deadline))
                guest = opened.enter_context(server.accept()[0])
                guest.settimeout(_left(deadline))
                came = guest.makefile().readline(1000).strip()
            except (TimeoutError, UnicodeDecodeError):
                if time.monotonic() < deadline:
                    continue
                raise UserError(_late(cluster, list(waiting.values()))) from None
            # Anything else is not of this training: another job's, or a program's that scans ports.
            for number in list(waiting):
                if came == _password(cluster, number):
                    del waiting[number]
                    arrived.append(guest)
        for guest in arrived:
            guest.sendall(_GO)


def _come(cluster: Cluster, deadline: float) -> None:
    first = cluster.addresses[0]
    host = first.rpartition(":")[0]
    while time.monotonic() < deadline:
        try:
            with socket.create_connection((host, _port(first)), _left(deadline)) as connection:
                connection.sendall(f"{_password(cluster, cluster.own)}\n".encode())
                if connection.recv(len(_GO)) == _GO:
                    return
        except OSError:  # not there yet, or gone again
            pass
        time.sleep(_PAUSE)
    raise UserError(_late(cluster, [first]))


def _password(cluster: Cluster, number: int) -> str:
    return f"{number} of {','.join(cluster.addresses)}"


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.001)


def _late(cluster: Cluster, missing: list[str]) -> str:
    return (
        f"worker {cluster.own + 1} of {len(cluster.addresses)} has waited in vain for "
        f"{', '.join(missing)}; see what the other tasks say, and whether the nodes may talk to "
        "each other at these ports"
    )
