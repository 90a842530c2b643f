"""The measures as their definitions read, for one order of documents, and their mean over all
orders that a sort by score allows: what the fast paths are compared with.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import log2
from statistics import fmean

Measure = Callable[[Sequence[int]], float]
"""From the labels in ranked order, best rank first."""


def paper_discount(rank: int) -> float:
    return 1 / log2(1 + rank)


def letor_discount(rank: int) -> float:
    return 1.0 if rank <= 2 else 1 / log2(rank)


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """Every order of the documents by descending score: each permutation inside each tie."""
    ties = [
        [document for document, score in enumerate(scores) if score == level]
        for level in sorted(set(scores), reverse=True)
    ]
    for pieces in product(*(permutations(tie) for tie in ties)):
        yield [document for piece in pieces for document in piece]


def expectation(measure: Measure, labels: Sequence[int], scores: Sequence[float]) -> float:
    return fmean(measure([labels[document] for document in order]) for order in orders(scores))


def ndcg_at(k: int, discount: Callable[[int], float]) -> Measure:
    def dcg(ranked: Sequence[int]) -> float:
        return sum((2**label - 1) * discount(rank) for rank, label in enumerate(ranked[:k], 1))

    def ndcg(ranked: Sequence[int]) -> float:
        return dcg(ranked) / dcg(sorted(ranked, reverse=True)) if any(ranked) else 0.0

    return ndcg


def precision_at(k: int) -> Measure:
    return lambda ranked: sum(label > 0 for label in ranked[:k]) / k


def average_precision(ranked: Sequence[int]) -> float:
    hits = [rank for rank, label in enumerate(ranked, 1) if label > 0]
    return fmean(found / rank for found, rank in enumerate(hits, 1)) if hits else 0.0


def reciprocal_rank(ranked: Sequence[int]) -> float:
    return next((1 / rank for rank, label in enumerate(ranked, 1) if label > 0), 0.0)


def average_precision_at(k: int) -> Measure:
    def at(ranked: Sequence[int]) -> float:
        hits = [rank for rank, label in enumerate(ranked, 1) if label > 0]
        found = [place / rank for place, rank in enumerate(hits, 1) if rank <= k]
        return sum(found) / len(hits) if hits else 0.0

    return at


def reciprocal_rank_at(k: int) -> Measure:
    return lambda ranked: reciprocal_rank(ranked[:k])


def success_at(k: int) -> Measure:
    return lambda ranked: float(any(ranked[:k]))


def recall_at(k: int) -> Measure:
    def at(ranked: Sequence[int]) -> float:
        relevant = sum(label > 0 for label in ranked)
        return sum(label > 0 for label in ranked[:k]) / relevant if relevant else 0.0

    return at


def r_precision(ranked: Sequence[int]) -> float:
    return recall_at(sum(label > 0 for label in ranked))(ranked)


def expected_reciprocal_rank_at(k: int) -> Measure:
    """Chapelle et al. 2009, algorithm 2, with the highest grade 4."""

    def at(ranked: Sequence[int]) -> float:
        value, unsatisfied = 0.0, 1.0
        for rank, label in enumerate(ranked[:k], 1):
            satisfies = (2**label - 1) / 2**4
            value += unsatisfied * satisfies / rank
            unsatisfied *= 1 - satisfies
        return value

    return at
