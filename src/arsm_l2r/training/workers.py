"""Several workers for one training, by TensorFlow's strategies.

The workers of one process are its devices (`MirroredStrategy`); of several processes each is a
worker (`MultiWorkerMirroredStrategy`). All take the same steps. The first process leads: it alone
knows how far training is and what was selected, and tells the others before every epoch.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.cluster import Cluster, cluster_of_job
from arsm_l2r.training.device import start_devices
from arsm_l2r.training.meeting import meet


class Workers:
    """Those who train together.

    Args:
        strategy: TensorFlow's; None for a single worker.
        cluster: their processes, if there are several.

    Attributes:
        count: how many there are.
        several: whether they are in several processes.
        leads: whether this process leads.
    """

    def __init__(self, strategy: Any = None, cluster: Cluster | None = None) -> None:
        self._strategy = strategy
        self.count: int = strategy.num_replicas_in_sync if strategy else 1
        self.several = cluster is not None
        self.leads = cluster is None or cluster.leads

    def given(self, make: Callable[[], tf.Tensor]) -> Any:
        """A tensor that every worker of this process has on its device."""
        if self._strategy is None:
            return make()
        devices = self._strategy.extended.worker_devices

        def on_device(context: Any) -> tf.Tensor:
            with tf.device(devices[context.replica_id_in_sync_group % len(devices)]):
                return make()

        return self._strategy.experimental_distribute_values_from_function(on_device)

    def summed(self, own: Callable[..., tf.Tensor], *given: Any) -> tf.Tensor:
        """The sum over all workers of what each computes from its number and from what is given."""

        def of_worker(*given: Any) -> tf.Tensor:
            return own(tf.distribute.get_replica_context().replica_id_in_sync_group, *given)

        return self._strategy.reduce("SUM", self._strategy.run(of_worker, args=given), axis=None)

    def told(self, numbers: np.ndarray) -> np.ndarray:
        """What the leading process says, to the last bit.

        Args:
            numbers: float64; of other processes only the shape counts.
        """
        said = numbers if self.leads else np.zeros_like(numbers)
        summed: np.ndarray = self._spread(tf.constant(said)).numpy()
        return summed

    def told_text(self, text: str) -> str:
        """The text that the leading process says."""
        letters = np.frombuffer(text.encode(), np.uint8).astype(np.float64)
        size = int(self.told(np.array([len(letters)], np.float64))[0])
        if not self.leads:
            letters = np.zeros(size)
        return self.told(letters).astype(np.uint8).tobytes().decode()

    @cached_property
    def _spread(self) -> Any:
        return tf.function(lambda said: self.summed(lambda _, own: own, said), autograph=False)

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Say in one line what it means if another process cannot be reached any more.

        Raises:
            UserError: then.
        """
        try:
            yield
        except (
            tf.errors.AbortedError,
            tf.errors.CancelledError,
            tf.errors.DeadlineExceededError,
            tf.errors.FailedPreconditionError,
            tf.errors.InternalError,
            tf.errors.UnavailableError,
        ) as error:
            if not self.several:
                raise
            why = " ".join(str(error.message).split())
            raise UserError(
                "another worker of this training has ended, or cannot be reached any more; what it "
                "says comes first. Started again, training goes on from its last checkpoint "
                f"(TensorFlow: {why[:300]})"
            ) from error


ALONE = Workers()
"""A single worker."""


def workers_of(count: int) -> Workers:
    """The workers of a training: devices of this process, or one of each process of its job.

    TensorFlow can join processes only once, and before it has computed anything.

    Raises:
        UserError: if there are not so many devices or processes.
    """
    return ALONE if count == 1 else _joined(count, cluster_of_job(count))


@cache
def _joined(count: int, cluster: Cluster | None) -> Workers:
    devices = start_devices(count, cluster)
    if cluster is None:
        return Workers(tf.distribute.MirroredStrategy(devices))
    meet(cluster)
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec({"worker": list(cluster.addresses)}),
        task_type="worker",
        task_id=cluster.own,
        rpc_layer="grpc",
    )
    with _own_signals():
        try:
            strategy = tf.distribute.MultiWorkerMirroredStrategy(resolver)
        except (RuntimeError, tf.errors.OpError) as error:
            raise UserError(
                f"worker {cluster.own + 1} of {count} could not join the others at "
                f"{cluster.addresses[cluster.own]}: {error}"
            ) from error
    return Workers(strategy, cluster)


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep what SIGTERM does: TensorFlow takes it for a notice, and the process would live on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def as_numbers(first: Sequence[float], arrays: Sequence[Any]) -> np.ndarray:
    """Numbers and arrays as one row, to be told."""
    flat = [np.asarray(array, np.float64).ravel() for array in arrays]
    return np.concatenate([np.array(first, np.float64), *flat])


def as_arrays(row: np.ndarray, like: Sequence[Any]) -> list[np.ndarray]:
    """Arrays from a row that was told, in single precision, of the shapes of others."""
    found, start = [], 0
    for shape in (tuple(each.shape) for each in like):
        size = int(np.prod(shape))
        found.append(row[start : start + size].reshape(shape).astype(np.float32))
        start += size
    return found
