"""What the variants of a search reach on validation data, and only there, as a table."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from arsm_l2r.analysis.words import relevance
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.plan import Run
from arsm_l2r.experiments.reading import read_numbers, read_record
from arsm_l2r.experiments.studies import Study, Variant
from arsm_l2r.metrics import PAPER_MEASURES, measure_title
from arsm_l2r.report.table import Cell, Group, Table, best, number

MEASURES = [*PAPER_MEASURES, "mean"]
"""What is measured on validation data; `mean` is the mean of the others."""

_SHOWN = {"ndcg@10": measure_title("ndcg@10"), "mean": "mean"}


def validated(runs: Sequence[Run]) -> pl.DataFrame:
    """The validation measures of each run's selected epoch.

    Returns:
        One row per `variant`, `dataset`, `fold` and `seed`: the selected `epoch`, the `seconds` of
        training, and a column per measure.
    """
    rows = []
    for run in runs:
        record, history = (
            read_record(run.files.record),
            read_numbers(run.files.history, list(MEASURES)),
        )
        place = {"variant": run.name, "dataset": run.dataset, "fold": run.fold, "seed": run.seed}
        epoch = record["selected_epoch"]  # or round, or number of trees: a row from 1
        if epoch > history.height:
            raise UserError(
                f"{run.files.history}: no epoch {epoch}, which {run.files.record} names"
            )
        measures = history.select(*MEASURES).row(epoch - 1, named=True)
        rows.append({**place, "epoch": epoch, "seconds": float(record["seconds"]), **measures})
    return pl.DataFrame(rows)


def search_table(
    study: Study,
    measured: pl.DataFrame,
    titles: Mapping[str, str],
    queries: Mapping[str, int],
    configured: Mapping[str, Any],
    relevant_from: Mapping[str, int],
) -> Table:
    """The variants of a study by what they reach: one group per setting, or the best trial first.

    Args:
        study: its variants.
        measured: as `validated` gives it.
        titles: of the data sets, as they are printed.
        queries: how many each data set has; the best trial is the best for a query of any of them.
        configured: the method's settings in the configuration.
        relevant_from: the lowest label that MAP counts as relevant, by data set.
    """
    values = measured.group_by("variant", "dataset", maintain_order=True).agg(
        pl.col(*MEASURES, "epoch", "seconds").mean()
    )
    found = {(row["variant"], row["dataset"]): row for row in values.iter_rows(named=True)}
    reached = _Reached(
        {
            each.name: [found[each.name, dataset][m] for dataset in titles for m in _SHOWN]
            for each in study.variants
        },
        _overall(values, queries if study.space else dict.fromkeys(titles, 1)),
    )
    columns = [f"{title} {words}" for title in titles.values() for words in _SHOWN.values()]
    changes = {each.name: json.dumps(each.changes) for each in study.variants}
    plain = "Mean of both" if len(titles) == 2 else "Mean of all"
    last = "Mean by query" if study.space else plain
    make = _trials if study.space else _one_at_a_time
    named, how, groups, notes = make(study, reached, configured)
    return Table(
        name=study.name,
        label=f"tab:search-{study.name}",
        caption=f"Search “{study.name}”: validation measures of {method_title(study.method)}, "
        f"{how}.",
        columns=[*named, *columns, last],
        alignment="l" * len(named) + "r" * (len(columns) + 1),
        groups=groups,
        notes=[
            "Validation data only: measures of the selected epoch, means over folds"
            + (" and seeds." if len(study.seeds) > 1 else ".")
            + " “mean” is the mean of NDCG@1, 3, 5, 10 and MAP. "
            + relevance({titles[name]: label for name, label in relevant_from.items()})
            + f" {notes[0]}"
            " The validation part of a fold is the test part of another, and the epoch was selected"
            " on the same queries: more epochs, or noisier ones, look better than they are.",
            *notes[1:],
        ],
        data=values.with_columns(changes=pl.col("variant").replace_strict(changes)),
    )


def _overall(values: pl.DataFrame, weights: Mapping[str, int]) -> dict[str, float]:
    """The mean of the five measures over data sets, by variant."""
    weight = pl.col("dataset").replace_strict(dict(weights), return_dtype=pl.Float64)
    weighted = (pl.col("mean") * weight).sum() / weight.sum()
    return dict(values.group_by("variant").agg(weighted.alias("mean")).iter_rows())


@dataclass(frozen=True)
class _Reached:
    """What variants reach, by name: a value per data set and measure shown, and overall."""

    values: Mapping[str, Sequence[float]]
    overall: Mapping[str, float]

    def row(self, variant: Variant, names: Sequence[str], *, bold: bool) -> list[Cell]:
        numbers = [Cell(number(value)) for value in self.values[variant.name]]
        return [*map(Cell, names), *numbers, Cell(number(self.overall[variant.name]), bold)]


_Parts = tuple[list[str], str, list[Group], list[str]]
"""The titles of the columns that name a row, how was sought, the rows, and notes."""


def _one_at_a_time(study: Study, reached: _Reached, _: Mapping[str, Any]) -> _Parts:
    start = study.variants[0]
    groups = []
    for setting in dict.fromkeys(key for variant in study.variants for key in variant.changes):
        tried = [start, *(each for each in study.variants if setting in each.changes)]
        highest = best([reached.overall[variant.name] for variant in tried])
        rows = []
        for each, bold in zip(tried, highest, strict=True):
            value = _text(each.settings[setting]) + (" (start)" if each is start else "")
            rows.append(reached.row(each, [value], bold=bold))
        groups.append(Group(rows, title=setting))
    notes = [
        "Bold: the best value of a setting.",
        f"The start: {', '.join(f'{k} {_text(v)}' for k, v in start.settings.items())}.",
    ]
    return ["Setting"], "one setting changed at a time", groups, notes


def _trials(study: Study, reached: _Reached, configured: Mapping[str, Any]) -> _Parts:
    ranked = sorted(study.variants, key=lambda each: -reached.overall[each.name])
    highest = best([reached.overall[each.name] for each in ranked])
    rows = [
        reached.row(each, [_trial(each), *map(_text, each.changes.values())], bold=bold)
        for each, bold in zip(ranked, highest, strict=True)
    ]
    winner, drawn = ranked[0], study.space
    others = {k: v for k, v in winner.settings.items() if k not in drawn}
    chosen = [each for each in ranked if each.settings == configured]
    notes = [
        "Best first, by the last column: the mean over data sets, weighted by their queries, so "
        "that every query counts the same and few noisy ones do not decide.",
        f"{len(ranked)} trials, points of a Halton sequence over: "
        + "; ".join(f"{setting} {words}" for setting, words in drawn.items())
        + f". The same in all: {', '.join(f'{k} {_text(v)}' for k, v in others.items())}.",
        f"The configuration has the settings of trial {_trial(chosen[0])}."
        if chosen
        else "The configuration has the settings of none of these trials.",
    ]
    return ["Trial", *drawn], f"{len(ranked)} trials", [Group(rows)], notes


def _trial(variant: Variant) -> str:
    return str(int(variant.name.rpartition("-")[2]))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
