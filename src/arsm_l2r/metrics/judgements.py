"""What is known to be right: the labels of documents that lie flat, query after query."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_MAX_LABEL = 52
"""Above this, gains of 2^label - 1 are no longer exact in double precision."""


class Judgements:
    """Labels of documents, grouped into queries.

    Args:
        labels: (documents,) whole numbers from 0, those of one query together.
        group: (queries,) how many documents each query has.
        offsets: (queries + 1,) where each query begins, and the number of documents at the
            end; instead of `group`.
        relevant_from: the lowest label that counts as relevant where measures know only
            relevant documents and others.
        missing_labels: labels of documents that are judged and that the list to be ranked does
            not have, query after query: they count in what could have been found, and nowhere
            else.
        missing_group: (queries,) how many of them each query has.

    Raises:
        ValueError: if lengths disagree, a query is empty, or a label is negative, fractional
            or above 52.
    """

    def __init__(
        self,
        labels: ArrayLike,
        group: ArrayLike | None = None,
        *,
        offsets: ArrayLike | None = None,
        relevant_from: int = 1,
        missing_labels: ArrayLike = (),
        missing_group: ArrayLike | None = None,
    ) -> None:
        self.labels = _whole_numbers("labels", labels)
        if (group is None) == (offsets is None):
            raise ValueError("give either group or offsets")
        if group is None:
            self.offsets = _whole_numbers("offsets", offsets)
            if not len(self.offsets) or self.offsets[0] != 0:
                raise ValueError("offsets must begin with 0")
            self.group = np.diff(self.offsets)
        else:
            self.group = _whole_numbers("group", group)
            self.offsets = np.concatenate([[0], np.cumsum(self.group)])
        if not len(self.group):
            raise ValueError("there must be at least one query")
        if (self.group < 1).any():
            query = int(np.flatnonzero(self.group < 1)[0])
            raise ValueError(f"query {query} (from 0) has {self.group[query]} documents")
        if self.offsets[-1] != len(self.labels):
            raise ValueError(
                f"the queries have {self.offsets[-1]} documents, but there are "
                f"{len(self.labels)} labels"
            )
        for wrong, bound in (
            (self.labels < 0, "below 0"),
            (self.labels > _MAX_LABEL, f"above {_MAX_LABEL}"),
        ):
            if wrong.any():
                at = int(np.flatnonzero(wrong)[0])
                raise ValueError(f"label {self.labels[at]} of document {at} is {bound}")
        if not 1 <= relevant_from <= _MAX_LABEL:
            raise ValueError(f"relevant_from must be from 1 to {_MAX_LABEL}, not {relevant_from}")
        self.relevant_from = relevant_from
        self.missing_labels = _whole_numbers("missing_labels", missing_labels)
        if missing_group is None:
            missing_group = np.zeros(len(self.group), dtype=np.int64)
        self.missing_group = _whole_numbers("missing_group", missing_group)
        if len(self.missing_group) != len(self.group) or (self.missing_group < 0).any():
            raise ValueError("missing_group must have a number from 0 for each query")
        if self.missing_group.sum() != len(self.missing_labels):
            raise ValueError(
                f"missing_group has {self.missing_group.sum()} documents, but there are "
                f"{len(self.missing_labels)} missing_labels"
            )

    def counting_from(self, label: int) -> "Judgements":
        """The same labels, of which those from `label` on count as relevant."""
        return Judgements(
            self.labels,
            offsets=self.offsets,
            relevant_from=label,
            missing_labels=self.missing_labels,
            missing_group=self.missing_group,
        )

    @cached_property
    def complete(self) -> "Judgements":
        """The judgements of all documents: those of the lists, and those that they miss."""
        if not len(self.missing_labels):
            return self
        absent = np.repeat(np.arange(self.queries), self.missing_group)
        order = np.argsort(np.concatenate([self.query, absent]), kind="stable")
        labels = np.concatenate([self.labels, self.missing_labels])[order]
        group = self.group + self.missing_group
        return Judgements(labels, group, relevant_from=self.relevant_from)

    @cached_property
    def relevant_counts(self) -> np.ndarray:
        """(queries,) how many relevant documents there are, those that lists miss included."""
        complete = self.complete
        return complete.query_sums(complete.relevant.astype(np.float64))

    def query_sums(self, values: np.ndarray) -> np.ndarray:
        """(queries,) the sum of (documents,) values that lie query after query."""
        return np.asarray(np.add.reduceat(values, self.offsets[:-1]))

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return len(self.group)

    @cached_property
    def query(self) -> np.ndarray:
        """(documents,) the query, from 0, that each document belongs to."""
        return np.repeat(np.arange(self.queries), self.group)

    @cached_property
    def relevant(self) -> np.ndarray:
        """(documents,) whether each document counts as relevant."""
        return np.asarray(self.labels >= self.relevant_from)

    @cached_property
    def gains(self) -> np.ndarray:
        """(documents,) 2^label - 1."""
        return np.asarray(np.exp2(self.labels) - 1.0)

    @cached_property
    def ideal_gains(self) -> np.ndarray:
        """(documents,) each query's gains from highest to lowest."""
        return self.gains[np.lexsort((-self.labels, self.query))]

    def by_rank(self, values: np.ndarray, depth: int) -> np.ndarray:
        """The first `depth` values of each query as a (queries, depth) table, 0 past its end.

        Args:
            values: (documents,) in some order inside each query.
            depth: number of columns.
        """
        columns = np.arange(depth)
        inside = columns < self.group[:, None]
        places = np.where(inside, self.offsets[:-1, None] + columns, 0)
        return np.where(inside, values[places], 0.0)


def _whole_numbers(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.dtype.kind not in "iubf":
        raise ValueError(f"{name} must be whole numbers, not {array.dtype}")
    wrong = ~np.isfinite(array) | (array != np.floor(array))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{name} must be whole numbers, but {name}[{at}] is {array[at]}")
    return array.astype(np.int64)
