"""Check the arrays that users pass to rankers: features, labels and queries that fit together."""

import numpy as np
from numpy.typing import ArrayLike

from arsm_l2r.metrics import Judgements

MAX_LABEL = 30
"""Gains of 2^label - 1 must not drown each other in single precision."""


def checked_features(features: ArrayLike, columns: int | None = None) -> np.ndarray:
    """The features as a (documents, P) float32 array.

    Raises:
        ValueError: if they are not a table of finite numbers, or not of `columns` columns.
    """
    array = np.asarray(features, dtype=np.float32)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"features must be (documents, features), not of shape {array.shape}")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{array.shape[1]} features, but there must be {columns}")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"feature {column} of document {row} is {array[row, column]}")
    return np.ascontiguousarray(array)


def checked_queries(
    features: ArrayLike,
    labels: ArrayLike,
    group: ArrayLike | None = None,
    *,
    qid: ArrayLike | None = None,
    columns: int | None = None,
    relevant_from: int = 1,
) -> tuple[np.ndarray, Judgements]:
    """Check features, labels and queries.

    Args:
        features: (documents, P).
        labels: (documents,) whole numbers from 0.
        group: (queries,) how many documents each query has.
        qid: (documents,) each document's query, instead of `group`; documents of one query
            stand together.
        columns: the P that is required, if any.
        relevant_from: the lowest label that counts as relevant.

    Raises:
        ValueError: saying what does not fit, and where.
    """
    table = checked_features(features, columns)
    if (group is None) == (qid is None):
        raise ValueError("give either group or qid")
    sizes = group if qid is None else group_of_qid(qid)
    judgements = Judgements(labels, sizes, relevant_from=relevant_from)
    if len(judgements.labels) != len(table):
        raise ValueError(f"{len(table)} documents, but {len(judgements.labels)} labels")
    if (judgements.labels > MAX_LABEL).any():
        at = int(np.flatnonzero(judgements.labels > MAX_LABEL)[0])
        raise ValueError(f"label {judgements.labels[at]} of document {at} is above {MAX_LABEL}")
    return table, judgements


def group_of_qid(qid: ArrayLike) -> np.ndarray:
    """Documents per query from each document's query.

    Raises:
        ValueError: if the documents of a query do not stand together.
    """
    ids = np.asarray(qid)
    if ids.ndim != 1 or not len(ids):
        raise ValueError(f"qid must be one query per document, not of shape {ids.shape}")
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    names, counts = np.unique(ids[starts], return_counts=True)
    if (counts > 1).any():
        raise ValueError(f"the documents of query {names[counts > 1][0]} do not stand together")
    return np.diff(np.append(starts, len(ids)))
