"""Check the arrays that users pass to rankers: features, labels and queries that fit together."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from arsm_l2r.metrics import Judgements

MAX_LABEL = 30
"""Gains of 2^label - 1 must not drown each other in single precision."""


Features = Any
"""A table of features: a NumPy array, a SciPy sparse matrix or array, a pandas or polars frame, or
anything that NumPy makes an array of."""


def checked_features(features: Features, columns: int | None = None) -> np.ndarray:
    """The features as a (documents, P) float32 array.

    Raises:
        ValueError: if they are not a table of finite numbers, or not of `columns` columns.
    """
    array = _as_float32(features)
    if array.ndim != 2:
        raise ValueError(
            f"features must be (documents, features), not of shape {array.shape}. Reshape your "
            "data: one row per document"
        )
    if array.shape[1] == 0:
        raise ValueError(f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{array.shape[1]} features, but there must be {columns}")
    # The sum tells without a second array of this size; it cannot overflow in double precision.
    if not np.isfinite(array.sum(dtype=np.float64)) and not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        kind = "NaN" if np.isnan(array[row, column]) else "infinity"
        raise ValueError(
            f"feature {column} of document {row} is {array[row, column]} ({kind}): features must "
            "be finite numbers that fit into 32 bits"
        )
    return np.ascontiguousarray(array)


def _as_float32(features: Features) -> np.ndarray:
    if sparse.issparse(features):
        return np.asarray(features.toarray(), dtype=np.float32)
    if hasattr(features, "collect"):
        raise ValueError("features must be a table that is there, not a LazyFrame: collect() it")
    if hasattr(features, "to_numpy"):  # a frame of pandas or polars
        features = features.to_numpy()
    array = np.asarray(features)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: features must be real numbers")
    if array.dtype.kind in "mM":
        raise ValueError("features must be numbers, not dates or durations")
    try:
        with np.errstate(over="ignore"):
            return array.astype(np.float32, copy=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"features must be numbers: {error}") from error


def checked_queries(
    features: Features,
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
    if labels is None:
        raise ValueError("a ranker requires y to be passed, but the target y is None")
    table = checked_features(features, columns)
    judgements = checked_judgements(labels, group, qid=qid, relevant_from=relevant_from)
    if len(judgements.labels) != len(table):
        raise ValueError(f"{len(table)} documents, but {len(judgements.labels)} labels")
    return table, judgements


def checked_judgements(
    labels: ArrayLike,
    group: ArrayLike | None = None,
    *,
    qid: ArrayLike | None = None,
    relevant_from: int = 1,
) -> Judgements:
    """Check labels and queries; see `checked_queries`."""
    if (group is None) == (qid is None):
        raise ValueError("give either group or qid: a ranker must know the query of each document")
    sizes = group if qid is None else group_of_qid(qid)
    judgements = Judgements(_as_labels(labels), sizes, relevant_from=relevant_from)
    if (judgements.labels > MAX_LABEL).any():
        at = int(np.flatnonzero(judgements.labels > MAX_LABEL)[0])
        raise ValueError(f"label {judgements.labels[at]} of document {at} is above {MAX_LABEL}")
    return judgements


def _as_labels(labels: ArrayLike) -> np.ndarray:
    """Labels as one row of numbers, also where they come as a column or as Python objects."""
    array = np.asarray(labels)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"labels must be whole numbers: {error}") from error
    return array


def checked_weights(weights: ArrayLike, group: np.ndarray) -> np.ndarray:
    """What each query counts, (queries,) float32 with mean 1.

    Args:
        weights: one per query, or one per document, the same for all documents of a query.
        group: (queries,) documents per query.

    Raises:
        ValueError: if they are of another number, negative, not finite or all 0, or if documents
            of one query have different ones.
    """
    try:
        array = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must be numbers: {error}") from error
    documents = int(group.sum())
    if array.shape == (documents,) and documents != len(group):
        starts = np.cumsum(group) - group
        of_query = array[starts]
        differs = array != np.repeat(of_query, group)
        if differs.any():
            at = int(np.flatnonzero(differs)[0])
            query = int(np.searchsorted(starts, at, side="right")) - 1
            raise ValueError(
                f"sample_weight is {array[at]} for document {at} and {of_query[query]} for another "
                "of its query: a loss is of a whole query, so that its documents weigh the same"
            )
        array = of_query
    if array.shape != group.shape:
        raise ValueError(
            f"sample_weight has the shape {array.shape}; it must be one number per query "
            f"({len(group)}) or per document ({documents})"
        )
    if not (np.isfinite(array).all() and (array >= 0).all() and array.any()):
        raise ValueError("sample_weight must be finite, not negative, and not 0 for every query")
    shares = array / array.max()  # whose sum cannot overflow
    return np.asarray(shares / shares.mean(), dtype=np.float32)


def group_of_qid(qid: ArrayLike) -> np.ndarray:
    """Documents per query from each document's query.

    Raises:
        ValueError: if the documents of a query do not stand together.
    """
    ids = np.asarray(qid)
    if ids.ndim != 1 or not len(ids):
        raise ValueError(f"qid must be one query per document, not of shape {ids.shape}")
    # None, NaN and what else is no value: the last differ from themselves.
    absent = (ids != ids) | np.array([each is None for each in ids])
    if absent.any():
        raise ValueError(f"document {int(np.flatnonzero(absent)[0])} has no qid")
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    seen = set()
    for name in ids[starts].tolist():
        if name in seen:
            raise ValueError(f"the documents of query {name} do not stand together")
        seen.add(name)
    return np.diff(np.append(starts, len(ids)))
