"""What a batch does with values of documents and of queries."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.losses import Batch
from arsm_l2r.tensorflow import tf


@settings(deadline=None, max_examples=40)
@given(sizes=st.lists(st.integers(0, 50), min_size=1, max_size=6), filling=st.integers(0, 20))
def test_rows_of_documents_are_multiplied_with_the_matrices_of_their_queries(
    sizes: list[int], filling: int
) -> None:
    documents = sum(sizes)
    query = np.repeat(np.arange(len(sizes) + 1), [*sizes, filling])
    if not len(query):
        return
    batch = Batch(
        labels=tf.zeros(len(query), tf.int32),
        query=tf.constant(query, tf.int32),
        queries=len(sizes),
        levels=3,
        label_levels=1,
    )
    draw = np.random.default_rng(0)
    rows, matrices = draw.normal(size=(len(query), 3)), draw.normal(size=(len(sizes), 3, 4))
    found = batch.own_products(tf.constant(rows), tf.constant(matrices)).numpy()
    expected = np.einsum("da,dab->db", rows[:documents], matrices[query[:documents]])
    np.testing.assert_allclose(found[:documents], expected, atol=1e-13)
    assert not found[documents:].any()
