import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.losses import AveragePrecisionLoss, loss_by_name
from arsm_l2r.metrics import PAPER, average_precision, rank
from arsm_l2r.tensorflow import tf

from .levelled import Query, long_queries, losses, some_queries


def metric(query: Query, relevant_from: int = 1) -> float:
    ranking = rank(query.levels, query.judgements(relevant_from), "expected")
    return average_precision(ranking, PAPER).item()


def test_tied_documents_are_averaged_over_their_orders() -> None:
    # A relevant document first, then one relevant and one other in either order.
    query = Query(labels=(3, 0, 1), levels=(4, 2, 2))
    assert losses(AveragePrecisionLoss(), [query]).tolist() == pytest.approx(
        [-(1 + (2 / 2 + 2 / 3) / 2) / 2]
    )


def test_labels_below_relevant_from_are_not_relevant() -> None:
    query = Query(labels=(1, 2, 0, 3), levels=(4, 3, 2, 1))
    assert losses(AveragePrecisionLoss(relevant_from=2), [query]).tolist() == pytest.approx(
        [-(1 / 2 + 2 / 4) / 2]
    )


@settings(deadline=None, max_examples=50)
@given(several=some_queries, relevant_from=st.integers(1, 3))
def test_average_precision_loss_is_minus_the_metric_with_ties_in_expectation(
    several, relevant_from: int
) -> None:
    expected = [-metric(query, relevant_from) for query in several]
    loss = loss_by_name("average-precision", relevant_from)
    np.testing.assert_allclose(losses(loss, several), expected, atol=1e-12)


def test_single_precision_is_enough_for_long_queries() -> None:
    several = long_queries(20)
    found = losses(AveragePrecisionLoss(), several, filling=7, dtype=tf.float32)
    np.testing.assert_allclose(found, [-metric(query) for query in several], atol=5e-6)
