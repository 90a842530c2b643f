"""Rank the documents of each query by score, and say what happens to equal scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from arsm_l2r.metrics.judgements import Judgements

Ties = Literal["file order", "expected"]
"""What a measure does with equal scores.

`file order`: documents keep the order in which they are given, as a stable sort does.
`expected`: the measure is averaged over all orders of the tied documents, exactly.
"""


@dataclass(frozen=True)
class Ranking:
    """Documents sorted by descending score inside each query.

    Attributes:
        judgements: the documents' labels.
        order: (documents,) which document stands at each place.
        tied: (documents,) whether the document at each place ties with the one before it.
            With ties in file order, none does: there is just one order.
    """

    judgements: Judgements
    order: np.ndarray
    tied: np.ndarray

    @cached_property
    def ranks(self) -> np.ndarray:
        """(documents,) rank of each place inside its query, from 1."""
        judgements = self.judgements
        return np.asarray(np.arange(len(self.order)) - judgements.offsets[judgements.query] + 1)

    @cached_property
    def tie_starts(self) -> np.ndarray:
        """(ties,) the first place of each group of tied documents; most groups have one."""
        return np.flatnonzero(~self.tied)

    @cached_property
    def tie_sizes(self) -> np.ndarray:
        """(ties,) how many documents each group has."""
        return np.diff(np.append(self.tie_starts, len(self.order)))

    def counting_from(self, label: int) -> "Ranking":
        """The same ranking of documents of which those with labels from `label` are relevant."""
        return replace(self, judgements=self.judgements.counting_from(label))

    def tie_means(self, values: np.ndarray) -> np.ndarray:
        """Mean of `values` (per document) over the documents tied at each place.

        What is linear in such values has its exact expectation over the order of ties when
        computed from these means.
        """
        ordered: np.ndarray = values[self.order]
        if len(self.tie_starts) == len(ordered):
            return ordered
        sums = np.add.reduceat(ordered, self.tie_starts)
        return np.repeat(sums / self.tie_sizes, self.tie_sizes)


def rank(scores: ArrayLike, judgements: Judgements, ties: Ties) -> Ranking:
    """Rank documents.

    Args:
        scores: (documents,) finite numbers, higher is better.
        judgements: the documents' labels and queries.
        ties: what to do with equal scores.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != judgements.labels.shape:
        raise ValueError(f"{values.shape} scores for {len(judgements.labels)} documents")
    if not np.isfinite(values).all():
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(f"score of document {at} is {values[at]}: scores must be finite")
    order = np.lexsort((-values, judgements.query))
    tied = np.zeros(len(order), dtype=bool)
    if ties == "expected":
        ordered = values[order]
        tied[1:] = ordered[1:] == ordered[:-1]
        tied[judgements.offsets[:-1]] = False
    elif ties != "file order":
        raise ValueError(f"ties must be 'file order' or 'expected', not {ties!r}")
    return Ranking(judgements, order, tied)


def checked_cutoffs(cutoffs: Sequence[int]) -> np.ndarray:
    """The cut-offs as an array, after checking that each is a rank."""
    places = np.asarray(list(cutoffs))
    if not places.size or places.dtype.kind not in "iu" or (places < 1).any():
        raise ValueError(f"cut-offs must be whole numbers from 1, not {list(cutoffs)}")
    return places
