"""The conventions on OHSUMED, where a mirror of the LETOR data is at hand."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.folds import fold_parts
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import RankingData, ranking_data, read_parts
from arsm_l2r.metrics import LETOR, PAPER, PAPER_MEASURES, Convention, Judgements, evaluate, means

PROJECT = Path(__file__).parents[2]
LETOR_EXPECTED = replace(LETOR, name="letor, expected ties", ties="expected")

every_convention = pytest.mark.parametrize(
    "convention", [LETOR, PAPER], ids=lambda convention: convention.name
)
Scorer = Callable[[RankingData], np.ndarray]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[RankingData]:
    """S1 … S5 of OHSUMED."""
    mirror = Path(os.environ.get("LETOR_MIRROR") or PROJECT.parent / "shared" / "letor")
    if not any(path.name.lower().startswith("ohsumed") for path in mirror.glob("*")):
        pytest.skip(f"no OHSUMED in {mirror} (LETOR_MIRROR names another mirror)")
    described = find_dataset(PROJECT / "config" / "datasets.yaml", "ohsumed")
    dataset = described.model_copy(update={"sources": ()})
    folder = tmp_path_factory.mktemp("ohsumed")
    fetch(dataset, folder / "text", downloads=folder / "downloads", mirror=mirror)
    prepare(dataset, folder / "text", folder / "parts")
    return [ranking_data(part.table, part.fingerprint) for part in read_parts(folder / "parts")]


def folds(parts: list[RankingData]) -> Iterator[tuple[list[RankingData], RankingData]]:
    """The training parts and the test part of each fold."""
    for fold in range(1, len(parts) + 1):
        rotation = fold_parts(fold, len(parts))
        (test,) = rotation.test
        yield [parts[number - 1] for number in rotation.train], parts[test - 1]


def part_means(scores: np.ndarray, part: RankingData, convention: Convention) -> np.ndarray:
    """(measures,) means over the queries of a part."""
    averaged = means(evaluate(scores, Judgements(part.labels, part.group), convention))
    return np.array([averaged[measure] for measure in PAPER_MEASURES])


def fold_mean(parts: list[RankingData], scorer: Scorer, convention: Convention) -> np.ndarray:
    """(measures,) unweighted means over the test parts of the five folds."""
    tests = [test for _, test in folds(parts)]
    return np.mean([part_means(scorer(test), test, convention) for test in tests], axis=0)


def constant(part: RankingData) -> np.ndarray:
    return np.zeros(len(part.labels))


def random(seed: int) -> Scorer:
    generator = np.random.default_rng(seed)
    return lambda part: generator.random(len(part.labels))


def best_feature_mean(parts: list[RankingData], convention: Convention) -> np.ndarray:
    """(measures,) means over folds of the feature with the best MAP on the training parts."""
    values = []
    for train, test in folds(parts):
        features = range(test.features.shape[1])
        map_of_feature = [
            sum(part_means(part.features[:, feature], part, convention)[-1] for part in train)
            for feature in features
        ]
        best = int(np.argmax(map_of_feature))
        values.append(part_means(test.features[:, best], test, convention))
    return np.mean(values, axis=0)


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        (LETOR, [0.410, 0.397, 0.399, 0.399, 0.427]),
        (LETOR_EXPECTED, [0.181, 0.182, 0.183, 0.191, 0.307]),
    ],
    ids=lambda value: value.name if isinstance(value, Convention) else "",
)
def test_constant_scores_measure_the_order_of_the_file_unless_ties_are_expected(
    parts: list[RankingData], convention: Convention, expected: list[float]
) -> None:
    assert fold_mean(parts, constant, convention).round(3).tolist() == expected


@every_convention
def test_best_single_feature_beats_random_scores(parts: list[RankingData], convention) -> None:
    by_feature = best_feature_mean(parts, convention)
    by_chance = np.mean([fold_mean(parts, random(seed), convention) for seed in range(5)], axis=0)
    assert (by_feature > by_chance + 0.05).all()


@pytest.mark.parametrize(
    "convention", [LETOR_EXPECTED, PAPER], ids=lambda convention: convention.name
)
def test_random_scores_average_to_what_ties_expect(parts: list[RankingData], convention) -> None:
    drawn = np.array([fold_mean(parts, random(seed), convention) for seed in range(200)])
    standard_errors = drawn.std(axis=0, ddof=1) / len(drawn) ** 0.5
    difference = drawn.mean(axis=0) - fold_mean(parts, constant, convention)
    assert (abs(difference) < 4 * standard_errors).all()
    assert (4 * standard_errors < 0.015).all()  # or the line above would say little
