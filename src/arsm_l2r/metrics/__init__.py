"""Measures of ranking quality, each with its treatment of ties and edge cases declared."""

from arsm_l2r.metrics.average_precision import average_precision
from arsm_l2r.metrics.conventions import CONVENTIONS, LETOR, LETOR3, PAPER, Convention
from arsm_l2r.metrics.evaluation import CUTOFFS, evaluate, means
from arsm_l2r.metrics.judgements import Judgements
from arsm_l2r.metrics.ndcg import mean_ndcg, ndcg
from arsm_l2r.metrics.precision import precision
from arsm_l2r.metrics.ranking import Ranking, Ties, rank
from arsm_l2r.metrics.reciprocal_rank import reciprocal_rank
from arsm_l2r.metrics.significance import (
    Interval,
    bootstrap_interval,
    holm,
    randomisation_test,
)

__all__ = [
    "CONVENTIONS",
    "CUTOFFS",
    "LETOR",
    "LETOR3",
    "PAPER",
    "Convention",
    "Interval",
    "Judgements",
    "Ranking",
    "Ties",
    "average_precision",
    "bootstrap_interval",
    "evaluate",
    "holm",
    "mean_ndcg",
    "means",
    "ndcg",
    "precision",
    "randomisation_test",
    "rank",
    "reciprocal_rank",
]
