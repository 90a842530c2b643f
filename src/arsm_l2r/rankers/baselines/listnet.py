"""ListNet (Cao et al. 2007): cross-entropy between top-one probabilities of labels and scores.

The probability that a document comes first is the softmax, over its query, of the labels on one
side and of the scores on the other; the loss of a query is their cross-entropy.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from arsm_l2r.declared import settings
from arsm_l2r.rankers.method import BROWN, GREEN, Method
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.selection import SelectOn
from arsm_l2r.training.task import Epochs, Hidden, LearningRate, QueriesPerBatch, reusable

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.task import Objective


@settings
class ListNet(NetworkRanker):
    """ListNet with a linear scorer, as in LETOR's baseline, or with a network."""

    hidden: Hidden = ()
    learning_rate: LearningRate = 1e-2
    epochs: Epochs = 200
    queries_per_batch: QueriesPerBatch = 64
    select_on: SelectOn = "ndcg@10"

    not_offered = ("members",)
    added: ClassVar[Mapping[str, Any]] = {"weight_decay": 0.0, "averaging": 0.0}

    @property
    def _outputs(self) -> int:
        return 1

    @property
    def _scoring(self) -> None:
        return None

    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        return outputs[0, :, 0].astype(np.float64)

    def _objective(self) -> "Objective":
        return top_one_cross_entropy


@reusable
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


METHOD = Method(
    name="listnet",
    title="ListNet",
    description="listwise: cross-entropy of the probabilities of being ranked first",
    ranker=ListNet,
    colour=GREEN,
    marker="^",
    line="-.",
    in_paper=True,
    order=2,
)
NETWORK = Method(
    name="listnet-network",
    title="ListNet (network)",
    description="the same loss on a hidden layer like ARSM-L2R's, tuned on validation data; not in "
    "the paper",
    ranker=ListNet,
    colour=BROWN,
    marker="<",
    line=(0, (3, 1, 1, 1)),
    order=6,
)
