"""The embedded data set: the same everywhere, and like MQ2007 in kind."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.letor.catalogue import Dataset, find_dataset
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.part import Part
from arsm_l2r.letor.synthetic import write_archive

from .tiny import prepared

CATALOGUE = Path(__file__).parents[2] / "config" / "datasets.yaml"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return find_dataset(CATALOGUE, "synthetic")


@pytest.fixture(scope="module")
def archive(made_once: Callable[..., Path]) -> Path:
    folder = made_once("archive", lambda folder: write_archive(folder / "synthetic.zip"))
    return folder / "synthetic.zip"


@pytest.fixture(scope="module")
def parts(dataset: Dataset, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Part]:
    folder = tmp_path_factory.mktemp("synthetic")
    fetch(dataset, folder / "text", downloads=folder / "downloads", mirror=archive.parent)
    return prepared(dataset, folder / "text")


@pytest.fixture(scope="module")
def table(parts: list[Part]) -> pl.DataFrame:
    return pl.concat([part.table for part in parts])


def test_archive_holds_what_the_catalogue_says(dataset: Dataset, parts: list[Part]) -> None:
    found = tuple(
        (part.table.height, part.table["qid"].n_unique(), part.fingerprint) for part in parts
    )
    assert found == tuple((part.rows, part.queries, part.fingerprint) for part in dataset.parts)


@pytest.mark.slow
def test_another_seed_gives_other_data(archive: Path, tmp_path: Path) -> None:
    write_archive(tmp_path / "other.zip", seed=2008)
    name = "Synthetic/Fold1/test.txt"
    with zipfile.ZipFile(archive) as first, zipfile.ZipFile(tmp_path / "other.zip") as other:
        assert first.namelist() == other.namelist()
        assert first.read(name) != other.read(name)


def test_sizes_are_those_of_a_small_letor_set(table: pl.DataFrame) -> None:
    sizes = table["qid"].value_counts()["count"]
    assert len(sizes) == 180
    assert 5 <= sizes.min() < 10
    assert 55 < sizes.max() <= 60
    assert table.drop("label", "qid", "docid").columns == [f"f{n}" for n in range(1, 47)]


def test_labels_are_mixed_as_in_mq2007(table: pl.DataFrame) -> None:
    shares = [(table["label"] == label).mean() for label in range(3)]
    assert shares == pytest.approx([51_632 / 69_623, 14_128 / 69_623, 3_863 / 69_623], abs=0.02)


def test_some_queries_but_not_most_lack_a_relevant_document(table: pl.DataFrame) -> None:
    best = table.group_by("qid").agg(pl.col("label").max())["label"]
    assert 0.05 < (best == 0).mean() < 0.3


def test_features_are_scaled_per_query_and_one_is_constant(table: pl.DataFrame) -> None:
    features = pl.col("^f\\d+$")
    spread = table.group_by("qid").agg(features.max() - features.min()).drop("qid").to_numpy()
    np.testing.assert_array_equal(spread[:, :-1], 1)
    np.testing.assert_array_equal(spread[:, -1], 0)


def test_relevance_can_be_learnt_from_the_features(table: pl.DataFrame) -> None:
    """A first feature that sees a hidden property beats one that sees next to nothing."""
    telling = table.select(pl.corr("f1", "label")).item()
    silent = table.select(pl.corr("f7", "label")).item()
    assert telling > 0.2 > abs(silent)
