"""What holds for every baseline."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import known_methods
from arsm_l2r.metrics import LETOR, PAPER, Judgements, evaluate, means
from arsm_l2r.rankers.baselines.adarank import AdaRankMAP, AdaRankNDCG
from arsm_l2r.rankers.baselines.lambdamart import LambdaMART
from arsm_l2r.rankers.baselines.listnet import ListNet
from arsm_l2r.rankers.baselines.ranksvm import RankSVM
from arsm_l2r.source_code import modules_behind, reference

from .queries import Problem, linear_problem

MAKERS: dict[str, Callable[[], Any]] = {
    "ranksvm": lambda: RankSVM(costs=(1e-2, 1.0)),
    "adarank-map": lambda: AdaRankMAP(rounds=10),
    "adarank-ndcg": lambda: AdaRankNDCG(rounds=10),
    "listnet": lambda: ListNet(epochs=30, learning_rate=0.05),
    "lambdamart": lambda: LambdaMART(trees=20, least_in_leaf=5),
}


NETWORKS = ["listnet"]


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.slow) if name in NETWORKS else name for name in MAKERS
    ]
)
def make(request: pytest.FixtureRequest) -> Callable[[], Any]:
    return MAKERS[request.param]


def test_it_learns_and_saves_and_is_deterministic(make: Callable[[], Any], tmp_path: Path) -> None:
    train, vali, test = (linear_problem(seed) for seed in (1, 2, 3))
    ranker = make().fit(*train, eval_set=vali)
    scores = ranker.predict(test.features)
    measured = means(evaluate(scores, Judgements(test.labels, test.group), PAPER))
    assert measured["ndcg@10"] > 0.85

    ranker.save(tmp_path / "model.npz")
    loaded = type(ranker).load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(test.features), scores)

    again = clone(ranker).fit(*train, eval_set=vali)
    np.testing.assert_array_equal(again.predict(test.features), scores)

    report = ranker.report()
    assert 1 <= report["selected_epoch"] <= report["epochs"]
    assert report["device"] == "cpu"
    assert ranker.history_.height == report["epochs"]


@pytest.mark.parametrize("kind", ["standard", "quantile", "values-and-quantiles"])
@pytest.mark.parametrize("method", ["ranksvm", "adarank-map", "adarank-ndcg"])
def test_scaling_is_part_of_a_linear_model(method: str, kind: str, tmp_path: Path) -> None:
    train, test = linear_problem(1), linear_problem(2)
    ranker = MAKERS[method]().set_params(feature_scaling=kind).fit(*train)
    scores = ranker.predict(test.features)
    ranker.save(tmp_path / "model.npz")
    np.testing.assert_array_equal(
        type(ranker).load(tmp_path / "model.npz").predict(test.features), scores
    )
    if kind == "values-and-quantiles":
        assert len(ranker.weights_) == 2 * train.features.shape[1]
    else:
        assert not np.array_equal(MAKERS[method]().fit(*train).predict(test.features), scores)


def test_what_is_relevant_is_what_map_is_measured_by(make: Callable[[], Any]) -> None:
    train, vali = linear_problem(1), linear_problem(2)
    ranker = make().set_params(relevant_from=2, select_on="map").fit(*train, eval_set=vali)
    judgements = Judgements(vali.labels, vali.group, relevant_from=2)
    found = means(evaluate(ranker.predict(vali.features), judgements, LETOR))
    assert ranker.history_["map"].max() == pytest.approx(found["map"], abs=1e-9)
    other = Judgements(vali.labels, vali.group)
    assert means(evaluate(ranker.predict(vali.features), other, LETOR))["map"] > found["map"]


def test_short_lists_have_a_say_if_the_papers_convention_selects(make: Callable[[], Any]) -> None:
    train, vali = linear_problem(1), linear_problem(2)
    short = Problem(vali.features[:12], vali.labels[:12], np.array([4, 4, 4]))
    by_letor = make().fit(*train, eval_set=short)
    by_paper = make().set_params(select_by="paper").fit(*train, eval_set=short)
    assert by_letor.history_["ndcg@10"].to_list() == [0] * by_letor.history_.height
    assert by_paper.history_["ndcg@10"].min() > 0.5


def test_wrong_input_is_refused(make: Callable[[], Any]) -> None:
    problem = linear_problem(seed=0)
    spoilt = problem.features.copy()
    spoilt[3, 1] = np.nan
    with pytest.raises(ValueError, match="feature 1 of document 3 is nan"):
        make().fit(spoilt, problem.labels, problem.group)
    with pytest.raises(ValueError, match="documents"):
        make().fit(problem.features, problem.labels, problem.group[:-1])
    with pytest.raises(ValueError, match="no document is relevant"):
        make().fit(problem.features, np.zeros_like(problem.labels), problem.group)
    with pytest.raises(ValueError, match="relevant_from is 3, but the highest label is 2"):
        make().set_params(relevant_from=3).fit(*problem)
    with pytest.raises(ValueError, match="select_by: must be one of letor, paper, not 'trec'"):
        make().set_params(select_by="trec").fit(*problem)
    with pytest.raises(
        ValueError, match=r"select_on: must be `mean` or a measure: no measure .*map"
    ):
        make().set_params(select_on="err").fit(*problem)
    with pytest.raises(NotFittedError):
        make().predict(problem.features)


def test_any_measure_selects_by_any_of_its_names(make: Callable[[], Any]) -> None:
    train, vali = linear_problem(1), linear_problem(2)
    usual = make().set_params(select_on="ndcg@5").fit(*train, eval_set=vali)
    same = make().set_params(select_on="nDCG@5").fit(*train, eval_set=vali)
    one, two = (each.history_.drop("seconds", strict=False) for each in (usual, same))
    assert one.equals(two)
    assert same.selected_epoch_ == usual.selected_epoch_
    other = make().set_params(select_on="ERR@5").fit(*train, eval_set=vali)
    assert set(other.history_.columns) == {*usual.history_.columns, "err@5"}
    judgements = Judgements(vali.labels, vali.group)
    found = means(evaluate(other.predict(vali.features), judgements, LETOR, ["err@5"]))
    assert other.history_["err@5"].max() == pytest.approx(found["err@5"], abs=1e-9)


def test_a_model_of_another_kind_is_refused(make: Callable[[], Any], tmp_path: Path) -> None:
    other = RankSVM if not isinstance(make(), RankSVM) else AdaRankMAP
    other(select_on="map").fit(*linear_problem(seed=0)).save(tmp_path / "model.npz")
    with pytest.raises(UserError, match="a model of kind"):
        type(make()).load(tmp_path / "model.npz")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["ranksvm", "adarank-map", "adarank-ndcg", "lambdamart"])
def test_a_job_without_a_network_never_loads_tensorflow(method: str, tmp_path: Path) -> None:
    imported = modules_of_a_training(method, tmp_path)
    assert "tensorflow" not in imported
    assert "pandera" not in imported
    assert (tmp_path / "run" / "run.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("method", [*MAKERS, "arsm-l2r"])
def test_the_fingerprint_of_code_covers_what_a_training_imports(
    method: str, tmp_path: Path
) -> None:
    imported = modules_of_a_training(method, tmp_path)
    ranker = known_methods()[method].ranker.__module__
    covered = set(modules_behind([ranker, "arsm_l2r.experiments.run"]))
    # How a method is shown is no part of what it learns.
    assert covered == {
        name
        for name in imported
        if name.partition(".")[0] == "arsm_l2r" and name != "arsm_l2r.rankers.method"
    }


def modules_of_a_training(method: str, folder: Path) -> set[str]:
    """What a process has imported that has trained a method on made-up data."""
    settings = {"epochs": 1, "hidden": [4]} if known_methods()[method].trains_network else {}
    program = f"""
import sys
from pathlib import Path
import numpy as np
from arsm_l2r.experiments.layout import RunFiles
from arsm_l2r.experiments.run import Job, train_and_score
from arsm_l2r.letor.store import Fold, RankingData

random = np.random.default_rng(0)
def part():
    features = random.random((40, 3), dtype=np.float32)
    labels = (features[:, 0] > 0.6).astype(int)
    return RankingData(labels, np.array([20, 20]), np.array([1, 2]), "made up", features)

folder = Path({str(folder)!r})
job = Job(
    method={method!r}, ranker={reference(known_methods()[method].ranker)!r},
    settings={settings!r}, seed=0, threads=1, code="none",
    checkpoint=folder / "checkpoint", files=RunFiles(folder / "run"),
)
train_and_score(Fold(part(), part(), part()), job)
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
