"""The named ways of evaluating: everything that makes two numbers of one name differ."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arsm_l2r.metrics.ranking import Ties


def letor_discount(ranks: np.ndarray) -> np.ndarray:
    """1 at ranks 1 and 2, then 1 / log2(rank): what LETOR's tools do."""
    return np.asarray(1.0 / np.log2(np.maximum(ranks, 2)))


def standard_discount(ranks: np.ndarray) -> np.ndarray:
    """1 / log2(1 + rank): the paper's equation, and most of the literature."""
    return np.asarray(1.0 / np.log2(1.0 + ranks))


@dataclass(frozen=True)
class Convention:
    """How measures treat what their definitions leave open.

    Attributes:
        name: as it appears in results.
        discount: the weight of a rank (from 1) in DCG.
        ties: what equal scores mean.
        short_ndcg: NDCG@k of a query with fewer than k documents: `zero`, or `shorter`, which
            uses the documents there are.
        short_precision: the same for precision at k, where `shorter` counts the missing
            documents as not relevant.
        no_relevant: every measure of a query without a relevant document; such queries are
            part of the mean.
    """

    name: str
    discount: Callable[[np.ndarray], np.ndarray]
    ties: Ties
    short_ndcg: Literal["zero", "shorter"]
    short_precision: Literal["zero", "shorter"] = "shorter"
    no_relevant: float = 0.0


LETOR = Convention("letor", letor_discount, ties="file order", short_ndcg="zero")
"""Microsoft's evaluation tool of LETOR 4.0."""

LETOR3 = Convention(
    "letor3", letor_discount, ties="file order", short_ndcg="zero", short_precision="zero"
)
"""The tool of LETOR 3.0: it differs from 4.0 in precision at k of short lists only."""

PAPER = Convention("paper", standard_discount, ties="expected", short_ndcg="shorter")
"""The paper's equations. They leave NDCG undefined without a relevant document: 0 here, too."""

TREC = Convention("trec", standard_discount, ties="file order", short_ndcg="shorter")
"""For runs, whose documents are sorted before (`arsm_l2r.metrics.run`), as trec_eval measures."""

CONVENTIONS = {convention.name: convention for convention in (LETOR, PAPER)}
"""The conventions that every result is given in."""
