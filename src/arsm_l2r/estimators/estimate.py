"""What all estimators share: their signature, their random numbers, and averaging over draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np

from arsm_l2r.losses import Batch, Loss
from arsm_l2r.tensorflow import tf


class Estimate(NamedTuple):
    """What an estimator answers.

    Attributes:
        gradient: (documents, C) an unbiased estimate of the derivative of the expected loss of
            each document's query with respect to its logits.
        losses: (queries,) the loss of the sampled levels, before any swap.
        noted: what else is to be recorded of each query, (queries,) values by name.
    """

    gradient: tf.Tensor
    losses: tf.Tensor
    noted: Mapping[str, tf.Tensor] = MappingProxyType({})


class Estimator(Protocol):
    """An estimator of the gradient of E[loss(z)], z_j ~ Cat(softmax(logits_j))."""

    def __call__(
        self, logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 1
    ) -> Estimate:
        """Estimate the gradient.

        Args:
            logits: (documents, C) φ of the paper, float32 or float64.
            loss: the loss of levels against labels.
            batch: the documents' labels and queries.
            seed: (2,) int32; the same seed gives the same draws.
            samples: how many independent draws to average over.
        """


def standard_exponentials(seed: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    """Independent standard exponential numbers, one per logit.

    Divided by their sum over a document they are Dirichlet(1, …, 1). Philox is named because
    XLA's default generator takes thirty times as long on a CPU.
    """
    tiny = np.finfo(logits.dtype.as_numpy_dtype).tiny
    uniform = tf.random.stateless_uniform(
        logits.shape, seed, minval=tiny, maxval=1, dtype=logits.dtype, alg="philox"
    )
    return -tf.math.log(uniform)


def sampled_levels(seed: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    """(documents,) int32 levels drawn from Cat(softmax(logits)): the winners of a race."""
    race = tf.math.log(standard_exponentials(seed, logits)) - logits
    return tf.argmin(race, axis=-1, output_type=tf.int32)


def averaged(one_draw: Callable[[tf.Tensor], Estimate], seed: tf.Tensor, samples: int) -> Estimate:
    """Average an estimate over independent draws."""
    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples}")
    draws = [one_draw(each) for each in split_seed(seed, samples)]
    return Estimate(
        tf.add_n([draw.gradient for draw in draws]) / samples,
        tf.add_n([draw.losses for draw in draws]) / samples,
    )


def split_seed(seed: tf.Tensor, count: int) -> list[tf.Tensor]:
    """Independent seeds from one; a single one stays as it is."""
    if count == 1:
        return [seed]
    return [*tf.unstack(tf.random.split(seed, count, alg="philox"))]
