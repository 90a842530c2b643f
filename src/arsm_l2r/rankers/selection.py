"""Choosing between trained models on validation data, in the same way for every method."""

from typing import Annotated

import numpy as np
from pydantic import Field

from arsm_l2r.declared import OneOf
from arsm_l2r.metrics import LETOR, PAPER_MEASURES, Judgements, evaluate, means

SELECTION_MEASURES = (*PAPER_MEASURES, "mean")
"""What models can be selected on; `mean` is the mean of the others."""

SelectOn = Annotated[
    str,
    OneOf(lambda: SELECTION_MEASURES),
    Field(
        description="Validation measure by which the best candidate (epoch, round, tree, cost) is "
        "selected, in LETOR's convention; `mean` is the mean of the others."
    ),
]
"""The setting that every method has."""


def selection_measures(scores: np.ndarray, judgements: Judgements) -> dict[str, float]:
    """The measures to select on, in the LETOR convention."""
    found = means(evaluate(scores, judgements, LETOR))
    return found | {"mean": float(np.mean(list(found.values())))}
