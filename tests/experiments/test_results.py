import numpy as np
import polars as pl
import pytest

from arsm_l2r.experiments.provenance import fingerprint_of, provenance
from arsm_l2r.experiments.results import fold_result, per_query_measures, summary
from arsm_l2r.letor.store import RankingData
from arsm_l2r.metrics import CONVENTIONS, Judgements, evaluate, means

CURVE = [*(f"ndcg@{k}" for k in range(1, 11)), "map"]
MEASURES = ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map"]


def data(seed: int) -> RankingData:
    draw = np.random.default_rng(seed)
    group = np.array([12, 3, 15])
    return RankingData(
        features=draw.random((30, 2), dtype=np.float32),
        labels=draw.integers(0, 3, 30),
        group=group,
        qids=np.array([30, 10, 20]),
        fingerprint="",
    )


VALI, TEST = data(0), data(1)


def scores(of: RankingData) -> np.ndarray:
    return of.features[:, 0].round(1).astype(np.float64)  # with ties


@pytest.fixture(scope="module")
def measures() -> pl.DataFrame:
    return pl.concat(
        [
            per_query_measures(scores(VALI), VALI, "vali"),
            per_query_measures(scores(TEST), TEST, "test"),
        ]
    )


def test_there_is_a_row_per_split_convention_and_query(measures: pl.DataFrame) -> None:
    assert measures.columns == [
        "split",
        "convention",
        "qid",
        *(f"ndcg@{k}" for k in range(1, 11)),
        "map",
    ]
    assert measures.select("split", "convention", "qid").rows() == [
        (split, convention, qid)
        for split in ("vali", "test")
        for convention in ("letor", "paper")
        for qid in (30, 10, 20)
    ]


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_rows_hold_what_the_measures_say_of_each_query(
    measures: pl.DataFrame, convention: str
) -> None:
    expected = evaluate(
        scores(TEST), Judgements(TEST.labels, TEST.group), CONVENTIONS[convention], CURVE
    )
    rows = measures.filter(split="test", convention=convention)
    for name, values in expected.items():
        assert rows[name].to_list() == values.tolist()


def test_summary_is_the_mean_over_queries(measures: pl.DataFrame) -> None:
    found = summary(measures)
    assert list(found) == ["vali", "test"]
    for split, part in (("vali", VALI), ("test", TEST)):
        assert list(found[split]) == ["letor", "paper"]
        for name, convention in CONVENTIONS.items():
            judgements = Judgements(part.labels, part.group)
            expected = means(evaluate(scores(part), judgements, convention))
            assert list(found[split][name]) == MEASURES
            assert found[split][name] == pytest.approx(expected, abs=1e-15)


def a_run(seed: int, **origin) -> dict:
    measured = {"letor": dict.fromkeys(MEASURES, 0.5), "paper": dict.fromkeys(MEASURES, 0.6)}
    return {
        "method": "arsm-l2r",
        "seed": seed,
        "test": measured,
        "vali": measured,
        "selected_epoch": 3,
        "epochs": 9,
        "seconds": 1.5,
        "device": "cpu",
        "provenance": {**provenance("data", f"settings of seed {seed}", "code"), **origin},
    }


def test_fold_has_the_runs_in_order_and_their_common_provenance() -> None:
    runs = [a_run(seed) for seed in (2, 0, 1)]
    result = fold_result("mq2007", 4, runs)
    assert list(result) == ["dataset", "fold", "runs", "provenance"]
    assert (result["dataset"], result["fold"]) == ("mq2007", 4)
    assert [run["seed"] for run in result["runs"]] == [2, 0, 1]
    expected = dict(a_run(2))
    del expected["provenance"]
    assert result["runs"][0] == expected
    assert list(result["provenance"]) == [
        "package",
        "code",
        "commit",
        "data",
        "config",
        "tensorflow",
        "python",
    ]
    assert result["provenance"]["data"] == "data"


def test_configuration_of_a_fold_is_that_of_all_its_runs() -> None:
    def config(*seeds: int) -> str:
        return fold_result("mq2007", 1, [a_run(seed) for seed in seeds])["provenance"]["config"]

    each = [a_run(seed)["provenance"]["config"] for seed in (0, 1)]
    assert config(0, 1) == fingerprint_of(each)
    assert config(0, 1) != config(0, 2)


def test_provenance_that_differs_is_mixed_and_stays_with_each_run() -> None:
    runs = [a_run(0, python="3.11.1", tensorflow="2.21"), a_run(1, python="3.12.9")]
    runs[1]["provenance"]["tensorflow"] = "2.21"
    result = fold_result("mq2007", 1, runs)
    assert result["provenance"]["python"] == "mixed"
    assert result["provenance"]["tensorflow"] == "2.21"
    assert [run["provenance"] for run in result["runs"]] == [
        {"python": "3.11.1"},
        {"python": "3.12.9"},
    ]


def test_code_is_each_methods_own_and_stays_with_each_run() -> None:
    runs = [a_run(0, code="of one"), a_run(1, code="of another")]
    result = fold_result("mq2007", 1, runs)
    assert result["provenance"]["code"] == fingerprint_of(["of one", "of another"])[:16]
    assert [run["provenance"]["code"] for run in result["runs"]] == ["of one", "of another"]
    same = fold_result("mq2007", 1, [a_run(0), a_run(1)])
    assert same["provenance"]["code"] == "code"
    assert "provenance" not in same["runs"][0]


def test_a_measure_of_the_configuration_is_measured_and_summarised() -> None:
    found = per_query_measures(scores(TEST), TEST, "test", [*MEASURES, "rr"])
    assert found.columns[-1] == "rr"
    values = summary(found, [*MEASURES, "rr"])["test"]["letor"]
    assert list(values) == [*MEASURES, "rr"]
    judgements = Judgements(TEST.labels, TEST.group)
    expected = evaluate(scores(TEST), judgements, CONVENTIONS["letor"], ["rr"])["rr"]
    assert values["rr"] == pytest.approx(expected.mean())


def test_runs_given_to_a_fold_stay_as_they_were() -> None:
    runs = [a_run(0), a_run(1, python="another")]
    fold_result("mq2007", 1, runs)
    assert runs == [a_run(0), a_run(1, python="another")]


def test_another_lowest_relevant_label_changes_map_only() -> None:
    usual = per_query_measures(scores(TEST), TEST, "test")
    other = per_query_measures(scores(TEST), TEST, "test", relevant_from=2)
    differing = {name for name in usual.columns if not usual[name].equals(other[name])}
    assert differing == {"map"}
    judgements = Judgements(TEST.labels, TEST.group, relevant_from=2)
    expected = evaluate(scores(TEST), judgements, CONVENTIONS["letor"], ["map"])["map"]
    assert other.filter(convention="letor")["map"].to_list() == expected.tolist()
