"""What a loss knows about the documents it judges."""

from __future__ import annotations

from dataclasses import dataclass

from arsm_l2r.tensorflow import tf

_BLOCK = 16
"""Documents of a query that are multiplied with its matrix at the same time."""


@dataclass(frozen=True)
class Batch:
    """Labelled documents of some queries, lying flat, those of a query side by side.

    Attributes:
        labels: (documents,) int32, true relevance from 0.
        query: (documents,) int32, the query of each document, from 0. Documents whose query is
            `queries` fill the batch up to a fixed size and belong to nobody.
        queries: how many queries there are; one without documents has loss 0.
        levels: C, how many levels the model predicts.
        label_levels: how many different labels there can be.
        seed: (2,) int32, for losses that draw something; new in every step of training.
        longest: the most documents that a query can have; None: as many as there are.
    """

    labels: tf.Tensor
    query: tf.Tensor
    queries: int
    levels: int
    label_levels: int
    seed: tf.Tensor | None = None
    longest: int | None = None

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

    def own_products(self, rows: tf.Tensor, matrices: tf.Tensor) -> tf.Tensor:
        """Multiply the row of each document with the matrix of its query.

        Documents, which stand side by side if they are of one query, are laid out anew in blocks
        that hold those of one query only, so that a matrix is fetched once a block and not once a
        document.

        Args:
            rows: (documents, A).
            matrices: (queries, A, B).

        Returns:
            (documents, B); of filling documents 0.
        """
        documents, groups = rows.shape[0], self.queries + 1
        number = tf.range(documents)
        sizes = tf.math.unsorted_segment_sum(tf.ones_like(self.query), self.query, groups)
        first = tf.math.unsorted_segment_min(number, self.query, groups)
        blocks = -(-sizes // _BLOCK)
        start = tf.cumsum(blocks, exclusive=True) * _BLOCK
        at = tf.gather(start - first, self.query) + number
        most = documents // _BLOCK + groups
        owner = tf.tensor_scatter_nd_update(
            tf.fill([most], self.queries), (at // _BLOCK)[:, None], self.query
        )
        padded = tf.scatter_nd(at[:, None], rows, (most * _BLOCK, rows.shape[1]))
        none = tf.zeros((1, *matrices.shape[1:]), matrices.dtype)
        products = tf.matmul(
            tf.reshape(padded, (most, _BLOCK, -1)),
            tf.gather(tf.concat([matrices, none], axis=0), owner),
        )
        return tf.gather(tf.reshape(products, (most * _BLOCK, -1)), at)
