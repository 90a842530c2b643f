"""What jobs ask for grows with the data, with the work and with the attempt."""

from pathlib import Path

import pytest

from arsm_l2r.experiments.job_needs import (
    UNDESCRIBED_DOCUMENTS,
    documents,
    feature_megabytes,
    preparation_memory,
    preparation_minutes,
    training_memory,
    training_minutes,
)
from arsm_l2r.letor.catalogue import load_catalogue

from ..letor.tiny import changed

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "config/datasets.yaml")
MQ2007, OHSUMED, SYNTHETIC = (CATALOGUE[name] for name in ("mq2007", "ohsumed", "synthetic"))
PAPER = {"epochs": 2000, "samples": 1}


def test_documents_are_counted_as_described() -> None:
    assert documents(MQ2007) == 14013 + 14290 + 13855 + 13813 + 13652
    assert feature_megabytes(MQ2007) == 4 * 46 * documents(MQ2007) / 2**20
    assert documents(changed(MQ2007, parts=())) == UNDESCRIBED_DOCUMENTS


def test_larger_data_get_more() -> None:
    data = [SYNTHETIC, OHSUMED, MQ2007, changed(MQ2007, parts=())]
    for needs in (
        [preparation_memory(each, 1) for each in data],
        [training_memory(each, 1, network=True) for each in data],
        [training_memory(each, 1, network=False) for each in data],
        [training_minutes(each, PAPER, 1) for each in data],
    ):
        assert needs == sorted(set(needs))


def test_every_attempt_gets_as_much_again() -> None:
    for needs in (
        lambda attempt: preparation_memory(MQ2007, attempt),
        lambda attempt: preparation_minutes(MQ2007, attempt),
        lambda attempt: training_memory(MQ2007, attempt, network=True),
        lambda attempt: training_minutes(MQ2007, PAPER, attempt),
    ):
        assert needs(3) == pytest.approx(3 * needs(1), abs=2)


def test_there_is_room_above_what_was_measured() -> None:
    assert 2 * 1_000 <= training_memory(MQ2007, 1, network=True) <= 4_000
    assert 2 * 225 <= training_memory(MQ2007, 1, network=False) <= 2_000
    assert 3 * 11 <= training_minutes(MQ2007, PAPER, 1) <= 120
    assert 3 * 4 <= training_minutes(OHSUMED, PAPER, 1) <= 60
    assert 2 * 321 <= preparation_memory(MQ2007, 1) <= 2_000


def test_longer_training_gets_more_time() -> None:
    short, long = {"epochs": 100, "samples": 1}, {"epochs": 2000, "samples": 4}
    assert training_minutes(MQ2007, short, 1) < training_minutes(MQ2007, PAPER, 1)
    assert training_minutes(MQ2007, PAPER, 1) < training_minutes(MQ2007, long, 1)
    assert training_minutes(MQ2007, {"costs": [1.0]}, 1) < training_minutes(MQ2007, PAPER, 1)


def test_own_data_of_unknown_size_get_sane_values() -> None:
    own = changed(MQ2007, parts=(), features=136)
    assert 4_000 <= training_memory(own, 1, network=True) <= 16_000
    assert training_minutes(own, PAPER, 1) <= 24 * 60
    assert preparation_memory(own, 1) <= 16_000


def test_more_members_and_many_levels_get_more_time() -> None:
    base = training_minutes(MQ2007, PAPER, 1)
    assert training_minutes(MQ2007, {**PAPER, "members": 4}, 1) > 2 * base
    assert training_minutes(MQ2007, {**PAPER, "levels": 40}, 1) > 2 * base
    assert training_minutes(MQ2007, {**PAPER, "levels": 3}, 1) == base
