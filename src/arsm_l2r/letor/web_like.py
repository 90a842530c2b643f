"""Made-up data of the shape and size of Microsoft's MSLR-WEB10K and MSLR-WEB30K, in a stream.

Queries are drawn in blocks, each from a generator of its own, so that a query depends on the seed
and on its number only: the first queries are the same however many are drawn. They are the same
on the same machine with the same NumPy; another release of it may draw otherwise.

Relevance depends on hidden properties of query and page: in part linearly, in part through bent
functions, in part through interactions, in part by chance. Features see these properties through
noise (`arsm_l2r.letor.web_features`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.letor.web_features import MOST_TERMS, Pages, features_of

LONGEST_QUERY = 1251
"""The most documents that a query has, as in MSLR-WEB30K."""

_QUERIES_PER_BLOCK = 64
_LIMITS = (-0.2193, 0.9381, 2.0904, 2.6813)
"""Relevance from which on a label is 1, 2, 3 or 4: with these, labels are mixed as in MSLR.

Found once, as quantiles over 64,000 queries: they have to be found again if anything that
relevance depends on is changed.
"""
_TERM_SHARES = (0.16, 0.28, 0.26, 0.16, 0.09, 0.05)
"""Shares of queries with 1, 2, … terms."""


@dataclass(frozen=True)
class Block:
    """Some queries that follow each other, with all their documents.

    Attributes:
        first: the number of the first query, from 1.
        lengths: the number of documents of each query.
        labels: 0 to 4, one per document.
        features: (documents, 136) float64, as a text file has them: with up to 6 decimals.
    """

    first: int
    lengths: np.ndarray
    labels: np.ndarray
    features: np.ndarray

    @property
    def queries(self) -> np.ndarray:
        """The number of the query of each document."""
        return np.repeat(self.first + np.arange(len(self.lengths)), self.lengths)


def blocks(count: int, seed: int = 0) -> Iterator[Block]:
    """Draw queries, some at a time.

    Args:
        count: how many.
        seed: of the random numbers, at least 0.

    Raises:
        UserError: if `count` is below 1 or `seed` below 0.
    """
    if count < 1:
        raise UserError(f"the number of queries must be at least 1, not {count}")
    if seed < 0:
        raise UserError(f"the seed must be at least 0, not {seed}")
    return (
        _first_queries(_drawn_block(number, seed), count - number * _QUERIES_PER_BLOCK)
        for number in range(math.ceil(count / _QUERIES_PER_BLOCK))
    )


def web_like_queries(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw queries into memory.

    Args:
        count: how many.
        seed: of the random numbers, at least 0.

    Returns:
        Features (documents, 136) float32, labels (documents,) uint8, and the number of documents
        of each query in turn, as LightGBM's `group`.

    Raises:
        UserError: if `count` is below 1 or `seed` below 0.
    """
    features, labels, lengths = [], [], []
    for block in blocks(count, seed):
        features.append(block.features.astype(np.float32, order="C"))
        labels.append(block.labels)
        lengths.append(block.lengths)
    return np.concatenate(features), np.concatenate(labels), np.concatenate(lengths)


def _first_queries(block: Block, count: int) -> Block:
    lengths = block.lengths[:count]
    documents = lengths.sum()
    return Block(block.first, lengths, block.labels[:documents], block.features[:documents])


def _drawn_block(number: int, seed: int) -> Block:
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, number])))
    lengths = _query_lengths(generator)
    worth, pages = _worth_and_pages(lengths, generator)
    labels = np.searchsorted(_LIMITS, worth, side="right").astype(np.uint8)
    first = 1 + number * _QUERIES_PER_BLOCK
    return Block(first, lengths, labels, features_of(pages, generator))


def _query_lengths(generator: np.random.Generator) -> np.ndarray:
    """Mostly 50 to 200 documents, about 120 on average; a few queries are far off."""
    odd = generator.random(_QUERIES_PER_BLOCK) < 0.05
    bell = generator.normal(size=_QUERIES_PER_BLOCK) * np.where(odd, 1.3, 0.42)
    lengths: np.ndarray = np.rint(107 * np.exp(bell)).astype(np.int64)
    return lengths.clip(1, LONGEST_QUERY)


def _worth_and_pages(
    lengths: np.ndarray, generator: np.random.Generator
) -> tuple[np.ndarray, Pages]:
    """How relevant the documents of queries are, and the hidden properties that this is from."""
    queries, size = len(lengths), int(lengths.sum())
    query = np.repeat(np.arange(queries), lengths)
    terms = generator.choice(np.arange(1, MOST_TERMS + 1), size=queries, p=_TERM_SHARES)
    rarity = 2 + generator.gamma(4, 1.3, (MOST_TERMS, queries))
    demand = generator.normal(0, 1, queries)
    hopeless = generator.random(queries) < 0.03
    ease = generator.normal(0, 0.45, queries) - np.where(hopeless, 4.5, 0)
    # Whether a query looks for a certain site or for a topic shows in its terms and its demand.
    aim = 2.2 - terms + 0.6 * demand + generator.normal(0, 0.6, queries)
    for_site = (1 / (1 + np.exp(-1.5 * aim)))[query]

    topic, praise, authority, popularity, spam, chance = generator.normal(size=(6, size))
    praise = 0.5 * topic + 0.85 * praise
    popularity = 0.5 * authority + 0.85 * popularity
    linear = 0.25 * topic + 0.1 * praise + 0.1 * authority
    bent = 0.25 * np.tanh(2 * popularity) - 1.2 / (1 + np.exp(-5 * (spam - 0.8)))
    interaction = (for_site - 0.5) * (1.1 * authority + 0.8 * praise - 0.8 * topic)
    both = 0.3 * np.maximum(topic, 0) * np.maximum(popularity, 0)
    worth = ease[query] + linear + bent + interaction + both + 0.8 * chance

    pages = Pages(
        terms=terms[query],
        rarity=rarity[:, query],
        demand=demand[query],
        topic=topic,
        praise=praise,
        authority=authority,
        popularity=popularity,
        spam=spam,
    )
    return worth, pages
