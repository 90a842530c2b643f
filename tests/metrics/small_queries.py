"""Made-up queries of a few documents, with many ties, for tests of any measure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from arsm_l2r.metrics import Convention, Judgements, Ranking, rank

LABELS = st.integers(0, 3)
SCORES = st.integers(-1, 1)


@dataclass(frozen=True)
class Query:
    """One query; documents with equal scores are tied."""

    labels: tuple[int, ...]
    scores: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def has_relevant(self) -> bool:
        return max(self.labels) > 0


def queries(
    scores: st.SearchStrategy[float] = SCORES,
    *,
    labels: st.SearchStrategy[int] = LABELS,
    distinct: bool = False,
    min_size: int = 1,
    max_size: int = 6,
) -> st.SearchStrategy[Query]:
    """Queries of a few documents; `distinct` leaves no ties."""
    documents = st.lists(
        st.tuples(labels, scores),
        min_size=min_size,
        max_size=max_size,
        unique_by=(lambda document: document[1]) if distinct else None,
    )
    return documents.map(lambda pairs: Query(*zip(*pairs, strict=True)))


def ranked(
    labels: Sequence[int], scores: Sequence[float], convention: Convention, relevant_from: int = 1
) -> Ranking:
    """The ranking of one query."""
    judgements = Judgements(labels, [len(labels)], relevant_from=relevant_from)
    return rank(scores, judgements, convention.ties)


def in_order(labels: Sequence[int], convention: Convention, relevant_from: int = 1) -> Ranking:
    """One query whose documents are ranked as they are given, without ties."""
    return ranked(labels, range(len(labels), 0, -1), convention, relevant_from)


def together(several: Sequence[Query], convention: Convention) -> Ranking:
    """The ranking of several queries at once."""
    labels = np.concatenate([query.labels for query in several])
    scores = np.concatenate([query.scores for query in several])
    return rank(scores, Judgements(labels, [len(query) for query in several]), convention.ties)
