"""Choosing between trained models on validation data, in the same way for every method."""

import numpy as np

from arsm_l2r.metrics import CUTOFFS, LETOR, Judgements, evaluate, means

SELECTION_MEASURES = (*(f"ndcg@{cutoff}" for cutoff in CUTOFFS), "map", "mean")
"""What models can be selected on; `mean` is the mean of the others."""


def selection_measures(scores: np.ndarray, judgements: Judgements) -> dict[str, float]:
    """The measures to select on, in the LETOR convention."""
    found = means(evaluate(scores, judgements, LETOR))
    return found | {"mean": float(np.mean(list(found.values())))}


def check_selection(measure: str) -> None:
    """Raise ValueError unless models can be selected on `measure`."""
    if measure not in SELECTION_MEASURES:
        raise ValueError(
            f"select_on must be one of {', '.join(SELECTION_MEASURES)}, not {measure!r}"
        )
