"""`docs/own-*.md` followed to the letter: their files, their configuration, the real workflow.

One run has a loss, an estimator, a measure and a method of a user's, each of them in one file.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from arsm_l2r import ARSMRanker

from ..workflow.conftest import Clone
from .pages import configuration, files

PAGES = ("own-loss.md", "own-estimator.md", "own-measure.md", "own-method.md")

TINY = """\
datasets: [synthetic]
seeds: [0]
methods:
  ranksvm: null
  listnet: null
  adarank-map: null
  adarank-ndcg: null
  lambdamart: null
  lambdamart-tuned: null
  listnet-network: null
  arsm-l2r-tuned: null
  arsm-l2r: {epochs: 2, hidden: [8], levels: 4}
"""


def together(one: Any, other: Any) -> Any:
    """Two configurations as a user would write them into one file."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{key: together(one.get(key), value) for key, value in other.items()}}
    return one + other if isinstance(one, list) else other


def follow(folder: Path) -> None:
    """Follow all of the pages in a new clone, and run the workflow."""
    clone = Clone.of_project(folder / "clone")
    config = yaml.safe_load(TINY)
    for page in PAGES:
        for name, text in files(page).items():
            clone.path(name).parent.mkdir(exist_ok=True)
            clone.path(name).write_text(text, encoding="utf-8")
        config = together(config, configuration(page))
    clone.path("tiny.yaml").write_text(yaml.safe_dump(config))
    done = clone.tiny("--cores", "2")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def followed(made_once: Callable[..., Path]) -> Clone:
    """A clone in which all of the pages were followed: made once, and not to be changed."""
    return Clone(made_once("followed", follow) / "clone")


def records(clone: Clone, method: str) -> list[Path]:
    found = sorted(clone.path("results/synthetic").glob(f"fold*/{method}/seed0/run.json"))
    assert len(found) == 5
    return found


def test_every_file_is_named_in_the_configuration() -> None:
    for page in PAGES:
        assert configuration(page)["extensions"] == list(files(page))


def test_own_loss_and_estimator_are_trained_with(followed: Clone) -> None:
    for record in records(followed, "arsm-l2r"):
        ranker = ARSMRanker.load(record.with_name("model.npz"))
        assert (ranker.loss, ranker.estimator) == ("precision@5", "second-draw")
    kept = json.loads(followed.path("results/configuration.json").read_text())
    assert kept["methods"]["arsm-l2r"]["loss"] == "precision@5"
    assert kept["methods"]["arsm-l2r"]["estimator"] == "second-draw"


def test_own_method_is_trained_with_its_setting(followed: Clone) -> None:
    for record in records(followed, "best-feature"):
        assert json.loads(record.read_text())["selected"]["feature"] > 0
    kept = json.loads(followed.path("results/configuration.json").read_text())
    assert kept["methods"]["best-feature"]["select_on"] == "map"


def test_own_method_stands_in_tables_by_its_title(followed: Clone) -> None:
    for ending in ("csv", "html", "tex", "md"):
        table = followed.path(f"results/tables/synthetic.{ending}").read_text(encoding="utf-8")
        assert "Best feature" in table, ending
    page = followed.path("results/report.html").read_text(encoding="utf-8")
    assert "Best feature" in page
    assert "one feature, chosen on validation data" in page


def test_own_method_stands_in_figures_with_its_colour(followed: Clone) -> None:
    figures = followed.path("results/figures/synthetic")
    for name in ("cutoffs", "spread"):
        drawn = (figures / f"{name}.svg").read_text(encoding="utf-8")
        assert "#8c564b" in drawn.lower(), name


def test_own_measure_is_a_column_of_the_tables(followed: Clone) -> None:
    for ending in ("csv", "html", "tex", "md"):
        table = followed.path(f"results/tables/synthetic.{ending}").read_text(encoding="utf-8")
        assert "F1@2" in table or "f1@2" in table, ending
    for fold in range(1, 6):
        result = json.loads(followed.path(f"results/synthetic/fold{fold}.json").read_text())
        for run in result["runs"]:
            for values in run["test"].values():
                assert 0 <= values["f1@2"] <= 1


def test_following_the_pages_again_has_nothing_left_to_do(followed: Clone) -> None:
    assert followed.jobs("--configfile", "tiny.yaml") == {}


LOSS, ESTIMATOR = "my/precision_loss.py", "my/second_draw.py"
MEASURE, METHOD = "my/f1.py", "my/best_feature.py"


@pytest.mark.parametrize(
    ("changes", "trained", "measured"),
    [
        ({LOSS: ("labels > 0", "labels > 1"), METHOD: ("best + 1, {", "best + 2, {")}, 10, 10),
        ({ESTIMATOR: ("surplus[:, None] * score", "score")}, 5, 5),
        ({MEASURE: ("(cutoff + there_are)", "(9 + cutoff + there_are)")}, 0, 10),
        ({LOSS: ("Negative expected", "Expected"), METHOD: ("#8C564B", "#8C564C")}, 0, 0),
    ],
    ids=["loss and method", "estimator", "measure", "words and colours"],
)
def test_what_changed_files_make_anew(
    followed: Clone,
    tmp_path: Path,
    changes: dict[str, tuple[str, str]],
    trained: int,
    measured: int,
) -> None:
    clone = Clone(Path(shutil.copytree(followed.folder, tmp_path / "clone")))
    for name, (old, new) in changes.items():
        before = clone.path(name).read_text(encoding="utf-8")
        assert old in before
        clone.path(name).write_text(before.replace(old, new), encoding="utf-8")
    jobs = clone.jobs("--configfile", "tiny.yaml")
    assert (jobs.get("train", 0), jobs.get("evaluate", 0)) == (trained, measured)
