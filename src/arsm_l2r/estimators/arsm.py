"""Augment, REINFORCE, swap, merge: AR, ARS and ARSM (Yin et al. 2019; the paper's eq. 3 to 6).

With π ~ Dirichlet(1, …, 1), argmin_k (ln π_k - φ_k) is a draw from Cat(softmax(φ)). Swapping two
entries of π gives another draw that shares its randomness, and the differences of the losses of
such draws carry the gradient. In a query of several documents one swap is applied to all
documents at once. π is kept unnormalised (standard exponentials) wherever only order matters.
"""

from __future__ import annotations

from typing import NamedTuple

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
    race = _race(logits, exponentials)
    category = tf.range(count)[:, None]
    # Every category beside the one that is so many further on, around the circle of categories.
    twice = [tf.concat([values, values], axis=0) for values in (category, race.log_pi, race.phi)]

    def levels(turn: tf.Tensor) -> tf.Tensor:
        """(C, documents) after swapping every category with that `turn` + 1 further on."""
        further = [tf.slice(values, [turn + 1, 0], [count, values.shape[1]]) for values in twice]
        swapped = _winners(
            race, category, further[0], further[1] - race.phi, race.log_pi - further[2]
        )
        return tf.where(_seen_already(category, turn, count), race.place, swapped)

    turns = (count + 1) // 2
    losses = loss.losses_in_turn(levels, turns, batch, logits.dtype)
    every = tf.reshape(losses, (turns * count, batch.queries))
    matrix = tf.transpose(tf.gather(every, _number_of_swap(count)), (2, 0, 1))
    # The matrix of swaps is symmetric: its columns' means are its rows'.
    centred = matrix - tf.reduce_mean(matrix, axis=2, keepdims=True)  # (queries, k, c)
    spread = 1 / count - _normalised(exponentials)
    return Estimate(batch.own_products(spread, centred), every[-1])


def _seen_already(category: tf.Tensor, turn: tf.Tensor, count: int) -> tf.Tensor:
    """Whether a turn comes to a pair of categories for the second time, and swaps nothing instead.

    That is so for the last assignment of all; where C is odd, for all of the last turn.
    """
    later = tf.cast(category >= count // 2, tf.int32)
    return 2 * (turn + 1) + later > count


def _number_of_swap(count: int) -> np.ndarray:
    """(C, C) which of all assignments, turn by turn, swaps two categories."""
    first, second = np.indices((count, count))
    distance = (second - first) % count
    from_first = (2 * distance < count) | ((2 * distance == count) & (first < second))
    start = np.where(from_first, first, second)
    turn = np.where(from_first, distance, count - distance) - 1
    none = (count + 1) // 2 * count - 1
    return np.where(distance == 0, none, turn * count + start)


def swapped_levels(logits: tf.Tensor, exponentials: tf.Tensor, swaps: tf.Tensor) -> tf.Tensor:
    """The level of every document after each swap of two categories' entries of π.

    Args:
        logits: (documents, C).
        exponentials: (documents, C) π, not normalised.
        swaps: (2, swaps) the two categories of each swap, which may be the same.

    Returns:
        (swaps, documents) int32 levels.
    """
    race = _race(logits, exponentials)
    first, second = swaps[0], swaps[1]
    return _winners(
        race,
        first[:, None],
        second[:, None],
        tf.gather(race.log_pi, second) - tf.gather(race.phi, first),
        tf.gather(race.log_pi, first) - tf.gather(race.phi, second),
    )


class _Race(NamedTuple):
    """The race ln π - φ of each document's categories, which the smallest entry wins.

    Attributes:
        log_pi: (C, documents).
        phi: (C, documents).
        value: (documents,) the smallest entry.
        place: (documents,) its category: the document's level.
        next_value: (documents,) the second smallest entry.
        next_place: (documents,) its category.
    """

    log_pi: tf.Tensor
    phi: tf.Tensor
    value: tf.Tensor
    place: tf.Tensor
    next_value: tf.Tensor
    next_place: tf.Tensor


def _race(logits: tf.Tensor, exponentials: tf.Tensor) -> _Race:
    log_pi, phi = tf.transpose(tf.math.log(exponentials)), tf.transpose(logits)
    entries = log_pi - phi
    value, place = _smallest(entries)
    infinity = tf.constant(np.inf, entries.dtype)
    others = tf.where(tf.range(entries.shape[0])[:, None] == place, infinity, entries)
    return _Race(log_pi, phi, value, place, *_smallest(others))


def _smallest(entries: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Value and place of the smallest entry along the first axis."""
    return tf.reduce_min(entries, axis=0), tf.argmin(entries, axis=0, output_type=tf.int32)


def _winners(
    race: _Race, first: tf.Tensor, second: tf.Tensor, at_first: tf.Tensor, at_second: tf.Tensor
) -> tf.Tensor:
    """The level of every document once two categories have new entries in its race.

    The new smallest is the smaller of those two, or the smallest entry untouched. The latter is
    one of the two smallest of all: if both were swapped, with each other, the smaller of the new
    two is at most their mean, so that no third is smaller. No search over C is needed.

    Args:
        race: before the swap.
        first: (swaps, 1) a category.
        second: (swaps, 1) the other, which may be the same.
        at_first: (swaps, documents) the new entry of the first.
        at_second: (swaps, documents) the new entry of the second.

    Returns:
        (swaps, documents) int32 levels.
    """
    level = tf.where(at_first <= at_second, first, second)
    swapped = (race.place == first) | (race.place == second)
    next_swapped = (race.next_place == first) | (race.next_place == second)
    # With both of the two smallest swapped, there is no entry untouched that could win.
    infinity = tf.constant(np.inf, at_first.dtype)
    rest = tf.where(swapped, tf.where(next_swapped, infinity, race.next_value), race.value)
    rest_place = tf.where(swapped, race.next_place, race.place)
    return tf.where(rest < tf.minimum(at_first, at_second), rest_place, level)


def _normalised(exponentials: tf.Tensor) -> tf.Tensor:
    """π: exponentials divided by their sum over each document."""
    return exponentials / tf.reduce_sum(exponentials, axis=-1, keepdims=True)
