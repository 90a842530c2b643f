import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from arsm_l2r import ARSMRanker, numpy_loss
from arsm_l2r.errors import Advice
from arsm_l2r.estimators import estimator_names, estimator_record
from arsm_l2r.losses import Loss, OrderedNDCGLoss
from arsm_l2r.losses.numpy_loss import NumpyLoss
from arsm_l2r.tensorflow import tf

from .levelled import Query, batch_of, losses, some_queries

FEATURES = np.random.default_rng(0).random((40, 3), dtype=np.float32)
LABELS = (FEATURES[:, 0] > 0.6).astype(int) * 2
GROUP = [10, 10, 20]
DATA = (FEATURES, LABELS, GROUP)
SMALL = {"levels": 4, "hidden": (4,), "epochs": 2, "learning_rate": 0.05}

quiet = pytest.mark.filterwarnings("ignore::arsm_l2r.errors.Advice")


def minus_ndcg(levels: np.ndarray, labels: np.ndarray) -> float:
    """With tied documents in their order, as `ndcg-file-order`."""

    def dcg(values: np.ndarray) -> float:
        order = np.argsort(-values, kind="stable")
        return float(np.sum((2.0 ** labels[order] - 1) / np.log2(2 + np.arange(len(labels)))))

    return -dcg(levels) / dcg(labels) if labels.any() else 0.0


def spoiling(levels: np.ndarray, labels: np.ndarray) -> float:
    """The same, by a function that writes into its arguments."""
    value = minus_ndcg(levels, labels)
    levels[:] = 0
    labels[:] = 0
    return value


@pytest.mark.parametrize("function", [minus_ndcg, spoiling])
@settings(deadline=None, max_examples=25)
@given(several=some_queries, filling=st.integers(0, 2))
def test_values_are_those_of_the_same_loss_in_tensorflow(
    function: Callable[..., float], several: list[Query], filling: int
) -> None:
    found = losses(numpy_loss(function), several, filling=filling)
    np.testing.assert_allclose(found, losses(OrderedNDCGLoss(None), several), atol=1e-12)


def test_assignments_and_empty_queries_have_their_own_values() -> None:
    batch, _ = batch_of([Query((0, 2), (0, 0))], filling=1)
    batch = replace(batch, query=tf.constant([1, 1, 3]), queries=3)
    levels = tf.constant([[1, 4, 0], [3, 0, 0], [1, 4, 2]])
    loss = numpy_loss(lambda levels, labels: 10 * levels[0] + levels[1] + 100 * labels[1])
    found = loss.losses(levels, batch, tf.float32)
    assert found.dtype == tf.float32
    assert found.numpy().tolist() == [[0, 214, 0], [0, 230, 0], [0, 214, 0]]


def test_function_is_called_once_for_each_different_assignment_of_a_query() -> None:
    calls = []

    def noted(levels: np.ndarray, labels: np.ndarray) -> int:
        calls.append((levels.tolist(), labels.tolist(), levels.dtype, labels.dtype))
        return 0

    several = [Query((0, 2), (0, 0)), Query((1,), (0,))]
    batch, _ = batch_of(several)
    levels = tf.constant([[1, 4, 0], [3, 0, 0], [1, 4, 2], [1, 4, 0]])
    numpy_loss(noted).losses(levels, batch, tf.float32)
    whole = np.dtype(np.int64)
    assert calls == [
        ([1, 4], [0, 2], whole, whole),
        ([3, 0], [0, 2], whole, whole),
        ([0], [1], whole, whole),
        ([2], [1], whole, whole),
    ]


class Uncompiled(OrderedNDCGLoss):
    """In TensorFlow; not compiled, since XLA draws other numbers from the same seed."""

    compiles = False


@pytest.mark.slow
@quiet
@pytest.mark.parametrize(
    "estimator", [name for name in estimator_names() if not estimator_record(name).needs_moves]
)
def test_training_is_that_of_the_same_loss_in_tensorflow(estimator: str) -> None:
    given = {**SMALL, "estimator": estimator, "samples": 2, "members": 2}
    own = ARSMRanker(loss=numpy_loss(minus_ndcg), **given).fit(*DATA)
    named = ARSMRanker(loss=Uncompiled(None), **given).fit(*DATA)
    for name in ("objective", "gradient_norm"):
        np.testing.assert_allclose(own.history_[name], named.history_[name], rtol=1e-4)
    # Adam divides small gradients by their size, and so enlarges differences by rounding.
    np.testing.assert_allclose(own.predict(FEATURES), named.predict(FEATURES), rtol=1e-3)


@pytest.mark.slow
def test_training_says_once_that_it_is_slow_and_is_the_same_every_time() -> None:
    ranker = ARSMRanker(loss=numpy_loss(minus_ndcg), **SMALL)
    with pytest.warns(Advice, match=r"numpy_loss\(minus_ndcg\) is called by Python") as told:
        first = ranker.fit(*DATA).predict(FEATURES)
    assert [each.filename for each in told] == [__file__]  # the call of `fit`
    with pytest.warns(Advice):
        second = clone(ranker).fit(*DATA).predict(FEATURES)
    assert first.tobytes() == second.tobytes()


def returning(value: object) -> Callable[..., object]:
    def wrong(levels: np.ndarray, labels: np.ndarray) -> object:
        return value

    return wrong


def failing(levels: np.ndarray, labels: np.ndarray) -> float:
    raise KeyError("weights")


@pytest.mark.slow
@quiet
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (failing, r"numpy_loss\(failing\) failed with KeyError: 'weights'; it was given levels \["),
        (returning(None), r"numpy_loss\(wrong\) returned None, not one number"),
        (returning("0.5"), "returned a str, not one number"),
        (returning(np.zeros(3)), r"returned a ndarray of shape \(3,\), not one number"),
        (returning(1j), "returned a complex, not one number"),
        (returning(np.nan), "returned nan, not a finite loss"),
        (returning(-np.inf), "returned -inf, not a finite loss"),
        (lambda levels: 0, r"cannot be called with \(levels, labels\)"),
    ],
)
def test_what_is_wrong_with_a_function_is_told_in_a_sentence(
    function: Callable[..., float], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as told:
        ARSMRanker(loss=numpy_loss(function), **SMALL).fit(*DATA)
    assert told.value.__suppress_context__, "TensorFlow's account would be shown, too"
    assert "\n" not in str(told.value)
    if function is failing:
        assert isinstance(told.value.__cause__, KeyError)  # with the line that failed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (minus_ndcg, r"function minus_ndcg failed on TensorFlow tensors: (.|\n)*numpy_loss\(minus"),
        (lambda levels, labels: np.sum(levels), r"failed on TensorFlow(.|\n)*numpy_loss"),
        (lambda levels, labels: 0.5, r"returned shape \(\); .*numpy_loss"),
        (lambda levels, batch: None, r"failed on TensorFlow(.|\n)*numpy_loss"),
        (lambda levels: levels, r"cannot be called with \(levels, batch\): too many"),
    ],
)
def test_numpy_function_in_place_of_one_of_tensorflow_is_told(
    function: Callable[..., object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ARSMRanker(loss=function, **SMALL).fit(*DATA)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(ValueError, match="takes a function of levels and labels, not 'ndcg'"):
        numpy_loss("ndcg")  # type: ignore[arg-type]


def test_estimator_that_must_move_documents_is_refused() -> None:
    ranker = ARSMRanker(loss=numpy_loss(minus_ndcg), estimator="local-expectation")
    with pytest.raises(
        ValueError, match=r"local-expectation cannot be used with the loss numpy_loss\(minus_ndcg"
    ):
        ranker.fit(*DATA)


def test_models_tell_functions_of_one_name_from_each_other() -> None:
    def described(function: Callable[..., float]) -> str:
        return str(ARSMRanker(loss=numpy_loss(function))._portable_settings()["loss"])

    def first() -> Callable[..., float]:
        def own(levels: np.ndarray, labels: np.ndarray) -> float:
            return sum(float(level) for level in levels)

        return own

    def second() -> Callable[..., float]:
        def own(levels: np.ndarray, labels: np.ndarray) -> float:
            return sum(-float(level) for level in levels)

        return own

    assert described(first()).startswith("own: numpy_loss(own) ")
    assert described(first()) == described(first()) != described(second())


def test_loss_can_be_pickled() -> None:
    loss = pickle.loads(pickle.dumps(numpy_loss(minus_ndcg)))
    assert isinstance(loss, NumpyLoss)
    assert losses(loss, [Query((0, 2), (0, 1))]) == [-1]


def test_other_losses_compile() -> None:
    assert Loss.compiles
    assert not NumpyLoss.compiles


def test_numpy_loss_can_be_had_without_tensorflow() -> None:
    program = (
        "from arsm_l2r import numpy_loss; numpy_loss(lambda levels, labels: 0)\n"
        "import sys; print('tensorflow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
