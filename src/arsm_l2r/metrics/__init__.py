"""Measures of ranking quality, each with its treatment of ties and edge cases declared.

A measure is found by its name once its module is imported. All modules of this package are, so
that a new measure is one more file (`docs/own-measure.md`).
"""

from arsm_l2r.metrics.average_precision import average_precision, average_precision_at
from arsm_l2r.metrics.conventions import CONVENTIONS, LETOR, LETOR3, PAPER, TREC, Convention
from arsm_l2r.metrics.evaluation import evaluate, means
from arsm_l2r.metrics.expected_reciprocal_rank import expected_reciprocal_rank
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.measure import (
    PAPER_MEASURES,
    measure,
    measure_descriptions,
    measure_names,
)
from arsm_l2r.metrics.names import Measure, measure_by_name, measure_title
from arsm_l2r.metrics.ndcg import mean_ndcg, ndcg
from arsm_l2r.metrics.precision import precision
from arsm_l2r.metrics.ranking import Ranking, Ties, rank
from arsm_l2r.metrics.recall import r_precision, recall
from arsm_l2r.metrics.reciprocal_rank import reciprocal_rank, reciprocal_rank_at
from arsm_l2r.metrics.run import RunMeasures, evaluate_run
from arsm_l2r.metrics.significance import (
    Interval,
    bootstrap_interval,
    holm,
    monte_carlo_error,
    randomisation_test,
    randomisation_tests,
)
from arsm_l2r.metrics.success import success
from arsm_l2r.registry import import_modules

import_modules(__name__, __path__)

__all__ = [
    "CONVENTIONS",
    "LETOR",
    "LETOR3",
    "PAPER",
    "PAPER_MEASURES",
    "TREC",
    "Convention",
    "Interval",
    "Judgements",
    "Measure",
    "Ranking",
    "RunMeasures",
    "Ties",
    "average_precision",
    "average_precision_at",
    "bootstrap_interval",
    "evaluate",
    "evaluate_run",
    "expected_reciprocal_rank",
    "holm",
    "mean_ndcg",
    "means",
    "measure",
    "measure_by_name",
    "measure_descriptions",
    "measure_names",
    "measure_title",
    "monte_carlo_error",
    "ndcg",
    "precision",
    "r_precision",
    "randomisation_test",
    "randomisation_tests",
    "rank",
    "recall",
    "reciprocal_rank",
    "reciprocal_rank_at",
    "success",
]
