"""Prepare TensorFlow for a job: threads, devices, and the memory of GPUs."""

from arsm_l2r.errors import UserError
from arsm_l2r.tensorflow import tf
from arsm_l2r.training.cluster import Cluster, cluster_of_job


def prepare_device(threads: int | None, workers: int = 1) -> str:
    """Set up TensorFlow, once per process, and tell what it will train on.

    Args:
        threads: how many threads to compute with; None leaves that to TensorFlow. Of several
            workers each computes with its share of them, or with one if there are too few.
        workers: how many train together.

    Returns:
        `cpu`, or the name of the first GPU, and how many workers there are, if there are several.
    """
    gpus = tf.config.list_physical_devices("GPU")
    # Counts are added up with matrix products, which must stay exact.
    tf.config.experimental.enable_tensor_float_32_execution(False)
    cluster = cluster_of_job(workers)
    each = None if threads is None else max(1, threads // workers)
    try:
        if threads is not None:
            tf.config.threading.set_intra_op_parallelism_threads(each)
            # The workers of one process compute at the same time, if they may.
            here = 1 if cluster else min(threads, workers)
            tf.config.threading.set_inter_op_parallelism_threads(here)
        for gpu in gpus:
            # Take memory as it is needed, so that several jobs can share a GPU.
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError:
        # TensorFlow has started already in this process, with whatever it was given then.
        set_to = tf.config.threading.get_intra_op_parallelism_threads()
        if each not in (None, set_to):
            raise UserError(
                f"TensorFlow runs with {set_to or 'all'} threads in this process already; "
                f"{each} threads need a process of their own"
            ) from None
    device = "cpu"
    if gpus:
        details = tf.config.experimental.get_device_details(gpus[0])
        device = str(details.get("device_name", gpus[0].name))
    if workers == 1:
        return device
    return f"{device}, {workers} workers in {f'{workers} processes' if cluster else 'one process'}"


def start_devices(workers: int, cluster: Cluster | None) -> list[str]:
    """Make ready what each worker of this process trains on, and name it.

    On CPUs, TensorFlow is told to take this machine's for as many devices as there are workers.

    Raises:
        UserError: if there are not enough.
    """
    gpus = tf.config.list_physical_devices("GPU")
    names = devices_of_workers(workers, [gpu.name for gpu in gpus], cluster)
    try:
        if cluster is not None:
            tf.config.set_visible_devices([gpu for gpu in gpus if gpu.name in names], "GPU")
        elif not gpus:
            (cpu,) = tf.config.list_physical_devices("CPU")
            own = tf.config.LogicalDeviceConfiguration()
            tf.config.set_logical_device_configuration(cpu, [own] * workers)
    except RuntimeError:  # it has started already
        found = len(tf.config.list_logical_devices("CPU"))
        if cluster is not None or found < workers:
            raise UserError(
                f"TensorFlow has started in this process already, with {found} devices; training "
                f"with {workers} workers needs a process of its own"
            ) from None
    return names


def devices_of_workers(workers: int, gpus: list[str], cluster: Cluster | None) -> list[str]:
    """The names of the devices that the workers of this process train on.

    Args:
        workers: of the training.
        gpus: names of those that this process sees.
        cluster: the processes, if there are several; then there is one worker in this.

    Raises:
        UserError: if there are GPUs, but not for every worker.
    """
    if cluster is not None:
        return [gpus[cluster.place % len(gpus)]] if gpus else ["CPU:0"]
    if not gpus:
        return [f"CPU:{number}" for number in range(workers)]
    if len(gpus) < workers:
        raise UserError(
            f"workers is {workers}, but the GPUs that this process sees are {len(gpus)}; lower "
            "workers, ask for more GPUs (--resources gpu=N), or train on CPUs (--resources gpu=0)"
        )
    return [f"GPU:{number}" for number in range(workers)]
