"""ListNet (Cao et al. 2007): cross-entropy between top-one probabilities of labels and scores.

The probability that a document comes first is the softmax, over its query, of the labels on one
side and of the scores on the other; the loss of a query is their cross-entropy.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from arsm_l2r.rankers.network_ranker import NetworkRanker

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.task import Objective


class ListNet(NetworkRanker):
    """ListNet with a linear scorer, as in LETOR's baseline, or with a network.

    Args:
        hidden: units of each hidden layer; none makes the scorer linear.
        learning_rate: of Adam.
        epochs: passes over the training queries.
        queries_per_batch: most queries in a step.
        select_on: validation measure whose best epoch's weights are kept.
        feature_scaling: `none`, `standard`: to mean 0 and variance 1 over the training set, or
            `quantile`: by rank among the training set's values, from -1 to 1.
        patience: stop after so many epochs without a better validation measure; None: never.
        seed: of weights and order of queries.
        threads: threads to compute with; None leaves that to TensorFlow.
        checkpoint: file from which an interrupted `fit` with the same data and settings goes on.
        checkpoint_every: epochs between two checkpoints.
    """

    def __init__(
        self,
        *,
        hidden: tuple[int, ...] = (),
        learning_rate: float = 1e-2,
        epochs: int = 200,
        queries_per_batch: int = 64,
        select_on: str = "ndcg@10",
        feature_scaling: str = "none",
        patience: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        checkpoint: str | Path | None = None,
        checkpoint_every: int = 25,
    ) -> None:
        self.hidden = hidden
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.queries_per_batch = queries_per_batch
        self.select_on = select_on
        self.feature_scaling = feature_scaling
        self.patience = patience
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every

    @property
    def _outputs(self) -> int:
        return 1

    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        return outputs[0, :, 0].astype(np.float64)

    def _objective(self) -> "Objective":
        return top_one_cross_entropy


def top_one_cross_entropy(outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> "Estimate":
    """The loss of each query, and its gradient with respect to the scores; nothing is random.

    Args:
        outputs: (documents, 1) scores.
        batch: the documents' labels and queries.
        seed: not used.
    """
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.tensorflow import tf

    log_predicted = _log_top_one(outputs[:, 0], batch)
    true = tf.exp(_log_top_one(tf.cast(batch.labels, outputs.dtype), batch))
    filling = batch.query == batch.queries
    gradient = tf.where(filling, 0.0, tf.exp(log_predicted) - true)
    return Estimate(gradient[:, None], -batch.per_query(true * log_predicted))


def _log_top_one(scores: "tf.Tensor", batch: "Batch") -> "tf.Tensor":
    """Log of the softmax of the scores over each query."""
    from arsm_l2r.tensorflow import tf

    highest = tf.math.unsorted_segment_max(scores, batch.query, batch.queries + 1)
    shifted = scores - tf.gather(highest, batch.query)
    total = tf.math.unsorted_segment_sum(tf.exp(shifted), batch.query, batch.queries + 1)
    return shifted - tf.math.log(tf.gather(total, batch.query))
