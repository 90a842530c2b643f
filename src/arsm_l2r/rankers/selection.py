"""Choosing between trained models on validation data, in the same way for every method."""

from typing import Annotated

import numpy as np
from pydantic import Field

from arsm_l2r.declared import OneOf
from arsm_l2r.metrics import CONVENTIONS, PAPER_MEASURES, Judgements, evaluate, means

SELECTION_MEASURES = (*PAPER_MEASURES, "mean")
"""What models can be selected on; `mean` is the mean of the others."""

SelectOn = Annotated[
    str,
    OneOf(lambda: SELECTION_MEASURES),
    Field(
        description="Validation measure by which the best candidate (epoch, round, tree, cost) is "
        "selected; `mean` is the mean of the others."
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
    scores: np.ndarray, judgements: Judgements, select_by: str = "letor"
) -> dict[str, float]:
    """The measures to select on, in the convention of that name."""
    found = means(evaluate(scores, judgements, CONVENTIONS[select_by]))
    return found | {"mean": float(np.mean(list(found.values())))}
