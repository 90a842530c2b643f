"""REINFORCE (Williams 1992), plain and with a leave-one-out baseline."""

from __future__ import annotations

from arsm_l2r.estimators.estimate import Estimate, sampled_levels, split_seed
from arsm_l2r.estimators.registry import estimator
from arsm_l2r.losses import Batch, Loss
from arsm_l2r.tensorflow import tf


@estimator("reinforce")
def reinforce(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 1
) -> Estimate:
    """The loss times the score function: loss(z) (1[z = c] - p_c)."""
    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples}")
    levels, losses = _draws(logits, loss, batch, seed, samples)
    return _estimate(logits, batch, levels, losses, losses)


@estimator("reinforce-loo", least_samples=2)
def reinforce_leave_one_out(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, *, samples: int = 2
) -> Estimate:
    """REINFORCE where the mean loss of the other samples is taken off each sample's loss."""
    if samples < 2:
        raise ValueError(f"a leave-one-out baseline needs at least 2 samples, not {samples}")
    levels, losses = _draws(logits, loss, batch, seed, samples)
    others = (tf.reduce_sum(losses, axis=0) - losses) / (samples - 1)
    return _estimate(logits, batch, levels, losses, losses - others)


def _draws(
    logits: tf.Tensor, loss: Loss, batch: Batch, seed: tf.Tensor, samples: int
) -> tuple[tf.Tensor, tf.Tensor]:
    levels = tf.stack([sampled_levels(each, logits) for each in split_seed(seed, samples)])
    return levels, loss.losses(levels, batch, logits.dtype)


def _estimate(
    logits: tf.Tensor, batch: Batch, levels: tf.Tensor, losses: tf.Tensor, rewards: tf.Tensor
) -> Estimate:
    """Mean over samples of reward times score function; `rewards` is (samples, queries)."""
    score = tf.one_hot(levels, batch.levels, dtype=logits.dtype) - tf.nn.softmax(logits)
    per_document = batch.per_document(tf.transpose(rewards))  # (documents, samples)
    gradient = tf.einsum("ds,sdc->dc", per_document, score) / levels.shape[0]
    return Estimate(gradient, tf.reduce_mean(losses, axis=0))
