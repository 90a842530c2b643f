import numpy as np
import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.rankers.scoring import SCORINGS, check_scoring, scores

P = np.array([0.1, 0.2, 0.3, 0.15, 0.05, 0.05, 0.05, 0.1])  # C = 8
LEVELS = range(1, 9)

EXPECTED = {
    "linear": sum(c * p for c, p in zip(LEVELS, P, strict=True)),
    "squared": sum(c**2 * p for c, p in zip(LEVELS, P, strict=True)),
    "exponential": sum(2 ** (4 * c / 8) * p for c, p in zip(LEVELS, P, strict=True)),
    "rank": sum(p * (P[:at].sum() + p / 2) for at, p in enumerate(P)),
    "top": 0.05 + 0.1,
    "log-odds": np.log((0.05 + 0.05 + 0.05 + 0.1) / (0.1 + 0.2 + 0.3 + 0.15)),
}


@pytest.mark.parametrize("scoring", SCORINGS)
def test_score_is_a_combination_of_the_levels_probabilities(scoring: str) -> None:
    logits = np.log(P) + 3.7  # a constant changes no probability
    assert scores(logits[None], scoring).tolist() == pytest.approx([EXPECTED[scoring]])


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("levels", [2, 3, 20])
def test_surely_higher_level_scores_no_lower_and_the_highest_most(
    scoring: str, levels: int
) -> None:
    found = scores(50 * np.eye(levels), scoring)
    assert (np.diff(found) >= -1e-12).all()
    assert found[-1] > found[0]


@pytest.mark.parametrize("scoring", SCORINGS)
def test_extreme_logits_give_finite_scores(scoring: str) -> None:
    logits = np.array([[1e30, 0, -1e30], [-1e30, 0, 1e30], [3e38, 3e38, 3e38]], dtype=np.float32)
    assert np.isfinite(scores(logits, scoring)).all()


def test_scores_are_in_double_precision() -> None:
    assert scores(np.zeros((1, 3), dtype=np.float32), "linear").dtype == np.float64


def test_unknown_scoring_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ConfigError, match=f"no scoring 'cubic'; there are {', '.join(SCORINGS)}"):
        check_scoring("cubic")
    with pytest.raises(ConfigError, match="no scoring 'cubic'"):
        scores(np.zeros((1, 3)), "cubic")
