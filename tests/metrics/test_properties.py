"""What holds for every measure."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arsm_l2r.metrics import (
    LETOR,
    LETOR3,
    PAPER,
    Convention,
    Judgements,
    Ranking,
    measure_by_name,
    measure_names,
    precision,
    rank,
)

from .small_queries import Query, queries, ranked, together

CUTOFFS = range(1, 8)  # the queries have up to 6 documents


def at_all_cutoffs(name: str) -> Callable[[Ranking, Convention], np.ndarray]:
    """A measure, as (queries, cut-offs) values if it has any."""
    cutoffs = CUTOFFS if name.endswith("@K") else [0]
    each = [measure_by_name(name.replace("@K", f"@{cutoff}")) for cutoff in cutoffs]
    return lambda ranking, convention: np.stack(
        [measure.function(ranking, convention) for measure in each], axis=1
    )


MEASURES = {name: at_all_cutoffs(name) for name in measure_names()}
EXPECTED = [replace(LETOR, name="letor, expected ties", ties="expected"), PAPER]

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_convention = pytest.mark.parametrize(
    "convention", [LETOR, LETOR3, *EXPECTED], ids=lambda convention: convention.name
)
expected_ties = pytest.mark.parametrize(
    "convention", EXPECTED, ids=lambda convention: convention.name
)
few_examples = settings(deadline=None, max_examples=30)  # of each measure in each convention
some_queries = st.lists(queries(), min_size=1, max_size=4)


@every_measure
@expected_ties
@few_examples
@given(data=st.data(), query=queries())
def test_order_of_documents_in_the_file_does_not_matter(measure, convention, data, query) -> None:
    shuffled = data.draw(st.permutations(range(len(query))))
    labels, scores = np.array(query.labels), np.array(query.scores)
    np.testing.assert_allclose(
        measure(ranked(labels[shuffled], scores[shuffled], convention), convention),
        measure(ranked(labels, scores, convention), convention),
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    "measure", ["ndcg@K", "mean-ndcg", "map", "rr", "rr@K", "success@K", "r-precision"]
)
@few_examples
@given(labels=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_perfect_ranking_has_1_if_anything_is_relevant(measure: str, labels: list[int]) -> None:
    values = MEASURES[measure](ranked(labels, labels, PAPER), PAPER)
    np.testing.assert_allclose(values, 1.0 if any(labels) else 0.0, rtol=1e-12)


@few_examples
@given(labels=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_perfect_ranking_has_all_relevant_documents_first(labels: list[int]) -> None:
    relevant = sum(label > 0 for label in labels)
    (values,) = precision(ranked(labels, labels, PAPER), CUTOFFS, PAPER)
    assert values.tolist() == pytest.approx([min(relevant, k) / k for k in CUTOFFS])


@every_measure
@every_convention
@few_examples
@given(
    query=queries(),
    shift=st.integers(-5, 5),
    scale=st.sampled_from([0.25, 0.5, 2, 3, 1024]),
)
def test_scale_of_scores_does_not_matter(measure, convention, query, shift, scale) -> None:
    scores = np.array(query.scores)
    np.testing.assert_array_equal(
        measure(ranked(query.labels, scores * scale + shift, convention), convention),
        measure(ranked(query.labels, scores, convention), convention),
    )


@every_measure
@every_convention
@few_examples
@given(several=some_queries)
def test_values_lie_between_0_and_1(measure, convention, several: list[Query]) -> None:
    values = measure(together(several, convention), convention)
    assert (values >= 0).all()
    assert (values <= 1).all()


@every_measure
@every_convention
@few_examples
@given(several=some_queries)
def test_queries_do_not_touch_each_other(measure, convention, several: list[Query]) -> None:
    alone = [
        measure(ranked(query.labels, query.scores, convention), convention) for query in several
    ]
    np.testing.assert_allclose(
        measure(together(several, convention), convention), np.concatenate(alone), rtol=1e-12
    )


@every_measure
@few_examples
@given(several=some_queries)
def test_group_and_offsets_give_the_same(measure, several: list[Query]) -> None:
    labels = np.concatenate([query.labels for query in several])
    scores = np.concatenate([query.scores for query in several])
    offsets = np.cumsum([0, *map(len, several)])
    by_offsets = rank(scores, Judgements(labels, offsets=offsets), PAPER.ties)
    np.testing.assert_array_equal(
        measure(by_offsets, PAPER), measure(together(several, PAPER), PAPER)
    )
