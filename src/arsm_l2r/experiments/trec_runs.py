"""The scores of all runs as TREC runs, for others to compare query by query without training."""

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import DataFiles
from arsm_l2r.experiments.plan import Plan, Run
from arsm_l2r.experiments.provenance import settings_fingerprint
from arsm_l2r.experiments.rankings import check_data, rankings_of, read_ranking
from arsm_l2r.experiments.reading import read_fold_result
from arsm_l2r.experiments.results import per_query_measures
from arsm_l2r.files import write_json, written_whole
from arsm_l2r.letor.store import Judged, Stored
from arsm_l2r.letor.trec import format_run
from arsm_l2r.rankers.score_file import read_scores

MANIFEST = "runs.json"
"""What each file of runs belongs to, and its SHA-256."""

_CLOSE = 1e-9


def write_trec_runs(plan: Plan, data: DataFiles, output: Path) -> Iterator[str]:
    """Write a run for every method and seed, qrels and folds for every data set, and a manifest.

    A run holds the test documents of all folds. Before it is written, the scores are compared with
    what was measured: they must be of these data, and give these measures.

    Args:
        plan: of the results, or of what is published of them: then places in a ranking stand for
            scores.
        data: with the parts that these were trained on.
        output: folder to write to.

    Yields:
        Each file when it has been written, relative to `output`.

    Raises:
        UserError: if there is no complete run, or scores and measures do not belong together.
    """
    entries = []
    for dataset in plan.datasets:
        results = {
            fold: read_fold_result(path)
            for fold in plan.folds(dataset)
            if (path := plan.layout.fold(dataset, fold)).exists()
        }
        if not results:
            continue
        stored = Stored(data.parts(dataset), dataset)
        tested = {fold: _tested(stored, fold) for fold in results}
        for fold, result in results.items():
            check_data(plan.layout.fold(dataset, fold), result, stored)
        measured = _measured(plan, dataset, results)
        for name, text in _of_dataset(dataset, tested).items():
            yield _write(output / dataset / name, text, output)
        for method in plan.methods:
            for seed in plan.seeds:
                runs = [run for run in measured if (run.name, run.seed) == (method, seed)]
                if not runs:
                    continue
                lines, facts = [], {}
                for run in runs:
                    own, facts[str(run.fold)] = _checked(
                        plan, run, *tested[run.fold], results[run.fold]
                    )
                    lines.append(own)
                path = output / dataset / f"{method}.seed{seed}.run.gz"
                yield _write(path, "".join(lines), output)
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                head = {"dataset": dataset, "method": method, "seed": seed}
                place = path.relative_to(output).as_posix()
                entries.append({**head, "file": place, "sha256": digest, "folds": facts})
    if not entries:
        raise UserError(f"{plan.layout.root}: no fold has been measured; run snakemake first")
    write_json(output / MANIFEST, {"configuration": plan.recorded, "runs": entries})
    yield MANIFEST


def _tested(stored: Stored, fold: int) -> tuple[pl.DataFrame, Judged]:
    """The test documents of a fold: `qid`, `docid` and `label`; and as they are measured."""
    _, _, parts = stored.divided(fold)
    columns = ["label", "qid", "docid"]
    table = pl.concat(piece for part in parts for piece in stored.pieces(part, columns))
    return named(table), stored.judged(parts)


def named(documents: pl.DataFrame) -> pl.DataFrame:
    """Documents with a name each: those without are called `{qid}.{place in its query}`."""
    place = pl.int_range(1, pl.len() + 1).over("qid")
    return documents.with_columns(docid=pl.coalesce("docid", pl.format("{}.{}", "qid", place)))


def _of_dataset(dataset: str, tested: Mapping[int, tuple[pl.DataFrame, Judged]]) -> dict[str, str]:
    """What belongs to all runs of a data set: the judgements, and the fold of each query."""
    documents = pl.concat(table for table, _ in tested.values())
    folds = [(int(qid), fold) for fold, (_, own) in tested.items() for qid in own.qids]
    if len({qid for qid, _ in folds}) < len(folds):
        raise UserError(f"{dataset}: folds test the same queries, so that no run has each once")
    judged = documents.select("qid", "docid", "label").iter_rows()
    qrels = "".join(f"{qid} 0 {docid} {label}\n" for qid, docid, label in judged)
    queries = "".join(f"{qid},{fold}\n" for qid, fold in folds)
    return {"qrels.gz": qrels, "folds.csv": f"qid,fold\n{queries}"}


def _measured(plan: Plan, dataset: str, results: Mapping[int, Mapping[str, Any]]) -> list[Run]:
    """The runs that the results of folds have."""
    found = {
        (fold, each["method"], each["seed"])
        for fold, result in results.items()
        for each in result["runs"]
    }
    return [run for run in plan.runs(dataset) if (run.fold, run.name, run.seed) in found]


def _checked(
    plan: Plan,
    run: Run,
    documents: pl.DataFrame,
    judged: Judged,
    result: Mapping[str, Any],
) -> tuple[str, dict[str, Any]]:
    """The lines of a run on a fold, and what they belong to."""
    published = rankings_of(plan.layout, run.dataset, run.fold)
    if published.exists():
        source, scores = published, read_ranking(published, run, judged)
    else:
        source, scores = run.files.test, read_scores(run.files.test, documents.height)
    own = next(
        each for each in result["runs"] if (each["method"], each["seed"]) == (run.name, run.seed)
    )
    expected: Mapping[str, float] = own["test"]["letor"]
    known = per_query_measures(
        scores, judged, "test", list(expected), own.get("relevant_from", 1)
    ).filter(convention="letor")
    for measure, value in expected.items():
        found = float(known[measure].to_numpy().mean())
        if not abs(found - value) <= _CLOSE:
            advice = "" if source == published else "; run snakemake"
            raise UserError(
                f"{source}: gives a {measure} of {found}, not {value} as was measured{advice}"
            )
    lines = format_run(
        documents["qid"].to_list(), documents["docid"].to_list(), scores.tolist(), run.name
    )
    settings = plan.training_settings(run.name, run.dataset)
    origin = {
        **result["provenance"],
        **own.get("provenance", {}),
        "config": settings_fingerprint(run.name, run.seed, settings),
    }
    return lines, {"test": expected, "provenance": origin}


def _write(path: Path, text: str, output: Path) -> str:
    """Write a file, compressed if its name says so, the same bytes for the same text."""
    content = text.encode()
    with written_whole(path) as temporary:
        temporary.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    return path.relative_to(output).as_posix()
