"""What TensorFlow says of itself does not reach the user."""

import subprocess
import sys


def test_import_and_repeated_compilation_are_silent() -> None:
    program = (
        "from arsm_l2r.tensorflow import tf\n"
        "step = tf.function(lambda values: values + 1)\n"
        "for size in range(9):\n"
        "    step(tf.zeros(size))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_keras_is_not_imported_and_can_still_be() -> None:
    program = (
        "import sys\n"
        "from arsm_l2r.tensorflow import tf\n"
        "assert not any(name.split('.')[0] == 'keras' for name in sys.modules)\n"
        "assert tf.keras.layers.Dense(3)(tf.ones((1, 2))).shape == (1, 3)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
