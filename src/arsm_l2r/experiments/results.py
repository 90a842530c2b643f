"""The results of a run and of a fold, as they are written to files."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

import numpy as np
import polars as pl
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from arsm_l2r.experiments.provenance import fingerprint_of
from arsm_l2r.letor.store import Judged
from arsm_l2r.metrics import CONVENTIONS, PAPER_MEASURES, Judgements, evaluate
from arsm_l2r.settings import Positive, Settings, checked

CURVE = tuple(f"ndcg@{cutoff}" for cutoff in range(1, 11))
"""Kept per query besides what is summarised: the curve of NDCG over cut-offs."""


def _plausible(values: dict[str, float]) -> dict[str, float]:
    absent = [name for name in PAPER_MEASURES if name not in values]
    if absent:
        raise ValueError(f"missing {', '.join(absent)}")
    for name in PAPER_MEASURES:
        if not 0 <= values[name] <= 1:
            raise ValueError(f"{name}: {values[name]} does not lie between 0 and 1")
    return values


_Measures = Annotated[dict[str, float], AfterValidator(_plausible)]
_Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_OPEN = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class Measured(Settings):
    """Means over queries, by convention."""

    letor: _Measures = Field(description="As LETOR's tools measure.")
    paper: _Measures = Field(description="By the paper's equations.")


class Summary(Settings):
    """The means of one run's measures, as they are written beside its values of queries."""

    test: Measured
    vali: Measured
    relevant_from: Positive = 1


class _Run(BaseModel):
    """One run: a method and a seed. What else its method chose may stand beside these."""

    model_config = _OPEN

    method: Annotated[str, Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    selected_epoch: Positive = Field(
        description="Which candidate (epoch, round, tree, cost) was selected, from 1."
    )
    epochs: Positive = Field(description="How many candidates there were.")
    seconds: Annotated[float, Field(ge=0)] = Field(description="Time spent in training.")
    device: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _selected_one_of_them(self) -> Self:
        if self.selected_epoch > self.epochs:
            raise ValueError(f"selected_epoch {self.selected_epoch} of {self.epochs} epochs")
        return self


class RunResult(_Run):
    """A run in the result of a fold."""

    test: Measured
    vali: Measured
    relevant_from: Positive = Field(
        1, description="Lowest label that MAP counts as relevant; absent if it is 1."
    )
    provenance: dict[str, Any] = Field(
        {}, description="Facts in which the runs of the fold differ."
    )


class Provenance(BaseModel):
    """Where all runs of a fold come from; `mixed` where they differ."""

    model_config = _OPEN

    package: str
    code: str
    data: _Fingerprint = Field(description="Fingerprint of the data.")
    config: _Fingerprint = Field(description="Fingerprint of the settings.")
    tensorflow: str
    python: str


class RunRecord(_Run):
    """What a training wrote down, `run.json`. What was measured is not for it to say."""

    provenance: Provenance

    @model_validator(mode="after")
    def _no_measures(self) -> Self:
        measured = {"test", "vali", "relevant_from"} & {*(self.model_extra or {})}
        if measured:
            raise ValueError(f"{', '.join(sorted(measured))}: not a training's to say")
        return self


class FoldResult(Settings):
    """The result of a fold, `results/{dataset}/fold{k}.json`."""

    dataset: Annotated[str, Field(min_length=1)]
    fold: Positive
    runs: Annotated[list[RunResult], Field(min_length=1)] = Field(
        description="One entry per method and seed."
    )
    provenance: Provenance


def per_query_measures(
    scores: np.ndarray,
    data: Judged,
    split: str,
    measures: Sequence[str] = PAPER_MEASURES,
    relevant_from: int = 1,
) -> pl.DataFrame:
    """Every measure of every query, in every convention.

    Args:
        scores: (documents,) of the data's documents.
        data: with their labels.
        split: its name.
        measures: to compute besides the curve of NDCG.
        relevant_from: the lowest label that counts as relevant.

    Returns:
        One row per query and convention: `split`, `convention`, `qid`, `ndcg@1` … `ndcg@10`, and
        the other measures.
    """
    judgements = Judgements(data.labels, data.group, relevant_from=relevant_from)
    wanted = list(dict.fromkeys([*CURVE, *measures]))
    return pl.concat(
        pl.DataFrame(
            {
                "split": [split] * judgements.queries,
                "convention": [name] * judgements.queries,
                "qid": data.qids,
                **evaluate(scores, judgements, convention, wanted),
            }
        )
        for name, convention in CONVENTIONS.items()
    )


def summary(
    found: pl.DataFrame, measures: Sequence[str] = PAPER_MEASURES
) -> dict[str, dict[str, dict[str, float]]]:
    """Means over queries, by split and convention, of some measures."""
    return {
        split: {
            convention: found.filter(split=split, convention=convention)
            .select(pl.col(*measures).mean())
            .row(0, named=True)
            for convention in CONVENTIONS
        }
        for split in found["split"].unique(maintain_order=True)
    }


def fold_result(dataset: str, fold: int, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Collect the runs of a fold into one result.

    Args:
        dataset: name of the data set.
        fold: number of the fold.
        runs: for each, what training recorded, with `test` and `vali` summaries and its own
            `provenance`.

    Returns:
        What `results/{dataset}/fold{k}.json` holds. A fact of the provenance that differs between
        runs is given as `mixed`, and then each run keeps its own. Code is each method's: that of
        the fold is the fingerprint of all, and each run keeps its own.
    """
    entries = [dict(run) for run in runs]
    origins = [entry.pop("provenance") for entry in entries]
    common = {}
    for key in origins[0]:
        values = [origin[key] for origin in origins]
        if key == "config":
            common[key] = fingerprint_of(values)
        elif all(value == values[0] for value in values):
            common[key] = values[0]
        else:
            common[key] = fingerprint_of(values)[:16] if key == "code" else "mixed"
            for entry, value in zip(entries, values, strict=True):
                entry.setdefault("provenance", {})[key] = value
    return {"dataset": dataset, "fold": fold, "runs": entries, "provenance": common}


def check_fold(fold: Mapping[str, Any], source: str) -> None:
    """Check the result of a fold against `FoldResult`.

    Args:
        fold: what the file holds.
        source: its name, for messages.

    Raises:
        ConfigError: naming everything that does not fit.
    """
    checked(FoldResult, dict(fold), source=source)
