"""What holds for every loss, whatever it measures."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.losses import (
    Batch,
    CallableLoss,
    LevelCountLoss,
    Loss,
    OrderedNDCGLoss,
    loss_by_name,
    loss_names,
)
from arsm_l2r.tensorflow import tf

from .levelled import (
    Query,
    batch_of,
    long_queries,
    losses,
    moved_by_brute_force,
    queries,
    some_queries,
)


def highest_level(levels: tf.Tensor, batch: Batch) -> tf.Tensor:
    """A user's own loss: minus the highest level of any document of the query."""
    sizes = tf.math.bincount(batch.query, minlength=batch.queries + 1)
    highest = tf.math.unsorted_segment_max(tf.transpose(levels), batch.query, batch.queries + 1)
    present = tf.where(sizes[:, None] > 0, highest, 0)
    return -tf.transpose(present[:-1])


def draws(loss: Loss) -> bool:
    """Whether a loss draws something, so that what it says of a query depends on its place."""
    batch, levels = batch_of([Query((0, 2), (4, 2))])
    try:
        loss.losses(levels[None], replace(batch, seed=None), tf.float64)
    except ValueError:
        return True
    return False


NAMES = [form.replace("@K", cutoff) for form in loss_names() for cutoff in ("@1", "@3")]
NAMED = {name: loss_by_name(name) for name in dict.fromkeys(NAMES)}
ALL = {name: loss for name, loss in NAMED.items() if not draws(loss)}
ALL |= {"own": CallableLoss(highest_level)}
LISTWISE = {name: loss for name, loss in ALL.items() if isinstance(loss, LevelCountLoss)}
ORDERED = {name: loss for name, loss in ALL.items() if isinstance(loss, OrderedNDCGLoss)}
MOVABLE = {name: loss for name, loss in ALL.items() if loss.moves_documents}
FIXED = {name: loss for name, loss in ALL.items() if not loss.moves_documents}


def each_of(kinds: dict[str, Loss]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("loss", kinds.values(), ids=kinds)


some_examples = settings(deadline=None, max_examples=25)  # of each loss


@each_of(ALL)
@some_examples
@given(several=some_queries, filling=st.integers(1, 3))
def test_filling_documents_do_not_matter(loss: Loss, several, filling: int) -> None:
    np.testing.assert_allclose(
        losses(loss, several, filling=filling), losses(loss, several), atol=1e-13
    )


@each_of(ALL)
@some_examples
@given(several=some_queries)
def test_queries_do_not_touch_each_other(loss: Loss, several) -> None:
    alone = [losses(loss, [query])[0] for query in several]
    np.testing.assert_allclose(losses(loss, several), alone, atol=1e-13)


@each_of(ALL)
def test_assignments_do_not_touch_each_other(loss: Loss) -> None:
    first = [Query((0, 2, 1), (4, 2, 2)), Query((1, 0), (0, 0))]
    second = [Query((0, 2, 1), (1, 3, 0)), Query((1, 0), (2, 1))]
    batch, levels = batch_of(first, filling=1)
    _, other_levels = batch_of(second, filling=1)
    together = loss.losses(tf.stack([levels, other_levels]), batch, tf.float64)
    np.testing.assert_allclose(together, [losses(loss, first), losses(loss, second)], atol=1e-13)


@each_of(ALL)
def test_assignments_made_in_turn_are_judged_as_all_at_once(loss: Loss) -> None:
    batch, _ = batch_of(long_queries(3), filling=5)
    documents = batch.labels.shape[0]
    drawn = np.random.default_rng(1).integers(0, batch.levels, size=(4, 2, documents))
    levels = tf.constant(drawn, tf.int32)
    found = loss.losses_in_turn(lambda turn: tf.gather(levels, turn), 4, batch, tf.float64)
    expected = [loss.losses(each, batch, tf.float64) for each in levels]
    np.testing.assert_allclose(found, expected, atol=1e-13)


@each_of(ALL)
def test_query_without_documents_has_loss_0(loss: Loss) -> None:
    batch, levels = batch_of([Query((0, 2), (4, 2))], filling=2)
    emptier = replace(batch, query=tf.constant([1, 1, 3, 3]), queries=3)
    (values,) = loss.losses(levels[None], emptier, tf.float64).numpy()
    assert values.tolist() == [0, pytest.approx(losses(loss, [Query((0, 2), (4, 2))])[0]), 0]


@each_of(LISTWISE | ORDERED)
def test_query_without_relevant_document_has_loss_0(loss: Loss) -> None:
    several = [Query((0, 0, 0), (4, 0, 2)), Query((0, 1), (4, 2))]
    first, second = losses(loss, several)
    assert first == 0
    assert second == losses(loss, several[1:])[0]


@each_of(LISTWISE)
@some_examples
@given(data=st.data(), query=queries())
def test_order_of_documents_does_not_matter(loss: Loss, data, query: Query) -> None:
    shuffled = data.draw(st.permutations(range(len(query.labels))))
    other = Query(
        tuple(query.labels[place] for place in shuffled),
        tuple(query.levels[place] for place in shuffled),
    )
    np.testing.assert_allclose(losses(loss, [other]), losses(loss, [query]), atol=1e-13)


@each_of(LISTWISE | ORDERED)
@some_examples
@given(labels=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_labels_as_levels_have_loss_minus_1(loss: Loss, labels: list[int]) -> None:
    found = losses(loss, [Query(tuple(labels), tuple(labels))])
    np.testing.assert_allclose(found, -1.0 if any(labels) else 0.0, rtol=1e-12)


@each_of(MOVABLE)
@settings(deadline=None, max_examples=15)
@given(several=st.lists(queries(max_size=5), min_size=1, max_size=3))
def test_moved_is_the_loss_after_moving_one_document(loss: Loss, several) -> None:
    batch, levels = batch_of(several, filling=2)
    found = loss.moved(levels, batch, tf.float64).numpy()[:-2]
    expected = moved_by_brute_force(loss, several)
    # A constant per document may be missing: it leaves the gradient as it is.
    np.testing.assert_allclose(
        found - found.mean(axis=1, keepdims=True),
        expected - expected.mean(axis=1, keepdims=True),
        atol=1e-12,
    )


@each_of(LISTWISE)
def test_moved_tells_the_loss_itself_for_losses_of_level_counts(loss: Loss) -> None:
    several = [Query((0, 2, 1, 0), (4, 2, 2, 0)), Query((1, 0), (0, 0))]
    batch, levels = batch_of(several)
    np.testing.assert_allclose(
        loss.moved(levels, batch, tf.float64), moved_by_brute_force(loss, several), atol=1e-12
    )


@each_of(MOVABLE)
def test_moved_is_finite_for_filling_documents(loss: Loss) -> None:
    batch, levels = batch_of([Query((0, 2), (4, 2))], filling=2)
    assert np.isfinite(loss.moved(levels, batch, tf.float32)).all()


@each_of(FIXED)
def test_loss_that_cannot_move_single_documents_says_what_to_do(loss: Loss) -> None:
    batch, levels = batch_of([Query((0, 2), (4, 2))])
    with pytest.raises(NotImplementedError, match=r"local-expectation.*use arsm, or") as told:
        loss.moved(levels, batch, tf.float64)
    assert type(loss).__name__ in str(told.value)
