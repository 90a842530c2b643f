"""Queries like those of MQ2007 in number, length and labels, for measurements without any data."""

from pathlib import Path

import numpy as np
from scipy.stats import gamma

FEATURES = 46
LABEL_LIMITS = (0.742, 0.945)
"""Shares of documents with label 0, and with label 0 or 1, in MQ2007."""

Queries = tuple[np.ndarray, np.ndarray, np.ndarray]
"""(documents, P) float32 features, (documents,) labels, (queries,) documents per query."""


def queries_like_mq2007(count: int, seed: int = 0) -> Queries:
    """So many queries of 6 to 147 documents, 41 on average, in random order."""
    lengths = gamma.ppf((np.arange(count) + 0.5) / count, a=4.0, scale=10.5)
    group = np.clip(lengths, 6, 147).round().astype(np.int64)
    return queries_of(np.random.default_rng(seed).permutation(group), seed)


def queries_of(group: np.ndarray, seed: int = 0) -> Queries:
    """Queries of given lengths, whose labels depend on the first features."""
    draw = np.random.default_rng([seed, 1])
    documents = int(np.sum(group))
    features = draw.random(size=(documents, FEATURES), dtype=np.float32)
    worth = features[:, :4].sum(axis=1) + 0.5 * draw.normal(size=documents)
    labels = np.digitize(worth, np.quantile(worth, LABEL_LIMITS))
    return features, labels, np.asarray(group)


def stored_queries(parts: Path, fold: int) -> Queries:
    """The training set of a fold that `scripts/prepare.py` stored."""
    from arsm_l2r.letor.store import read_fold

    train = read_fold(parts, fold).train
    return train.features, train.labels, train.group


def first_queries(queries: Queries, count: int) -> Queries:
    """The first so many of some queries."""
    features, labels, group = queries
    end = int(group[:count].sum())
    return features[:end], labels[:end], group[:count]
