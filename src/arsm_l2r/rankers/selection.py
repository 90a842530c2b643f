"""Choosing between trained models on validation data, in the same way for every method."""

from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from arsm_l2r.declared import OneOf
from arsm_l2r.errors import ConfigError
from arsm_l2r.metrics import (
    CONVENTIONS,
    PAPER_MEASURES,
    Judgements,
    evaluate,
    means,
    measure_by_name,
)

SELECTION_MEASURES = (*PAPER_MEASURES, "mean")
"""What every history has; `mean` is the mean of the others."""


def selection_name(select_on: str) -> str:
    """The name in histories of what models are selected on.

    Args:
        select_on: `mean`, or any name of a measure, also one of ir_measures.

    Raises:
        ValueError: naming what there is.
    """
    if select_on in SELECTION_MEASURES:
        return select_on
    try:
        return measure_by_name(select_on).name
    except ConfigError as error:
        raise ValueError(f"must be `mean` or a measure: {error}") from error


SelectOn = Annotated[
    str,
    AfterValidator(selection_name),
    Field(
        description="Validation measure by which the best candidate (epoch, round, tree, cost) is "
        "selected: `mean`, which is the mean of `ndcg@1`, `ndcg@3`, `ndcg@5`, `ndcg@10` and `map`, "
        "one of these, or any other measure.",
        examples=list(SELECTION_MEASURES),
    ),
]
"""The setting that every method has."""

SelectBy = Annotated[
    str,
    OneOf(lambda: list(CONVENTIONS)),
    Field(
        description="Convention of the measures that candidates are selected by. `letor`: as "
        "LETOR's tools, where NDCG@k of a query with fewer than k documents is 0, so that short "
        "lists have no say; `paper`: by the paper's equations, where they count with the documents "
        "they have."
    ),
]
"""How validation data are measured; the setting that goes with `SelectOn`."""


def selection_measures(
    scores: np.ndarray, judgements: Judgements, select_by: str = "letor", select_on: str = "mean"
) -> dict[str, float]:
    """What a history has of a candidate: the paper's measures, their mean, and what is selected on.

    Args:
        scores: (documents,) by the candidate.
        judgements: of the validation documents.
        select_by: name of a convention.
        select_on: see `selection_name`; a column of its own if it is none of the others.
    """
    found = means(evaluate(scores, judgements, CONVENTIONS[select_by]))
    found |= {"mean": float(np.mean(list(found.values())))}
    wanted = selection_name(select_on)
    if wanted not in found:
        found |= means(evaluate(scores, judgements, CONVENTIONS[select_by], [wanted]))
    return found
