"""TensorFlow is imported where something is computed, and not before."""

import subprocess
import sys

import pytest


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "program",
    [
        "import arsm_l2r.tensorflow",
        "from arsm_l2r.losses import loss_names, loss_by_name; loss_names(); loss_by_name('ndcg')",
        "from arsm_l2r.estimators import check_combination, estimator_names\n"
        "for name in estimator_names(): check_combination(name, 'ndcg@10', 2)",
        "from arsm_l2r.metrics import measure_names; measure_names()",
    ],
)
def test_names_can_be_asked_for_without_importing_it(program: str) -> None:
    assert run(f"{program}\nimport sys; print('tensorflow' in sys.modules)") == "False\n"


@pytest.mark.slow
def test_it_is_tensorflow_once_it_is_used() -> None:
    program = """
from arsm_l2r.tensorflow import tf
assert tf.constant([1, 2]).numpy().tolist() == [1, 2]
import tensorflow
assert tf.Tensor is tensorflow.Tensor
assert "constant" in vars(tf), "an attribute is looked up once"
assert tf.__version__ == tensorflow.__version__
assert "function" in dir(tf)
try:
    tf.nothing_like_this
except AttributeError as error:
    print(error)
"""
    assert "no attribute 'nothing_like_this'" in run(program)
