"""What a loss knows about the documents it judges."""

from __future__ import annotations

from dataclasses import dataclass

from arsm_l2r.tensorflow import tf


@dataclass(frozen=True)
class Batch:
    """Labelled documents of some queries, lying flat.

    Attributes:
        labels: (documents,) int32, true relevance from 0.
        query: (documents,) int32, the query of each document, from 0. Documents whose query is
            `queries` fill the batch up to a fixed size and belong to nobody.
        queries: how many queries there are; one without documents has loss 0.
        levels: C, how many levels the model predicts.
        label_levels: how many different labels there can be.
        seed: (2,) int32, for losses that draw something; new in every step of training.
    """

    labels: tf.Tensor
    query: tf.Tensor
    queries: int
    levels: int
    label_levels: int
    seed: tf.Tensor | None = None

    def per_query(self, values: tf.Tensor) -> tf.Tensor:
        """Sum (…, documents) values over the documents of each query, giving (…, queries)."""
        summed = tf.math.unsorted_segment_sum(
            tf.transpose(tf.reshape(values, (-1, values.shape[-1]))), self.query, self.queries + 1
        )
        shape = [*values.shape[:-1], self.queries]
        return tf.reshape(tf.transpose(summed[:-1]), shape)

    def per_document(self, values: tf.Tensor) -> tf.Tensor:
        """Give each document the value of its query: (queries, …) to (documents, …).

        Filling documents get 0.
        """
        padded = tf.concat([values, tf.zeros_like(values[:1])], axis=0)
        return tf.gather(padded, self.query)
