import numpy as np
import pytest

from arsm_l2r.tensorflow import tf
from arsm_l2r.training import network
from arsm_l2r.training.network import forward, initial_weights, outputs


def test_weights_are_uniform_within_glorots_limit_and_biases_0() -> None:
    first, bias, second, last_bias = initial_weights(46, (500,), 20, seed=0)
    assert [each.shape for each in (first, bias, second, last_bias)] == [
        (46, 500),
        (500,),
        (500, 20),
        (20,),
    ]
    for matrix in (first, second):
        limit = np.sqrt(6 / sum(matrix.shape))
        assert abs(matrix).max() <= limit
        assert abs(matrix).max() > 0.99 * limit
        assert matrix.std() == pytest.approx(limit / np.sqrt(3), rel=0.02)
    assert not bias.any()
    assert not last_bias.any()
    assert {each.dtype for each in (first, bias, second, last_bias)} == {np.dtype(np.float32)}


def test_weights_depend_on_the_seed_and_nothing_else() -> None:
    first, again, other = (initial_weights(4, (3,), 2, seed) for seed in (0, 0, 1))
    assert all((one == two).all() for one, two in zip(first, again, strict=True))
    assert (first[0] != other[0]).all()


@pytest.mark.parametrize("hidden", [(), (7,), (7, 3)])
def test_layers_are_linear_with_tanh_between_them(hidden: tuple[int, ...]) -> None:
    draw = np.random.default_rng(0)
    weights = [draw.normal(size=each.shape) for each in initial_weights(4, hidden, 2, seed=0)]
    features = draw.normal(size=(5, 4))
    expected = features
    for layer in range(len(hidden)):
        expected = np.tanh(expected @ weights[2 * layer] + weights[2 * layer + 1])
    expected = expected @ weights[-2] + weights[-1]
    np.testing.assert_allclose(outputs(features, weights), expected[None])
    by_tensorflow = forward(tf.constant(features), [tf.constant(each) for each in weights], tf.tanh)
    np.testing.assert_allclose(by_tensorflow, expected)


@pytest.mark.parametrize("documents", [0, 1, 3, 4, 7])
def test_pieces_make_the_whole(documents: int, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = initial_weights(4, (7,), 2, seed=0)
    features = np.random.default_rng(0).normal(size=(documents, 4))
    whole = forward(features, weights, np.tanh)
    monkeypatch.setattr(network, "ROWS_AT_ONCE", 3)
    np.testing.assert_allclose(outputs(features, weights), whole[None], rtol=1e-12)


def test_every_member_has_weights_and_outputs_of_its_own() -> None:
    features = np.random.default_rng(0).normal(size=(5, 4))
    members = [initial_weights(4, (7,), 2, 0, member) for member in range(3)]
    assert (members[0][0] == initial_weights(4, (7,), 2, 0)[0]).all()
    assert (members[1][0] != members[0][0]).all()
    assert (members[1][0] != members[2][0]).all()
    found = outputs(features, [weight for weights in members for weight in weights], members=3)
    expected = [forward(features, weights, np.tanh) for weights in members]
    np.testing.assert_array_equal(found, expected)
