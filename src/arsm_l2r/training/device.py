"""Prepare TensorFlow for a job: threads, and the memory of GPUs."""

from arsm_l2r.errors import UserError
from arsm_l2r.tensorflow import tf


def prepare_device(threads: int | None) -> str:
    """Set up TensorFlow, once per process, and tell what it will train on.

    Args:
        threads: how many threads to compute with; None leaves that to TensorFlow.

    Returns:
        `cpu`, or the name of the first GPU.
    """
    gpus = tf.config.list_physical_devices("GPU")
    # Documents are counted with matrix products, which must stay exact.
    tf.config.experimental.enable_tensor_float_32_execution(False)
    try:
        if threads is not None:
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        for gpu in gpus:
            # Take memory as it is needed, so that several jobs can share a GPU.
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError:
        # TensorFlow has started already in this process, with whatever it was given then.
        set_to = tf.config.threading.get_intra_op_parallelism_threads()
        if threads not in (None, set_to):
            raise UserError(
                f"TensorFlow runs with {set_to or 'all'} threads in this process already; "
                f"{threads} threads need a process of their own"
            ) from None
    if not gpus:
        return "cpu"
    details = tf.config.experimental.get_device_details(gpus[0])
    return str(details.get("device_name", gpus[0].name))
