"""The names of features, known from a frame that a ranker learns from.

What is given later is compared with them by scikit-learn.
"""

from typing import Any

import numpy as np


def feature_names(features: Any) -> np.ndarray | None:
    """The names of the columns of a frame of pandas or polars, (P,) text.

    None if it has none, or names that are not text.

    Raises:
        TypeError: if some are text and others are not.
    """
    columns = getattr(features, "columns", None)
    if columns is None:
        return None
    texts = [isinstance(name, str) for name in columns]
    if not any(texts):
        return None
    if not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but some "
            "are not text; rename the columns"
        )
    return np.asarray(list(columns), dtype=object)


def read_names(stored: Any) -> np.ndarray | None:
    """Names as a model file has them.

    Raises:
        ValueError: if they are no list of text.
    """
    if stored is None:
        return None
    if not isinstance(stored, list) or not all(isinstance(name, str) for name in stored):
        raise ValueError("its feature names are not text")
    return np.asarray(stored, dtype=object)


def check_same_names(learnt: np.ndarray | None, given: np.ndarray | None) -> None:
    """Refuse validation data whose columns are others, or in another order.

    Raises:
        ValueError: naming the first column that differs.
    """
    if learnt is None or given is None:
        return
    for number, (one, other) in enumerate(zip(learnt, given, strict=False), start=1):
        if one != other:
            raise ValueError(
                f"column {number} of eval_set is {other!r}, but that of X is {one!r}: both must "
                "have the same columns in the same order"
            )
