import numpy as np

from arsm_l2r.tensorflow import tf
from arsm_l2r.training.adam import adam_step, initial_state


class PlainAdam:
    """Algorithm 1 of Kingma and Ba, for one array."""

    def __init__(self, learning_rate: float) -> None:
        self.learning_rate, self.m, self.v, self.t = learning_rate, 0.0, 0.0, 0

    def step(self, weight: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * gradient
        self.v = 0.999 * self.v + 0.001 * gradient**2
        m_hat = self.m / (1 - 0.9**self.t)
        v_hat = self.v / (1 - 0.999**self.t)
        return weight - self.learning_rate * m_hat / (np.sqrt(v_hat) + 1e-8)


def test_steps_are_those_of_plain_adam() -> None:
    draw = np.random.default_rng(0)
    weights = [draw.normal(size=(3, 2)), draw.normal(size=2)]
    plain = [PlainAdam(0.01), PlainAdam(0.01)]
    tensors = [tf.constant(weight, tf.float32) for weight in weights]
    state = initial_state(weights)
    for _ in range(20):
        gradients = [draw.normal(size=weight.shape) for weight in weights]
        weights = [
            adam.step(weight, gradient)
            for adam, weight, gradient in zip(plain, weights, gradients, strict=True)
        ]
        tensors, state = adam_step(
            tensors, [tf.constant(each, tf.float32) for each in gradients], state, 0.01
        )
        for found, expected in zip(tensors, weights, strict=True):
            np.testing.assert_allclose(found, expected, atol=2e-6)
    assert int(state.steps) == 20


def test_weight_decay_shrinks_matrices_by_its_share_of_the_learning_rate() -> None:
    weights = [tf.constant([[2.0, -4.0]]), tf.constant([3.0])]
    gradients = [tf.constant([[1.0, -1.0]]), tf.constant([1.0])]
    state = initial_state([weight.numpy() for weight in weights])
    plain, _ = adam_step(weights, gradients, state, 0.1)
    (matrix, bias), _ = adam_step(weights, gradients, state, 0.1, weight_decay=0.5)
    np.testing.assert_allclose(matrix, plain[0] - 0.1 * 0.5 * weights[0], rtol=1e-6)
    np.testing.assert_array_equal(bias, plain[1])


def test_first_step_is_the_learning_rate_against_the_sign_of_the_gradient() -> None:
    weights = [tf.constant([1.0, 1.0, 1.0])]
    gradient = [tf.constant([1e-3, -50.0, 0.0])]
    (moved,), _ = adam_step(weights, gradient, initial_state([np.ones(3)]), 0.1)
    np.testing.assert_allclose(moved, [0.9, 1.1, 1.0], rtol=1e-4)
