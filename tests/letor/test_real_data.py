"""The real data sets, where their archives are at hand."""

import os
from pathlib import Path

import pytest

from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.describe import describe
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.store import Stored

from .tiny import changed, facts_of

ROOT = Path(__file__).parents[2]
MIRROR = Path(os.environ.get("LETOR_MIRROR") or ROOT.parent / "shared" / "letor")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "mq2007",
            {
                "queries": 1_692,
                "documents": 69_623,
                "features": 46,
                "labels": {"0": 51_632, "1": 14_128, "2": 3_863},
                "queries_without_relevant": 237,
            },
        ),
        (
            "ohsumed",
            {
                "queries": 106,
                "documents": 16_140,
                "features": 45,
                "labels": {"0": 11_303, "1": 2_585, "2": 2_252},
                "queries_without_relevant": 1,
            },
        ),
    ],
    ids=["mq2007", "ohsumed"],
)
def test_real_data_set_is_the_one_the_catalogue_knows(
    tmp_path: Path, name: str, expected: dict[str, object]
) -> None:
    dataset = changed(find_dataset(ROOT / "config" / "datasets.yaml", name), sources=())
    if not list(MIRROR.glob(f"{dataset.archive}*")):
        pytest.skip(f"no {dataset.archive} in {MIRROR}; LETOR_MIRROR may name another folder")
    text = tmp_path / "text"
    source = fetch(dataset, text, downloads=tmp_path / "downloads", mirror=MIRROR)
    notes = prepare(dataset, text, tmp_path / "parts", str(source))
    assert tuple(map(facts_of, notes)) == dataset.parts
    judged = describe(dataset, Stored(tmp_path / "parts"))["judged"]
    assert {key: judged[key] for key in expected} == expected
