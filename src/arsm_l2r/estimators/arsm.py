"""Augment, REINFORCE, swap, merge: AR, ARS and ARSM (Yin et al. 2019; the paper's eq. 3 to 6).

With π ~ Dirichlet(1, …, 1), argmin_k (ln π_k - φ_k) is a draw from Cat(softmax(φ)). Swapping two
entries of π gives another draw that shares its randomness, and the differences of the losses of
such draws carry the gradient. In a query of several documents one swap is applied to all
documents at once. π is kept unnormalised (standard exponentials) wherever only order matters.
"""

from __future__ import annotations

import numpy as np

from arsm_l2r.estimators.estimate import Estimate, averaged, standard_exponentials
from arsm_l2r.estimators.registry import estimator
from arsm_l2r.losses import Batch, Loss
from arsm_l2r.tensorflow import tf


@estimator("ar")
def ar(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 1
) -> Estimate:
    """Augment-REINFORCE: loss(z) (1 - C π_c), eq. 3; unbiased, of high variance."""

    def one_draw(seed: tf.Tensor) -> Estimate:
        exponentials = standard_exponentials(seed, logits)
        levels = tf.argmin(tf.math.log(exponentials) - logits, axis=-1, output_type=tf.int32)
        losses = loss.losses(levels[None], batch, logits.dtype)[0]
        spread = 1 - batch.levels * _normalised(exponentials)
        return Estimate(batch.per_document(losses)[:, None] * spread, losses)

    return averaged(one_draw, seed, samples)


@estimator("ars")
def ars(
    logits: tf.Tensor,
    loss: Loss,
    batch: Batch,
    seed: tf.Tensor,
    *,
    samples: int = 1,
    reference: int | None = None,
) -> Estimate:
    """Augment-REINFORCE-swap, eq. 4: every category swapped with one reference category.

    `reference` is that category, from 0; drawn anew for each sample if not given.
    """
    count = batch.levels

    def one_draw(seed: tf.Tensor) -> Estimate:
        exponentials = standard_exponentials(seed, logits)
        if reference is None:
            # Another stream of the same seed: the reference must not depend on π.
            other = tf.bitwise.invert(seed)
            chosen = tf.random.stateless_uniform(
                (), other, maxval=count, dtype=tf.int32, alg="philox"
            )
        else:
            chosen = tf.constant(reference)
        swaps = tf.stack([tf.range(count), tf.fill([count], chosen)])
        levels = swapped_levels(logits, exponentials, swaps)
        swapped = loss.losses(levels, batch, logits.dtype)
        centred = batch.per_document(tf.transpose(swapped - tf.reduce_mean(swapped, axis=0)))
        at_reference = tf.gather(_normalised(exponentials), chosen, axis=1)
        spread = (1 - count * at_reference)[:, None]
        return Estimate(centred * spread, tf.gather(swapped, chosen))

    if reference is not None and not 0 <= reference < count:
        raise ValueError(f"reference category {reference} is not in 0 … {count - 1}")
    return averaged(one_draw, seed, samples)


@estimator("arsm")
def arsm(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 1
) -> Estimate:
    """Augment-REINFORCE-swap-merge, eq. 6 and Algorithm 1: all swaps, merged."""

    def one_draw(seed: tf.Tensor) -> Estimate:
        return arsm_of_draw(logits, loss, batch, standard_exponentials(seed, logits))

    return averaged(one_draw, seed, samples)


def arsm_of_draw(logits: tf.Tensor, loss: Loss, batch: Batch, exponentials: tf.Tensor) -> Estimate:
    """The ARSM estimate for one draw of (documents, C) standard exponentials."""
    count = batch.levels
    first, second = np.triu_indices(count, k=1)
    # One assignment of levels per pair of categories; the last swaps nothing.
    swaps = tf.constant(np.stack([np.append(first, 0), np.append(second, 0)]), tf.int32)
    losses = loss.losses(swapped_levels(logits, exponentials, swaps), batch, logits.dtype)
    number = np.full((count, count), len(first))
    number[first, second] = number[second, first] = np.arange(len(first))
    matrix = tf.transpose(tf.gather(losses, number), (2, 0, 1))  # (queries, C, C)
    centred = matrix - tf.reduce_mean(matrix, axis=1, keepdims=True)
    spread = 1 / count - _normalised(exponentials)
    gradient = tf.reduce_sum(batch.per_document(centred) * spread[:, None], axis=-1)
    return Estimate(gradient, losses[-1])


def swapped_levels(logits: tf.Tensor, exponentials: tf.Tensor, swaps: tf.Tensor) -> tf.Tensor:
    """The level of every document after each swap of two categories' entries of π.

    A swap changes two entries of ln π - φ. The new smallest is the smaller of those two, or the
    smallest entry untouched. The latter is one of the two smallest of all: if both were swapped,
    with each other, the smaller of the new two is at most their mean, so that no third is
    smaller. No search over C is needed.

    Args:
        logits: (documents, C).
        exponentials: (documents, C) π, not normalised.
        swaps: (2, swaps) the two categories of each swap, which may be the same.

    Returns:
        (swaps, documents) int32 levels.
    """
    log_pi = tf.transpose(tf.math.log(exponentials))
    phi = tf.transpose(logits)
    (value, place), (next_value, next_place) = _two_smallest(log_pi - phi)
    first, second = swaps[0], swaps[1]
    at_first = tf.gather(log_pi, second) - tf.gather(phi, first)
    at_second = tf.gather(log_pi, first) - tf.gather(phi, second)
    level = tf.where(at_first <= at_second, first[:, None], second[:, None])
    smallest = tf.minimum(at_first, at_second)

    # With both of the two smallest swapped, the second stands for an entry that cannot win.
    swapped = (place == first[:, None]) | (place == second[:, None])
    rest = tf.where(swapped, next_value, value)
    rest_place = tf.where(swapped, next_place, place)
    next_swapped = (next_place == first[:, None]) | (next_place == second[:, None])
    wins = (rest < smallest) & ~(swapped & next_swapped)
    return tf.where(wins, rest_place, level)


def _two_smallest(race: tf.Tensor) -> list[tuple[tf.Tensor, tf.Tensor]]:
    """Value and place of the smallest and of the second smallest entry along the first axis."""
    found = []
    infinity = tf.constant(np.inf, race.dtype)
    rows = tf.range(race.shape[0])[:, None]
    for _ in range(2):
        place = tf.argmin(race, axis=0, output_type=tf.int32)
        found.append((tf.reduce_min(race, axis=0), place))
        race = tf.where(rows == place, infinity, race)
    return found


def _normalised(exponentials: tf.Tensor) -> tf.Tensor:
    """π: exponentials divided by their sum over each document."""
    return exponentials / tf.reduce_sum(exponentials, axis=-1, keepdims=True)
