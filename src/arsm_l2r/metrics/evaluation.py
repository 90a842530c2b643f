"""All measures of a run at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arsm_l2r.metrics.conventions import Convention
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.measure import PAPER_MEASURES, MeasureKind
from arsm_l2r.metrics.names import measure_by_name
from arsm_l2r.metrics.ranking import rank


def evaluate(
    scores: ArrayLike,
    judgements: Judgements,
    convention: Convention,
    measures: Sequence[str] = PAPER_MEASURES,
) -> dict[str, np.ndarray]:
    """The measures of every query.

    Args:
        scores: (documents,) finite numbers, higher is better.
        judgements: the documents' labels and queries.
        convention: what the measures' definitions leave open.
        measures: names of measures, such as `ndcg@5`, `map`, also those of ir_measures, such as
            `nDCG@5`, `AP`.

    Returns:
        (queries,) values by the measure's name, ours, in the order of `measures`.

    Raises:
        ConfigError: if there is no such measure, naming those that there are.
    """
    # Measures that differ in their cut-offs only are computed together.
    names: list[str] = []
    wanted: dict[tuple[MeasureKind, int | None], dict[str, int | None]] = {}
    for name in measures:
        found = measure_by_name(name)
        names.append(found.name)
        wanted.setdefault((found.kind, found.relevant_from), {})[found.name] = found.cutoff
    ranking = rank(scores, judgements, convention.ties)
    values: dict[str, np.ndarray] = {}
    for (kind, relevant_from), cutoffs in wanted.items():
        counted = ranking if relevant_from is None else ranking.counting_from(relevant_from)
        columns = kind.values(counted, convention, list(cutoffs.values()))
        values.update(zip(cutoffs, columns, strict=True))
    for name in names:
        if np.shape(values[name]) != (judgements.queries,):
            raise ValueError(
                f"the measure {name} returned shape {np.shape(values[name])}; it must be "
                f"(queries,) = ({judgements.queries},)"
            )
    return {name: values[name] for name in names}


def means(measures: dict[str, np.ndarray]) -> dict[str, float]:
    """The mean of each measure over queries."""
    return {name: float(values.mean()) for name, values in measures.items()}
