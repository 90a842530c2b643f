"""What the variants of a study reach on validation data, and only there."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES, method_title
from arsm_l2r.experiments.studies import Variant
from arsm_l2r.files import read_json, read_parquet
from arsm_l2r.report.table import Cell, Group, Table, best, number

MEASURES = {**MEASURE_TITLES, "mean": "mean"}
"""What is measured on validation data, as it is printed; `mean` is the mean of the others."""


def validated(
    variants: Sequence[Variant], folds: Mapping[str, int], seeds: Sequence[int], results: Path
) -> pl.DataFrame:
    """The validation measures of each variant's selected epochs.

    Args:
        variants: of a study.
        folds: how many folds each data set has.
        seeds: that the variants were trained with.
        results: folder with `{dataset}/fold{k}/{variant}/seed{s}/`.

    Returns:
        One row per `variant`, `dataset`, `fold` and `seed`: the selected `epoch`, the `seconds` of
        training, and a column per measure.
    """
    rows = []
    for variant in variants:
        for dataset, count in folds.items():
            for fold in range(1, count + 1):
                for seed in seeds:
                    folder = results / dataset / f"fold{fold}" / variant.name / f"seed{seed}"
                    place = {"variant": variant.name, "dataset": dataset}
                    rows.append({**place, "fold": fold, "seed": seed, **_selected(folder)})
    return pl.DataFrame(rows)


def _selected(folder: Path) -> dict[str, Any]:
    run, history = read_json(folder / "run.json"), read_parquet(folder / "history.parquet")
    epoch = run["selected_epoch"]  # or round, or number of trees: a row of the history, from 1
    measures = history.select(*MEASURES).row(epoch - 1, named=True)
    return {"epoch": epoch, "seconds": float(run["seconds"]), **measures}


def search_table(
    study: str,
    variants: Sequence[Variant],
    measured: pl.DataFrame,
    titles: Mapping[str, str],
) -> Table:
    """The variants of a study by what they reach, one group per setting.

    Args:
        study: its name.
        variants: as `studies.variants` gives them: the first is the start.
        measured: as `validated` gives it.
        titles: of the data sets, as they are printed.
    """
    start = variants[0]
    names = {variant.name: variant for variant in variants}
    values = measured.group_by("variant", "dataset", maintain_order=True).agg(
        pl.col(*MEASURES, "epoch", "seconds").mean()
    )
    shown = ("ndcg@10", "mean")
    found = {(row["variant"], row["dataset"]): row for row in values.iter_rows(named=True)}
    overall = {
        row["variant"]: row["mean"]
        for row in values.group_by("variant").agg(pl.col("mean").mean()).iter_rows(named=True)
    }
    groups = []
    for setting in dict.fromkeys(key for variant in variants for key in variant.changes):
        tried = [start, *(variant for variant in variants if setting in variant.changes)]
        highest = best([overall[variant.name] for variant in tried])
        groups.append(
            Group(
                [
                    [
                        Cell(_value(variant, setting, start)),
                        *(
                            Cell(number(found[variant.name, dataset][measure]))
                            for dataset in titles
                            for measure in shown
                        ),
                        Cell(number(overall[variant.name]), bold),
                    ]
                    for variant, bold in zip(tried, highest, strict=True)
                ],
                title=setting,
            )
        )
    columns = [f"{titles[name]} {MEASURES[each]}" for name in titles for each in shown]
    return Table(
        name=study,
        label=f"tab:search-{study}",
        caption=f"Search “{study}”: validation measures of {method_title(start.method)}, "
        "one setting changed at a time.",
        columns=["Setting", *columns, "Mean of both" if len(titles) == 2 else "Mean of all"],
        alignment="l" + "r" * (len(columns) + 1),
        groups=groups,
        notes=[
            "Validation data only: measures of the selected epoch, means over folds"
            + (" and seeds." if measured["seed"].n_unique() > 1 else ".")
            + " “mean” is the mean of NDCG@1, 3, 5, 10 and MAP. Bold: the best value of a setting."
            " The validation part of a fold is the test part of another, and the epoch was selected"
            " on the same queries: more epochs, or noisier ones, look better than they are.",
            f"The start: {_start(start)}.",
        ],
        data=values.with_columns(
            changes=pl.col("variant").replace_strict(
                {name: json.dumps(variant.changes) for name, variant in names.items()}
            )
        ),
    )


def _value(variant: Variant, setting: str, start: Variant) -> str:
    value = variant.settings[setting]
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text} (start)" if variant is start else text


def _start(start: Variant) -> str:
    return ", ".join(
        f"{key} {value if isinstance(value, str) else json.dumps(value)}"
        for key, value in start.settings.items()
    )
