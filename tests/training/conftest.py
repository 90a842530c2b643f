"""Stored data sets to train on."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.letor.catalogue import Source, find_dataset
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.synthetic import write_archive

from ..letor.tiny import changed, store

PROJECT = Path(__file__).parents[2]
CATALOGUE = PROJECT / "config" / "datasets.yaml"


@pytest.fixture(scope="session")
def synthetic_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of the embedded data set."""
    folder = tmp_path_factory.mktemp("synthetic")
    write_archive(folder / "synthetic.zip")
    dataset = changed(
        find_dataset(CATALOGUE, "synthetic"), sources=(Source(file=str(folder / "synthetic.zip")),)
    )
    fetch(dataset, folder / "text", downloads=folder / "downloads")
    prepare(dataset, folder / "text", folder / "parts")
    return folder / "parts"


@pytest.fixture(scope="session")
def small_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five parts of four queries of twelve documents, whose labels depend on their features."""
    folder = tmp_path_factory.mktemp("small") / "parts"
    draw = np.random.default_rng(0)
    tables = []
    for number in range(5):
        features = draw.random(size=(4 * 12, 5), dtype=np.float32)
        labels = np.digitize(features[:, 0] + 0.5 * features[:, 1], [0.8, 1.2])
        table = pl.DataFrame(
            {
                "label": labels.astype(np.uint8),
                "qid": np.repeat(np.arange(4), 12) + 100 * number,
                "docid": [f"D{row}" for row in range(len(labels))],
                **{f"f{column + 1}": features[:, column] for column in range(5)},
            }
        )
        tables.append(table)
    store(find_dataset(CATALOGUE, "synthetic"), tables, folder)
    return folder
