"""What is kept of a reproduction for others to read: results, tables and figures, no models.

A published folder has the layout of a results folder, so that the same code makes its tables:
`{dataset}/data.json` and `fold{k}.json` as they were measured, `{dataset}/fold{k}.parquet` with the
values of single test queries, `tables/`, `figures/{dataset}/`, `search/`, `claims/`, `report.html`.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.completeness import missing, other_settings
from arsm_l2r.analysis.measured import load_folds
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.queries import gather
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.results import check_fold
from arsm_l2r.files import read_json
from arsm_l2r.report.build import table_files, tables_of
from arsm_l2r.report.letor_baselines import DATASET, letor_baselines_table
from arsm_l2r.report.tables import datasets_table

_PAGE = "report.html"

_EXTRAS = {"search": "search", "claims": "ablations"}
"""Folders that need not be there, and what to ask Snakemake for to make them."""


def publish(
    results: Path,
    output: Path,
    datasets: Sequence[str],
    methods: Mapping[str, Mapping[str, Any]],
    seeds: Sequence[int],
) -> None:
    """Publish complete results; what was published before is replaced.

    Args:
        results: folder that the workflow filled.
        output: folder to publish to.
        datasets: names of the data sets.
        methods: that must be there, with the settings that they must have been trained with.
        seeds: that must be there.

    Raises:
        UserError: if something is missing or was run with other settings, or if `output` holds
            something else. Nothing is replaced then.
    """
    if output.exists() and any(output.iterdir()) and not (output / _PAGE).exists():
        raise UserError(f"{output}: holds something else than a published reproduction; left alone")
    absent = [
        path
        for path in [results / _PAGE, *(results / "figures" / name for name in datasets)]
        if not path.exists()
    ]
    if absent:
        raise UserError(f"{absent[0]}: not there; run the workflow to its end first")
    for name, target in _EXTRAS.items():
        if (output / name).is_dir() and not (results / name).is_dir():
            raise UserError(
                f"{results / name}: not there, but {output / name} was published before and would "
                f"be lost; run snakemake {target}, or delete what was published"
            )
    found = {name: load_folds(_fold_files(results / name)) for name in datasets}
    for folds in found.values():
        for fold in folds:
            check_fold(fold, f"{fold['dataset']}/fold{fold['fold']}.json")
    parts = {name: len(read_json(results / name / "data.json")["parts"]) for name in datasets}
    every = [fold for folds in found.values() for fold in folds]
    gaps = [
        *missing(every, datasets, parts, list(methods), seeds),
        *other_settings(every, methods),
    ]
    if gaps:
        raise UserError("\n  - ".join([f"{results}: not complete, so not published", *gaps]))
    made = output.with_name(f".{output.name}.new")
    shutil.rmtree(made, ignore_errors=True)
    for name, folds in found.items():
        (made / name).mkdir(parents=True)
        shutil.copy(results / name / "data.json", made / name)
        for path in _fold_files(results / name):
            shutil.copy(path, made / name)
        for fold in folds:
            gather(fold, results, made)
        shutil.copytree(
            results / "figures" / name,
            made / "figures" / name,
            ignore=shutil.ignore_patterns("*.png"),
        )
    (made / "tables").mkdir()
    for path in (results / "tables").glob("cost.*"):
        shutil.copy(path, made / "tables")
    for file, text in published_tables(made).items():
        (made / "tables" / file).write_text(text, encoding="utf-8")
    for name in _EXTRAS:
        if (results / name).is_dir():
            shutil.copytree(results / name, made / name, ignore=shutil.ignore_patterns("*.png"))
    shutil.copy(results / _PAGE, made)
    old = output.with_name(f".{output.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if output.exists():
        output.rename(old)
    made.rename(output)
    shutil.rmtree(old, ignore_errors=True)


def published_tables(folder: Path) -> dict[str, str]:
    """What the files of a published folder's tables hold, made anew from its results.

    That of time and memory is not among them: what Snakemake measured is not published.
    """
    descriptions = [read_json(path) for path in sorted(folder.glob("*/data.json"), key=_order)]
    tables = [datasets_table(descriptions, load_paper())]
    for description in descriptions:
        name = description["dataset"]
        folds = load_folds(_fold_files(folder / name))
        tables += tables_of(description, folds, folder)
        if name == DATASET:
            baselines = letor_baselines_table(folds, description["title"])
            tables += [baselines] if baselines.groups else []
    return {file: text for table in tables for file, text in table_files(table).items()}


def _order(path: Path) -> int:
    """Data sets in the order of the paper's tables."""
    known = list(load_paper().performance)
    name = path.parent.name
    return known.index(name) if name in known else len(known)


def _fold_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("fold*.json"), key=lambda path: int(path.stem.removeprefix("fold")))
