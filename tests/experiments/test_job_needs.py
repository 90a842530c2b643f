"""What jobs ask for grows with the data, with the work and with the attempt."""

from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.experiments.job_needs import (
    documents_in_parts,
    documents_in_text,
    feature_megabytes,
    preparation_memory,
    preparation_minutes,
    reading_memory,
    training_memory,
    training_minutes,
)
from arsm_l2r.letor.catalogue import QuerySplit, load_catalogue

from ..letor.tiny import DATASET, changed, fold_files, store

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "config/datasets.yaml")
MQ2007, OHSUMED, SYNTHETIC = (CATALOGUE[name] for name in ("mq2007", "ohsumed", "synthetic"))
WEB30K = CATALOGUE["mslr-web30k"]
PAPER = {"epochs": 2000, "samples": 1}
RANKS, BESIDE = ({"feature_scaling": kind} for kind in ("quantile", "values-and-quantiles"))
NOWHERE = "not looked at where the catalogue counts"


def test_documents_are_counted_as_described() -> None:
    count = 14013 + 14290 + 13855 + 13813 + 13652
    assert documents_in_text(MQ2007, NOWHERE) == documents_in_parts(MQ2007, NOWHERE) == count
    assert feature_megabytes(MQ2007, count) == 4 * 46 * count / 2**20


def test_larger_data_get_more() -> None:
    data = [SYNTHETIC, OHSUMED, MQ2007]
    for needs in (
        [preparation_memory(each, 1, NOWHERE) for each in data],
        [training_memory(each, PAPER, 1, NOWHERE, network=True) for each in data],
        [training_memory(each, PAPER, 1, NOWHERE, network=False) for each in data],
        [reading_memory(each, NOWHERE) for each in data],
        [training_minutes(each, PAPER, 1, NOWHERE) for each in data],
    ):
        assert needs == sorted(set(needs))


def test_every_attempt_gets_as_much_again() -> None:
    for needs in (
        lambda attempt: preparation_memory(MQ2007, attempt, NOWHERE),
        lambda attempt: preparation_minutes(MQ2007, attempt, NOWHERE),
        lambda attempt: training_memory(MQ2007, PAPER, attempt, NOWHERE, network=True),
        lambda attempt: training_minutes(MQ2007, PAPER, attempt, NOWHERE),
    ):
        assert needs(3) == pytest.approx(3 * needs(1), abs=2)


def test_there_is_room_above_what_was_measured() -> None:
    assert 2 * 1_000 <= training_memory(MQ2007, PAPER, 1, NOWHERE, network=True) <= 4_000
    assert 2 * 225 <= training_memory(MQ2007, PAPER, 1, NOWHERE, network=False) <= 2_000
    assert 3 * 11 <= training_minutes(MQ2007, PAPER, 1, NOWHERE) <= 120
    assert 3 * 4 <= training_minutes(OHSUMED, PAPER, 1, NOWHERE) <= 60
    assert 2 * 321 <= preparation_memory(MQ2007, 1, NOWHERE) <= 2_000
    assert 1.3 * 11_500 <= training_memory(WEB30K, BESIDE, 1, NOWHERE, network=True) <= 20_000


def test_what_the_configurations_train_at_web_size_fits_a_machine_of_24_gigabytes() -> None:
    for name in ("mslr-web10k", "mslr-web30k", "yahoo-set1"):
        for network in (True, False):
            assert training_memory(CATALOGUE[name], RANKS, 1, NOWHERE, network=network) < 12_000
        assert preparation_memory(CATALOGUE[name], 1, NOWHERE) < 6_000


def test_many_parts_that_are_written_at_the_same_time_count() -> None:
    many = changed(WEB30K, layout=changed(WEB30K.layout, files="*.txt", split=QuerySplit(parts=50)))
    assert preparation_memory(many, 1, NOWHERE) > 5_000
    assert 2 * 142 <= reading_memory(MQ2007, NOWHERE) <= 1_000


def test_longer_training_gets_more_time() -> None:
    short, long = {"epochs": 100, "samples": 1}, {"epochs": 2000, "samples": 4}
    assert training_minutes(MQ2007, short, 1, NOWHERE) < training_minutes(MQ2007, PAPER, 1, NOWHERE)
    assert training_minutes(MQ2007, PAPER, 1, NOWHERE) < training_minutes(MQ2007, long, 1, NOWHERE)
    assert training_minutes(MQ2007, {"costs": [1.0]}, 1, NOWHERE) < training_minutes(
        MQ2007, PAPER, 1, NOWHERE
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A data set as it is fetched: fifteen files, with each of 25 documents in five of them."""
    for name, content in fold_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "source.json").write_text("{}")
    return tmp_path / "source.json"


def test_text_that_nobody_counted_is_weighed(text: Path) -> None:
    assert documents_in_text(DATASET, str(text)) == 25
    layout = changed(DATASET.layout, files="*.txt", split=QuerySplit())
    assert documents_in_text(changed(DATASET, layout=layout), str(text)) == 5 * 25


def test_much_text_is_weighed_by_its_first_lines(tmp_path: Path) -> None:
    layout = changed(DATASET.layout, files="*.txt", split=QuerySplit())
    (tmp_path / "all.txt").write_text("0 qid:1 1:0.5 2:0.25\n" * 200_000)
    (tmp_path / "source.json").write_text("{}")
    counted = documents_in_text(changed(DATASET, layout=layout), str(tmp_path / "source.json"))
    assert counted == pytest.approx(200_000, rel=0.01)


def test_parts_that_nobody_counted_say_what_they_hold(tmp_path: Path) -> None:
    table = pl.DataFrame({"label": [0] * 7, "qid": [1] * 7, "docid": [None] * 7})
    table = table.cast({"label": pl.UInt8, "docid": pl.String})
    store(DATASET, [table] * 3, tmp_path / "parts")
    assert documents_in_parts(DATASET, str(tmp_path / "parts")) == 21


def test_what_is_not_there_yet_is_an_error_that_names_it(tmp_path: Path) -> None:
    for needs in (
        lambda path: preparation_memory(DATASET, 1, path),
        lambda path: preparation_minutes(DATASET, 1, path),
        lambda path: reading_memory(DATASET, path),
        lambda path: training_memory(DATASET, PAPER, 1, path, network=True),
        lambda path: training_minutes(DATASET, PAPER, 1, path),
    ):
        # Snakemake compares it with the rule's inputs, and asks again when they are there.
        with pytest.raises(FileNotFoundError) as error:
            needs(str(tmp_path / "missing"))
        assert error.value.filename == str(tmp_path / "missing")


def test_damaged_parts_are_left_to_the_job_to_complain_about(tmp_path: Path) -> None:
    (tmp_path / "S1.parquet").write_text("not Parquet")
    assert training_memory(DATASET, PAPER, 1, str(tmp_path), network=True) == 2_000


def test_more_members_and_many_levels_get_more_time() -> None:
    base = training_minutes(MQ2007, PAPER, 1, NOWHERE)
    assert training_minutes(MQ2007, {**PAPER, "members": 4}, 1, NOWHERE) > 2 * base
    assert training_minutes(MQ2007, {**PAPER, "levels": 40}, 1, NOWHERE) > 2 * base
    assert training_minutes(MQ2007, {**PAPER, "levels": 3}, 1, NOWHERE) == base
