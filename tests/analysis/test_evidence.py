"""Claims that need experiments are judged by the files that the plan names, and by nothing else."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arsm_l2r.analysis.claims import judged
from arsm_l2r.analysis.claims.claim import Answer
from arsm_l2r.analysis.claims.losses import UNTAUGHT
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import RunFiles
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import write_json
from arsm_l2r.report.claim_files import write_claim

from ..made_up import MEASURES, description, plan, record

ABLATIONS = {
    "levels": [2, 5],
    "losses": ["ndcg@10", "zero-one"],
    "ties": ["ndcg@10", "ndcg-file-order@10"],
    "estimators": ["reinforce", "arsm"],
    "learning_rates": [1e-3],
    "scorings": ["linear", "squared"],
    "entropy": {"weights": [0.0, 0.5], "estimators": ["arsm"]},
    "seeds": {"levels": [0, 1]},
}
METHODS: dict[str, dict[str, object]] = {"arsm-l2r": {}}
STUDIED = [name for name, needs in CLAIMS.items() if needs.ablations]
DRAW = np.random.default_rng(0)


def query_values(**keys: object) -> pl.DataFrame:
    values = {measure: DRAW.random(6) for measure in MEASURES}
    return pl.DataFrame({"qid": range(6), **values}).with_columns(
        **{key: pl.lit(value) for key, value in keys.items()}
    )


def write_run(path: Path) -> None:
    """One of the files that a run leaves."""
    files = RunFiles(path.parent)
    if path == files.record:
        write_json(path, record())
    elif path == files.measures:
        query_values(split="test", convention="letor").write_parquet(path)
    else:
        assert path == files.history
        values = ("ndcg@10", "mean", "entropy", "gradient_norm")
        epochs = {"epoch": [1, 2, 3], "seconds": [5.0, 6.0, 7.0]}
        pl.DataFrame({**epochs, **{name: [0.1, 0.2, 0.3] for name in values}}).write_parquet(path)


def write_evidence(made: Plan, claim: str) -> None:
    """Just what the plan says is needed, and the descriptions of the data."""
    evidence = made.evidence(claim)
    for name in made.datasets:
        write_json(made.layout.description(name), description(name, name.upper()))
    for path in evidence.paths:
        path.parent.mkdir(parents=True, exist_ok=True)
    for dataset, path in evidence.rescored.items():
        names = ("linear", "squared", *UNTAUGHT)
        pl.concat(
            query_values(name=name, dataset=dataset, fold=1, seed=0) for name in names
        ).write_parquet(path)
    for dataset, path in evidence.gradients.items():
        facts = {"variance": 1.0, "seconds": 0.1, "agreement": 1.0, "agreement_of_zero": 9.0}
        pl.DataFrame(
            [
                {"dataset": dataset, "stage": stage, "estimator": name, **facts}
                for stage in ("start", "end")
                for name in ("reinforce", "arsm", "local-expectation")
            ]
        ).write_parquet(path)
    others = {*evidence.rescored.values(), *evidence.gradients.values()}
    for path in evidence.paths:
        if path not in others:
            write_run(path)


@pytest.mark.parametrize("claim", STUDIED)
def test_a_claim_is_judged_by_its_evidence_alone(claim: str, tmp_path: Path) -> None:
    made = plan(tmp_path, METHODS, datasets=["mq2007", "ohsumed"], ablations=ABLATIONS)
    write_evidence(made, claim)
    found = judged(claim, made)
    assert found.name == claim
    assert found.answer in set(Answer)
    assert "MQ2007" in " ".join(found.because)
    if made.evidence(claim).study:
        seeds = "seeds 0 and 1" if claim == "levels" else "seed 0"
        assert found.because[-1] == f"Trained with {seeds}."
    write_claim(found, {"mq2007": "MQ2007", "ohsumed": "OHSUMED"}, made.layout)
    assert made.layout.claim(claim, "csv").exists()


@pytest.mark.parametrize("claim", STUDIED)
def test_evidence_that_is_missing_is_named(claim: str, tmp_path: Path) -> None:
    made = plan(tmp_path, METHODS, ablations=ABLATIONS)
    write_evidence(made, claim)
    lost = made.evidence(claim).paths[-1]
    lost.unlink()
    with pytest.raises(UserError, match="cannot be read") as error:
        judged(claim, made)
    assert str(lost) in str(error.value)
