"""The configurations of further collections, on made-up copies in a mirror."""

import json
import zipfile
from pathlib import Path

import pytest

from arsm_l2r.letor.synthetic import write_archive
from arsm_l2r.letor.web_files import write_web_like

from .conftest import TINY, Clone


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    return folder


def one_fold(clone: Clone, configuration: str, target: str, mirror: Path, *more: str) -> str:
    """Make a fold with a shipped configuration and tiny methods; what Snakemake said."""
    tiny = TINY.split("methods:")[1]
    clone.path("methods.yaml").write_text(f"methods:{tiny}")
    done = clone.snakemake(
        *(target, "--configfile", configuration, "methods.yaml", *more),
        LETOR_MIRROR=str(mirror),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_mq2008_is_run_from_a_mirror_and_said_to_be_other_than_published(
    clone: Clone, mirror: Path
) -> None:
    write_archive(mirror / "MQ2008.zip")
    fold = "results/mq2008/mq2008/fold2.json"
    one_fold(clone, "config/mq2008.yaml", fold, mirror)
    result = json.loads(clone.path(fold).read_text())
    assert (result["dataset"], result["fold"], len(result["runs"])) == ("mq2008", 2, 2 * 3)
    told = clone.path("results/mq2008/logs/prepare/mq2008.log").read_text()
    assert "MQ2008: not as published, though the figures were never compared" in told
    assert "S1: queries 36, should be 157" in told


def test_mq2008_that_is_nowhere_is_refused_with_what_to_do(clone: Clone, mirror: Path) -> None:
    catalogue = clone.path("config/datasets.yaml")
    unreachable = "http://127.0.0.1:9/MQ2008.rar"  # the port is closed: nothing is sent anywhere
    text = catalogue.read_text()
    start = text.index("\nmq2008:")
    at = text.index("- url: ", start)
    end = text.index("\n", at)
    catalogue.write_text(f"{text[:at]}- url: {unreachable}{text[end:]}")
    done = clone.snakemake(
        *("data", "--configfile", "config/mq2008.yaml"), LETOR_MIRROR=str(mirror)
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "MQ2008 could not be fetched" in said
    assert f"mirror {mirror}\n      has no MQ2008" in said
    assert "Get it by hand: https://www.microsoft.com/" in said
    assert "Traceback" not in said


def test_data_like_mslr_go_the_whole_way_with_folds_of_their_own(
    clone: Clone, mirror: Path
) -> None:
    write_web_like(mirror / "MSLR-WEB10K.zip", 40)
    fold = "results/mslr/mslr-web10k/fold1.json"
    one_fold(clone, "config/mslr.yaml", fold, mirror)
    result = json.loads(clone.path(fold).read_text())
    assert {run["relevant_from"] for run in result["runs"]} == {2}
    told = clone.path("results/mslr/logs/prepare/mslr-web10k.log").read_text()
    assert "not as published" in told
    trained = clone.path("results/mslr/logs/train/mslr-web10k/fold1/arsm-l2r/seed0.log")
    assert "unscaled" not in trained.read_text()  # features are taken by rank


def test_one_fixed_division_is_one_fold(clone: Clone, mirror: Path) -> None:
    lines = {"train": 30, "vali": 12, "test": 12}
    with zipfile.ZipFile(mirror / "ltrc_yahoo.zip", "w") as archive:
        for number in (1, 2):
            for split, count in lines.items():
                first = {"train": 0, "vali": 1000, "test": 2000}[split]
                archive.writestr(
                    f"set{number}.{split}.txt",
                    "".join(
                        f"{row % 5} qid:{first + row // 6} 1:0.{row % 9} 699:0.{row % 7}\n"
                        for row in range(count)
                    ),
                )
    fold = "results/yahoo/yahoo-set2/fold1.json"
    one_fold(clone, "config/yahoo.yaml", fold, mirror)
    assert json.loads(clone.path(fold).read_text())["dataset"] == "yahoo-set2"
