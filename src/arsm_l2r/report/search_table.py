"""What the variants of a search reach on validation data, and only there, as a table."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.plan import Run
from arsm_l2r.experiments.studies import Study
from arsm_l2r.files import read_json, read_parquet
from arsm_l2r.metrics import PAPER_MEASURES, measure_title
from arsm_l2r.report.table import Cell, Group, Table, best, number, row_of

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
        record, history = read_json(run.files.record), read_parquet(run.files.history)
        place = {"variant": run.name, "dataset": run.dataset, "fold": run.fold, "seed": run.seed}
        epoch = record["selected_epoch"]  # or round, or number of trees: a row from 1
        measures = history.select(*MEASURES).row(epoch - 1, named=True)
        rows.append({**place, "epoch": epoch, "seconds": float(record["seconds"]), **measures})
    return pl.DataFrame(rows)


def search_table(study: Study, measured: pl.DataFrame, titles: Mapping[str, str]) -> Table:
    """The variants of a study by what they reach, one group per setting.

    Args:
        study: its variants, the start first.
        measured: as `validated` gives it.
        titles: of the data sets, as they are printed.
    """
    start = study.variants[0]
    values = measured.group_by("variant", "dataset", maintain_order=True).agg(
        pl.col(*MEASURES, "epoch", "seconds").mean()
    )
    found = {(row["variant"], row["dataset"]): row for row in values.iter_rows(named=True)}
    overall = dict(values.group_by("variant").agg(pl.col("mean").mean()).iter_rows())
    groups = []
    for setting in dict.fromkeys(key for variant in study.variants for key in variant.changes):
        tried = [start, *(each for each in study.variants if setting in each.changes)]
        highest = best([overall[variant.name] for variant in tried])
        rows = []
        for each, bold in zip(tried, highest, strict=True):
            value = _text(each.settings[setting]) + (" (start)" if each is start else "")
            reached = [found[each.name, dataset][m] for dataset in titles for m in _SHOWN]
            rows.append([*row_of(value, reached), Cell(number(overall[each.name]), bold)])
        groups.append(Group(rows, title=setting))
    columns = [f"{title} {words}" for title in titles.values() for words in _SHOWN.values()]
    changes = {each.name: json.dumps(each.changes) for each in study.variants}
    return Table(
        name=study.name,
        label=f"tab:search-{study.name}",
        caption=f"Search “{study.name}”: validation measures of {method_title(study.method)}, "
        "one setting changed at a time.",
        columns=["Setting", *columns, "Mean of both" if len(titles) == 2 else "Mean of all"],
        alignment="l" + "r" * (len(columns) + 1),
        groups=groups,
        notes=[
            "Validation data only: measures of the selected epoch, means over folds"
            + (" and seeds." if len(study.seeds) > 1 else ".")
            + " “mean” is the mean of NDCG@1, 3, 5, 10 and MAP. Bold: the best value of a setting."
            " The validation part of a fold is the test part of another, and the epoch was selected"
            " on the same queries: more epochs, or noisier ones, look better than they are.",
            f"The start: {', '.join(f'{k} {_text(v)}' for k, v in start.settings.items())}.",
        ],
        data=values.with_columns(changes=pl.col("variant").replace_strict(changes)),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
