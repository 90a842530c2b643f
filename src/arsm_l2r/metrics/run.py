"""Measure a run: lists of documents that need not have all that were judged, nor only those."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arsm_l2r.metrics.conventions import TREC
from arsm_l2r.metrics.evaluation import evaluate
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.measure import PAPER_MEASURES

Scores = Mapping[str, Mapping[str, float]]
"""The score of each document that a run has, by query and document."""

Qrels = Mapping[str, Mapping[str, int]]
"""The label of each judged document, by query and document."""


@dataclass(frozen=True)
class RunMeasures:
    """What was measured.

    Attributes:
        queries: those that are judged, in the order of the qrels.
        values: (queries,) values by the measure's name; 0 for queries that the run does not have.
        not_in_run: judged queries that the run does not have.
        not_judged: queries of the run that are not judged, and left out.
    """

    queries: list[str]
    values: dict[str, np.ndarray]
    not_in_run: list[str]
    not_judged: list[str]


def evaluate_run(
    run: Scores, qrels: Qrels, measures: Sequence[str] = PAPER_MEASURES, relevant_from: int = 1
) -> RunMeasures:
    """The measures of every judged query, by trec_eval's rules.

    Documents are ranked by descending score, those of equal score by descending name. A document
    without a label, or with one below 0, has label 0. Judged documents that the run does not have
    count among those that could be found: in ideal gains, recall and average precision.

    Args:
        run: finite scores.
        qrels: labels up to 52.
        measures: names of measures.
        relevant_from: the lowest label that counts as relevant.

    Raises:
        ConfigError: if there is no such measure, naming those that there are.
        ValueError: if the run has no documents for any judged query.
    """
    queries = list(qrels)
    in_run = [query for query in queries if run.get(query)]
    if not in_run:
        raise ValueError("none of the run's queries is judged")
    lists = [_ranked(run[query]) for query in in_run]
    missing = [[name for name in qrels[query] if name not in run[query]] for query in in_run]
    judgements = Judgements(
        _labels(in_run, lists, qrels),
        [len(own) for own in lists],
        relevant_from=relevant_from,
        missing_labels=_labels(in_run, missing, qrels),
        missing_group=[len(own) for own in missing],
    )
    # The documents are in their order already.
    scores = -np.arange(len(judgements.labels), dtype=np.float64)
    places = np.flatnonzero([bool(run.get(query)) for query in queries])
    values = {}
    for name, found in evaluate(scores, judgements, TREC, measures).items():
        values[name] = np.zeros(len(queries))
        values[name][places] = found
    return RunMeasures(
        queries,
        values,
        not_in_run=[query for query in queries if not run.get(query)],
        not_judged=[query for query in run if query not in qrels],
    )


def _ranked(scores: Mapping[str, float]) -> list[str]:
    """Names by descending score, then by descending name."""
    return sorted(scores, key=lambda name: (scores[name], name), reverse=True)


def _labels(queries: list[str], lists: list[list[str]], qrels: Qrels) -> np.ndarray:
    labels = [
        max(qrels[query].get(name, 0), 0)
        for query, names in zip(queries, lists, strict=True)
        for name in names
    ]
    return np.array(labels, dtype=np.int64)
