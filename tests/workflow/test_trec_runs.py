"""Scores as TREC runs: whoever takes them measures what was measured here."""

import csv
import gzip
import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from statistics import fmean

import polars as pl
import pytest

from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.rankings import rankings_of, write_rankings
from arsm_l2r.experiments.trec_runs import named
from arsm_l2r.letor.store import Stored
from arsm_l2r.letor.trec import read_qrels, read_run
from arsm_l2r.metrics import evaluate_run

from .conftest import ROOT, Clone

pytestmark = pytest.mark.slow


def written(clone: Clone) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "trec_runs.py")],
        cwd=clone.folder,
        capture_output=True,
        text=True,
    )


def ranked(clone: Clone) -> dict[str, list[list[str]]]:
    """Query, document and rank of every line of every run, by file."""
    return {
        path.name: [
            [query, document, rank]
            for query, _, document, rank, *_ in map(
                str.split, gzip.decompress(path.read_bytes()).decode().splitlines()
            )
        ]
        for path in clone.path("runs").rglob("*.run.gz")
    }


def test_runs_of_all_folds_give_what_was_measured(finished: Clone) -> None:
    done = written(finished)
    assert done.returncode == 0, done.stderr
    runs = finished.path("runs")
    manifest = json.loads((runs / "runs.json").read_text("utf-8"))
    listed = {"runs.json", "synthetic/qrels.gz", "synthetic/folds.csv"}
    listed |= {entry["file"] for entry in manifest["runs"]}
    assert {str(path.relative_to(runs)) for path in runs.rglob("*.*")} == listed
    assert [f"runs/{name}" for name in sorted(listed)] == sorted(done.stdout.split())
    assert {entry["method"] for entry in manifest["runs"]} == {"adarank-map", "arsm-l2r"}
    with (runs / "synthetic" / "folds.csv").open() as file:
        fold_of = {row["qid"]: row["fold"] for row in csv.DictReader(file)}
    qrels = read_qrels(runs / "synthetic" / "qrels.gz")
    assert set(qrels) == set(fold_of)
    for entry in manifest["runs"]:
        path = runs / entry["file"]
        assert entry["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        run = read_run(path)
        assert {query: set(own) for query, own in run.items()} == {
            query: set(own) for query, own in qrels.items()
        }
        found = evaluate_run(run, qrels, ["map"])
        by_fold: dict[str, list[float]] = defaultdict(list)
        for query, value in zip(found.queries, found.values["map"], strict=True):
            by_fold[fold_of[query]].append(value)
        for fold, facts in entry["folds"].items():
            result = json.loads(finished.path(f"results/synthetic/fold{fold}.json").read_text())
            (own,) = (each for each in result["runs"] if each["method"] == entry["method"])
            assert facts["test"] == own["test"]["letor"]
            if entry["method"] == "arsm-l2r":  # its scores have no ties, which TREC's tools break
                assert fmean(by_fold[fold]) == pytest.approx(own["test"]["letor"]["map"], abs=1e-9)


def test_what_is_written_is_the_same_every_time(finished: Clone) -> None:
    contents = []
    for _ in range(2):
        assert written(finished).returncode == 0
        files = sorted(finished.path("runs").rglob("*.*"))
        contents.append([path.read_bytes() for path in files])
    assert contents[0] == contents[1]


def test_scores_that_do_not_give_what_was_measured_are_refused(finished: Clone) -> None:
    path = finished.path("results/synthetic/fold2/arsm-l2r/seed0/test.scores")
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    done = written(finished)
    assert done.returncode == 1
    assert "fold2/arsm-l2r/seed0/test.scores: gives a ndcg@1 of" in done.stderr
    assert not finished.path("runs/runs.json").exists()


def test_runs_on_other_data_are_refused(finished: Clone) -> None:
    path = finished.path("results/synthetic/fold1.json")
    result = json.loads(path.read_text())
    result["provenance"]["data"] = "0" * 64
    path.write_text(json.dumps(result))
    done = written(finished)
    assert done.returncode == 1
    assert "fold1.json: is of other data than these parts" in done.stderr


def test_folds_that_are_there_are_written_and_without_any_there_is_an_error(
    finished: Clone,
) -> None:
    for number in (2, 3, 4, 5):
        finished.path(f"results/synthetic/fold{number}.json").unlink()
    assert written(finished).returncode == 0
    manifest = json.loads(finished.path("runs/runs.json").read_text("utf-8"))
    assert [list(entry["folds"]) for entry in manifest["runs"]] == [["1"], ["1"]]
    text = gzip.decompress(finished.path("runs/synthetic/qrels.gz").read_bytes()).decode()
    queries = {line.split()[0] for line in text.splitlines()}
    assert 0 < len(queries) < 50
    finished.path("results/synthetic/fold1.json").unlink()
    done = written(finished)
    assert done.returncode == 1
    assert "no fold has been measured" in done.stderr


def test_published_rankings_give_what_scores_gave(finished: Clone) -> None:
    assert written(finished).returncode == 0
    from_scores = ranked(finished)
    plan = Plan.load(finished.path("results"), finished.folder)
    stored = Stored(finished.path("data/synthetic/parts"))
    for fold in plan.folds("synthetic"):
        judged = stored.judged(stored.divided(fold)[2])
        runs = [run for run in plan.runs("synthetic") if run.fold == fold]
        write_rankings(rankings_of(plan.layout, "synthetic", fold), runs, judged)
    for run in plan.runs("synthetic"):
        run.files.test.unlink()
    done = written(finished)
    assert done.returncode == 0, done.stderr
    assert ranked(finished) == from_scores


def test_documents_without_a_name_are_called_by_their_place() -> None:
    """As `arsm-l2r rank` calls them, alike in runs and qrels."""
    table = pl.DataFrame({"qid": [1, 1, 2], "docid": ["a", None, None]})
    assert named(table)["docid"].to_list() == ["a", "1.2", "2.1"]
