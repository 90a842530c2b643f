"""Local expectation: exact over each document's level, given the sampled levels of the others.

Not the paper's: local expectation gradients (Titsias and Lázaro-Gredilla, NIPS 2015). With f_j(b)
the loss when document j takes level b and the others keep theirs, p_jc (f_j(c) - Σ_b p_jb f_j(b))
is the exact gradient of the expectation over z_j alone, so that its mean over the other levels is
the gradient. It needs no swaps, and all f_j(b) together take O(documents · C) for losses that can
say what moving one document changes.
"""

from __future__ import annotations

from arsm_l2r.estimators.estimate import Estimate, averaged, sampled_levels
from arsm_l2r.estimators.registry import estimator
from arsm_l2r.losses import Batch, Loss
from arsm_l2r.tensorflow import tf


@estimator("local-expectation", needs_moves=True)
def local_expectation(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 1
) -> Estimate:
    """Exact over each document's level, given the others'; see the module."""
    probabilities = tf.nn.softmax(logits)

    def one_draw(seed: tf.Tensor) -> Estimate:
        levels = sampled_levels(seed, logits)
        moved = loss.moved(levels, batch, logits.dtype)
        expected = tf.reduce_sum(probabilities * moved, axis=-1, keepdims=True)
        losses = loss.losses(levels[None], batch, logits.dtype)[0]
        return Estimate(probabilities * (moved - expected), losses)

    return averaged(one_draw, seed, samples)
