"""Measures of ranking quality, each with its treatment of ties and edge cases declared.

A measure is found by its name once its module is imported. All modules of this package are, so
that a new measure is one more file (`docs/own-measure.md`).
"""

from arsm_l2r.metrics.average_precision import average_precision
from arsm_l2r.metrics.conventions import CONVENTIONS, LETOR, LETOR3, PAPER, Convention
from arsm_l2r.metrics.evaluation import evaluate, means
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.measure import (
    PAPER_MEASURES,
    Measure,
    measure,
    measure_by_name,
    measure_descriptions,
    measure_names,
    measure_title,
)
from arsm_l2r.metrics.ndcg import mean_ndcg, ndcg
from arsm_l2r.metrics.precision import precision
from arsm_l2r.metrics.ranking import Ranking, Ties, rank
from arsm_l2r.metrics.reciprocal_rank import reciprocal_rank
from arsm_l2r.metrics.significance import (
    Interval,
    bootstrap_interval,
    holm,
    monte_carlo_error,
    randomisation_test,
    randomisation_tests,
)
from arsm_l2r.registry import import_modules

import_modules(__name__, __path__)

__all__ = [
    "CONVENTIONS",
    "LETOR",
    "LETOR3",
    "PAPER",
    "PAPER_MEASURES",
    "Convention",
    "Interval",
    "Judgements",
    "Measure",
    "Ranking",
    "Ties",
    "average_precision",
    "bootstrap_interval",
    "evaluate",
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
    "randomisation_test",
    "randomisation_tests",
    "rank",
    "reciprocal_rank",
]
