"""The entropy of the levels' distributions, which keeps them from becoming certain too early.

Entropy bonuses are old in policy gradients (Williams and Peng, Connection Science 1991; Mnih et
al., ICML 2016). The objective of a query becomes E[loss(z)] - weight · H, where H is the mean over
the query's documents of -Σ_c p_c ln p_c / ln C: between 0 and 1 whatever the number of documents
and of levels, so that a weight means the same for all of them. Its gradient is exact; nothing is
drawn.
"""

from __future__ import annotations

import math

from arsm_l2r.estimators.estimate import Estimate
from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf


def with_entropy(estimate: Estimate, logits: tf.Tensor, batch: Batch, weight: float) -> Estimate:
    """An estimate with the entropy noted, and with `weight` of it taken off what is minimised.

    Args:
        estimate: of the gradient of the expected loss; its losses stay as they are.
        logits: (documents, C) that it was made for.
        batch: the documents' queries.
        weight: of the entropy; with 0 the gradient stays as it is.
    """
    log_probabilities = tf.nn.log_softmax(logits)
    probabilities = tf.exp(log_probabilities)
    entropy = -tf.reduce_sum(probabilities * log_probabilities, axis=-1)
    sizes = batch.per_query(tf.ones_like(entropy))
    # The most that a query's documents can have together; of a query without documents, 0.
    share = tf.math.divide_no_nan(tf.ones_like(sizes), sizes * math.log(batch.levels))
    noted = {**estimate.noted, "entropy": batch.per_query(entropy) * share}
    if not weight:
        return estimate._replace(noted=noted)
    falls = probabilities * (log_probabilities + entropy[:, None])
    falls *= batch.per_document(share)[:, None]
    return estimate._replace(gradient=estimate.gradient + weight * falls, noted=noted)
