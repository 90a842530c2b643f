"""From the files of the ablations to a claim, and from claims to files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.comparison import compare
from arsm_l2r.analysis.measured import load_folds, runs_table
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.analysis.verdicts import comparable
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.studies import Variant, ablation_studies, variants
from arsm_l2r.files import read_parquet, write_json, written_whole
from arsm_l2r.report.claims import comparison, estimators, levels, losses, scorings, ties
from arsm_l2r.report.claims.claim import Claim, with_mean
from arsm_l2r.report.claims.studied import (
    Runs,
    learning_curves,
    seconds_per_epoch,
    studied_queries,
)
from arsm_l2r.report.figures.style import figure_style, save

_TIES = {
    "ndcg": ties.EXPECTED,
    "ndcg-file-order": "file order",
    "ndcg-random-order": "at random",
}


@dataclass(frozen=True)
class Sources:
    """What claims are judged from.

    Attributes:
        results: folder that the workflow filled.
        descriptions: what the data sets' `data.json` files hold.
        ablations: that part of the configuration.
        methods: settings of every method.
    """

    results: Path
    descriptions: Sequence[Mapping[str, Any]]
    ablations: Mapping[str, Any]
    methods: Mapping[str, Mapping[str, Any] | None]

    @property
    def titles(self) -> dict[str, str]:
        """The data sets' names as they are printed."""
        return {each["dataset"]: each["title"] for each in self.descriptions}

    @property
    def folds(self) -> dict[str, int]:
        """How many folds each data set has."""
        return {each["dataset"]: len(each["parts"]) for each in self.descriptions}

    def variants(self, study: str) -> list[Variant]:
        """The variants of one of the studies."""
        return variants(f"ablations.{study}", ablation_studies(self.ablations)[study], self.methods)

    def runs(self, study: str) -> Runs:
        """Where the runs of one of the studies lie."""
        seeds = self.ablations["seeds"][study]
        return Runs([each.name for each in self.variants(study)], self.folds, seeds, self.results)

    def rescored(self) -> pl.DataFrame:
        """The test measures by query of other scores, and of random order."""
        folder = self.results / "ablations" / "scorings"
        return with_mean(pl.concat(read_parquet(folder / f"{n}.parquet") for n in self.titles))


def _levels(sources: Sources) -> Claim:
    names = {each.name: each.settings["levels"] for each in sources.variants("levels")}
    runs = sources.runs("levels")
    labels = max(len(each["judged"]["labels"]) for each in sources.descriptions)
    return levels.judge(
        studied_queries(runs), seconds_per_epoch(runs), names, sources.titles, labels
    )


def _scorings(sources: Sources) -> Claim:
    untaught = [losses.CHANCE, losses.UNTRAINED]
    queries = sources.rescored().filter(~pl.col("name").is_in(untaught))
    return scorings.judge(queries, sources.titles)


def _losses(sources: Sources) -> Claim:
    names = {each.name: each.settings["loss"] for each in sources.variants("losses")}
    trained = studied_queries(sources.runs("losses"))
    untaught = pl.col("name").is_in([losses.CHANCE, losses.UNTRAINED])
    queries = pl.concat([trained, sources.rescored().filter(untaught)])
    return losses.judge(queries, names, sources.titles)


def _ties(sources: Sources) -> Claim:
    names = {
        each.name: _TIES.get(each.settings["loss"].split("@")[0], each.settings["loss"])
        for each in sources.variants("ties")
    }
    return ties.judge(studied_queries(sources.runs("ties")), names, sources.titles)


def _estimators(sources: Sources) -> Claim:
    folder = sources.results / "ablations" / "gradients"
    variance = pl.concat(read_parquet(folder / f"{name}.parquet") for name in sources.titles)
    settings = {each.name: each.settings for each in sources.variants("estimators")}
    curves = learning_curves(sources.runs("estimators"), settings)
    return estimators.judge(variance, curves, sources.titles)


def _comparison(sources: Sources) -> Claim:
    paper, found, tables = load_paper(), [], []
    for name, title in sources.titles.items():
        count = sources.folds[name]
        folds = load_folds([sources.results / name / f"fold{k}.json" for k in range(1, count + 1)])
        queries = per_query_table(folds, sources.results)
        tables.append(queries.filter(split="test", convention="letor"))
        if name in paper.performance:
            compared = compare(name, runs_table(folds), queries, paper)
            found.append(comparable(name, title, compared, paper, fold_count=count))
    queries = with_mean(pl.concat(tables).rename({"method": "name"}))
    return comparison.judge(found, queries, sources.titles)


JUDGES: dict[str, Callable[[Sources], Claim]] = {
    "levels": _levels,
    "scorings": _scorings,
    "estimators": _estimators,
    "losses": _losses,
    "comparison": _comparison,
    "ties": _ties,
}
"""Who judges each of `studies.CLAIMS`."""


def write_claim(name: str, sources: Sources, folder: Path) -> None:
    """Judge a claim and write it: `{name}.json`, `.csv`, and `.svg` and `.png` of its figure."""
    with figure_style(salt=name):
        claim = JUDGES[name](sources)
        save(claim.drawing, folder)
    because = [*claim.because]
    if name in ablation_studies(sources.ablations):
        runs = sources.runs(name)
        seeds = "seeds" if len(runs.seeds) > 1 else "seed"
        because.append(f"Trained with {seeds} {listed(map(str, runs.seeds))}.")
        versions = sorted(runs.code())
        if len(versions) > 1:
            because.append(
                f"The runs come from different versions of the code: {listed(versions)}."
            )
    with written_whole(folder / f"{name}.csv") as temporary:
        claim.data.write_csv(temporary)
    words = {
        "name": claim.name,
        "title": claim.title,
        "says": claim.says,
        "answer": str(claim.answer),
        "because": because,
        "figure": {
            "name": claim.drawing.name,
            "title": claim.drawing.title,
            "caption": claim.drawing.caption,
            "alternative": claim.drawing.alternative,
        },
    }
    write_json(folder / f"{name}.json", words)
