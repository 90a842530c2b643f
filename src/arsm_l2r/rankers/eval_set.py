"""Validation data in the forms that people know: ours, LightGBM's and XGBoost's."""

from typing import Any

import numpy as np

EvalSet = Any
"""Validation data: features, labels and documents per query; or, as LightGBM and XGBoost take
them, features and labels, or a list of one such pair, with its queries apart."""


def evaluation_set(
    given: EvalSet, group: Any = None, qid: Any = None
) -> tuple[Any, Any, Any, Any] | None:
    """Features, labels, group and qid of validation data, in whichever form they are given.

    Args:
        given: (X, y, group), (X, y), or a list with one of these.
        group: documents per query, or a list with them.
        qid: the query of each document, or a list with them.

    Raises:
        ValueError: if there is more than one set, or queries are missing or given twice.
    """
    if given is None:
        if group is not None or qid is not None:
            raise ValueError("eval_group and eval_qid belong to an eval_set, which is missing")
        return None
    if isinstance(given, list) and not given:  # as LightGBM has it: there are none
        return evaluation_set(None, group or None, qid or None)
    listed = isinstance(given, list) or (len(given) > 0 and isinstance(given[0], tuple))
    if listed and given and not isinstance(given[0], tuple | list):
        listed = False  # [X, y, group]
    if listed:
        if len(given) != 1:
            raise ValueError(
                f"eval_set has {len(given)} sets; give the one to select the model on, and measure "
                "the others with score"
            )
        given = given[0]
    if listed or (isinstance(given, tuple) and len(given) == 2):
        group, qid = (_only(name, each) for name, each in (("group", group), ("qid", qid)))
    if len(given) == 3:
        if group is not None or qid is not None:
            raise ValueError("the queries of eval_set are given twice")
        return given[0], given[1], given[2], None
    if len(given) != 2 or (group is None) == (qid is None):
        raise ValueError(
            "eval_set must be [(X, y)] with eval_group=[…] or eval_qid=[…], or (X, y, group)"
        )
    return given[0], given[1], group, qid


def _only(name: str, given: Any) -> Any:
    """The queries of the only set; they may also be given as they are, not in a list."""
    if given is None:
        return None
    first: Any = next(iter(given), None)
    if np.ndim(first) == 0:
        return given
    if len(given) != 1:
        raise ValueError(f"eval_{name} must be a list of one, as eval_set is, not of {len(given)}")
    return first
