import numpy as np
import pytest
from hypothesis import given, settings

from arsm_l2r.losses import AveragePrecisionLoss
from arsm_l2r.metrics import PAPER, average_precision, rank
from arsm_l2r.tensorflow import tf

from .levelled import Query, long_queries, losses, some_queries


def metric(query: Query) -> float:
    return average_precision(rank(query.levels, query.judgements, "expected"), PAPER).item()


def test_tied_documents_are_averaged_over_their_orders() -> None:
    # A relevant document first, then one relevant and one other in either order.
    query = Query(labels=(3, 0, 1), levels=(4, 2, 2))
    assert losses(AveragePrecisionLoss(), [query]).tolist() == pytest.approx(
        [-(1 + (2 / 2 + 2 / 3) / 2) / 2]
    )


@settings(deadline=None, max_examples=50)
@given(several=some_queries)
def test_average_precision_loss_is_minus_the_metric_with_ties_in_expectation(several) -> None:
    expected = [-metric(query) for query in several]
    np.testing.assert_allclose(losses(AveragePrecisionLoss(), several), expected, atol=1e-12)


def test_single_precision_is_enough_for_long_queries() -> None:
    several = long_queries(20)
    found = losses(AveragePrecisionLoss(), several, filling=7, dtype=tf.float32)
    np.testing.assert_allclose(found, [-metric(query) for query in several], atol=5e-6)
