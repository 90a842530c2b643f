"""The fast path gives the gradient of Algorithm 1, to the last digits."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from arsm_l2r.estimators import arsm
from arsm_l2r.estimators.arsm import arsm_of_draw
from arsm_l2r.estimators.estimate import standard_exponentials
from arsm_l2r.losses import (
    AveragePrecisionLoss,
    Batch,
    CallableLoss,
    Loss,
    NDCGLoss,
    SquaredErrorLoss,
    ZeroOneLoss,
)
from arsm_l2r.metrics import PAPER, Judgements, average_precision, ndcg, rank
from arsm_l2r.tensorflow import tf

from . import algorithm_1

LABELS = 3


@dataclass(frozen=True)
class Draw:
    """Queries of random sizes with random logits and labels, and one draw of π."""

    sizes: tuple[int, ...]
    levels: int
    filling: int
    seed: int

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Logits and exponentials (documents, C), labels (documents,); filling ones last."""
        draw = np.random.default_rng(self.seed)
        shape = (sum(self.sizes) + self.filling, self.levels)
        labels = draw.integers(0, LABELS, size=shape[0])
        return 2 * draw.normal(size=shape), draw.exponential(size=shape), labels

    def batch(self, labels: np.ndarray) -> Batch:
        query = np.repeat(np.arange(len(self.sizes) + 1), [*self.sizes, self.filling])
        return Batch(
            labels=tf.constant(labels, tf.int32),
            query=tf.constant(query, tf.int32),
            queries=len(self.sizes),
            levels=self.levels,
            label_levels=LABELS,
        )


def _random_draw(seed: int) -> Draw:
    draw = np.random.default_rng(seed)
    queries = int(draw.integers(1, 5))
    sizes = tuple(int(size) for size in draw.integers(1, 60, size=queries))
    return Draw(sizes, int(draw.integers(2, 30)), int(draw.integers(0, 10)), seed)


DRAWS = [
    Draw(sizes=(1,), levels=2, filling=0, seed=0),
    Draw(sizes=(1, 1, 3), levels=2, filling=2, seed=1),
    Draw(sizes=(7, 2), levels=3, filling=1, seed=2),
    Draw(sizes=(200, 1, 30), levels=20, filling=5, seed=3),
    Draw(sizes=(25, 40), levels=40, filling=3, seed=4),
    *(_random_draw(seed) for seed in range(5, 13)),
]

Definition = Callable[[np.ndarray, np.ndarray, int], float]
"""The loss of one query from its levels, its labels and C."""


def minus_ndcg(cutoff: int | None) -> Definition:
    def definition(levels: np.ndarray, labels: np.ndarray, count: int) -> float:
        ranking = rank(levels, Judgements(labels, [len(labels)]), "expected")
        return -ndcg(ranking, [cutoff or len(labels)], PAPER).item()

    return definition


def minus_average_precision(levels: np.ndarray, labels: np.ndarray, count: int) -> float:
    ranking = rank(levels, Judgements(labels, [len(labels)]), "expected")
    return -average_precision(ranking, PAPER).item()


def squared_error(levels: np.ndarray, labels: np.ndarray, count: int) -> float:
    return np.mean((levels - np.round(labels * (count - 1) / (LABELS - 1))) ** 2)


def zero_one(levels: np.ndarray, labels: np.ndarray, count: int) -> float:
    return np.mean(levels != np.round(labels * (count - 1) / (LABELS - 1)))


def own(levels: tf.Tensor, batch: Batch) -> tf.Tensor:
    """A user's loss of TensorFlow operations: the squared sum of levels of irrelevant documents."""
    wasted = tf.where(batch.labels == 0, levels, 0)
    return batch.per_query(tf.cast(wasted, tf.float64)) ** 2 / batch.levels**2


def own_definition(levels: np.ndarray, labels: np.ndarray, count: int) -> float:
    return float(levels[labels == 0].sum()) ** 2 / count**2


LOSSES: dict[str, tuple[Loss, Definition]] = {
    "ndcg@1": (NDCGLoss(1), minus_ndcg(1)),
    "ndcg@10": (NDCGLoss(10), minus_ndcg(10)),
    "ndcg": (NDCGLoss(None), minus_ndcg(None)),
    "average precision": (AveragePrecisionLoss(), minus_average_precision),
    "squared error": (SquaredErrorLoss(), squared_error),
    "zero-one": (ZeroOneLoss(), zero_one),
    "own": (CallableLoss(own), own_definition),
}


def literal_gradient(draw: Draw, definition: Definition) -> np.ndarray:
    """(documents, C) Algorithm 1 of each query; filling documents have no gradient."""
    logits, exponentials, labels = draw.arrays()
    pi = exponentials / exponentials.sum(axis=1, keepdims=True)
    result = np.zeros_like(pi)
    ends = np.cumsum(draw.sizes)
    for start, end in zip(ends - draw.sizes, ends, strict=True):
        mine = slice(start, end)

        def loss(levels: np.ndarray, mine: slice = mine) -> float:
            return definition(levels, labels[mine], draw.levels)

        result[mine] = algorithm_1.gradient(logits[mine], pi[mine], loss)
    return result


@pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: f"C={draw.levels},n={draw.sizes}")
@pytest.mark.parametrize("name", LOSSES)
def test_gradient_is_that_of_the_literal_algorithm_1(name: str, draw: Draw) -> None:
    loss, definition = LOSSES[name]
    logits, exponentials, labels = draw.arrays()
    found = arsm_of_draw(
        tf.constant(logits), loss, draw.batch(labels), tf.constant(exponentials)
    ).gradient
    expected = literal_gradient(draw, definition)
    np.testing.assert_allclose(found, expected, atol=1e-10 * max(1, abs(expected).max()))


@pytest.mark.parametrize("draw", DRAWS[:4], ids=lambda draw: f"C={draw.levels},n={draw.sizes}")
def test_losses_are_those_of_the_levels_before_any_swap(draw: Draw) -> None:
    logits, exponentials, labels = draw.arrays()
    estimate = arsm_of_draw(
        tf.constant(logits), NDCGLoss(10), draw.batch(labels), tf.constant(exponentials)
    )
    levels = algorithm_1.levels(logits, exponentials)
    ends = np.cumsum(draw.sizes)
    expected = [
        minus_ndcg(10)(levels[end - size : end], labels[end - size : end], draw.levels)
        for size, end in zip(draw.sizes, ends, strict=True)
    ]
    np.testing.assert_allclose(estimate.losses, expected, atol=1e-12)


def test_single_precision_gives_the_same_but_for_rounding() -> None:
    draw = DRAWS[3]
    logits, exponentials, labels = draw.arrays()
    single = arsm_of_draw(
        tf.constant(logits, tf.float32),
        NDCGLoss(10),
        draw.batch(labels),
        tf.constant(exponentials, tf.float32),
    )
    expected = literal_gradient(draw, minus_ndcg(10))
    np.testing.assert_allclose(single.gradient, expected, atol=2e-5 * abs(expected).max())


def test_compiled_gradient_is_that_of_the_literal_algorithm_1() -> None:
    draw = DRAWS[3]
    logits, exponentials, labels = draw.arrays()
    loss, batch = NDCGLoss(10), draw.batch(labels)
    compiled = tf.function(
        lambda logits, exponentials: arsm_of_draw(logits, loss, batch, exponentials).gradient,
        jit_compile=True,
        autograph=False,
    )
    found = compiled(tf.constant(logits), tf.constant(exponentials))
    np.testing.assert_allclose(found, literal_gradient(draw, minus_ndcg(10)), atol=1e-10)


def test_arsm_is_algorithm_1_of_its_seeds_exponentials() -> None:
    draw = DRAWS[2]
    logits, _, labels = draw.arrays()
    seed = tf.constant([3, 5])
    batch = draw.batch(labels)
    exponentials = standard_exponentials(seed, tf.constant(logits))
    np.testing.assert_array_equal(
        arsm(tf.constant(logits), NDCGLoss(3), batch, seed).gradient,
        arsm_of_draw(tf.constant(logits), NDCGLoss(3), batch, exponentials).gradient,
    )


def _wrong_axis(matrix: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return (1 / pi.shape[1] - pi) @ (matrix - matrix.mean(axis=1, keepdims=True)).T


def _no_mean(matrix: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return (1 / pi.shape[1] - pi) @ matrix.T


@pytest.mark.parametrize("wrong", [_wrong_axis, _no_mean])
def test_comparison_with_algorithm_1_sees_a_wrong_merge(
    monkeypatch: pytest.MonkeyPatch, wrong: Callable
) -> None:
    # Both stay unbiased, because what they leave out has mean 0 (test_unbiased.py): only this
    # comparison tells them from Algorithm 1.
    draw = DRAWS[2]
    right = literal_gradient(draw, minus_ndcg(10))
    monkeypatch.setattr(algorithm_1, "merged", wrong)
    assert abs(literal_gradient(draw, minus_ndcg(10)) - right).max() > 1e-3
