"""Results that were damaged or edited by hand: told by a sentence, and in no table."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.reading import read_fold_result, read_measures, read_numbers

from ..workflow.conftest import Clone
from .conftest import Program

pytestmark = pytest.mark.slow

VALUES: list[Any] = [None, "text", "0.5", 7.0, -1, True, [], {}, float("nan"), 10**400]
RUN = "results/synthetic/fold1/arsm-l2r/seed0"


@pytest.fixture(scope="module")
def project(finished_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, whose files are put back after every attack."""
    return Path(shutil.copytree(finished_once, tmp_path_factory.mktemp("edited") / "project"))


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON: of a list, only its first item."""
    items = content.items() if isinstance(content, dict) else []
    items = list(enumerate(content[:1])) if isinstance(content, list) else items
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def edited(content: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The content with another value at a place; without it if that is `...`."""
    changed = copy.deepcopy(content)
    holder = changed
    for step in place[:-1]:
        holder = holder[step]
    if value is ...:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return changed


def attacks(content: Any, most: int) -> list[bytes]:
    """Edited forms of a JSON file, and damaged ones."""
    draw = np.random.default_rng(0)
    every = [edited(content, place, value) for place in places(content) for value in [..., *VALUES]]
    every = [every[at] for at in draw.permutation(len(every))[:most]]
    text = json.dumps(content)
    texts = [*map(json.dumps, [*every, *VALUES]), text[: len(text) // 2], "", "[" * 100_000]
    return [*(each.encode() for each in texts), b"\xff\xfe", bytes(100)]


READERS: dict[str, list[tuple[Any, ...]]] = {
    "results/synthetic/fold1.json": [
        ("compare", "results/synthetic/fold1.json", "--published", "results"),
        ("status", "--config", "tiny.yaml"),
    ],
    "results/synthetic/data.json": [("tables", "--table", "datasets", "--results", "results")],
    f"{RUN}/run.json": [
        (
            *("collect_fold", "--dataset", "synthetic", "--fold", "1", "--output", "out.json"),
            *("--runs", f"{RUN}/run.json", "--summaries", f"{RUN}/summary.json"),
        )
    ],
    "results/analysis/synthetic.json": [
        ("tables", "--table", "synthetic_comparison", "--results", "results")
    ],
    "results/figures/synthetic/captions.json": [("report", "--results", "results")],
    "results/claims/highest.json": [("report", "--results", "results")],
    "results/configuration.json": [("tables", "--table", "synthetic", "--results", "results")],
    "data/synthetic/text/source.json": [
        (
            *("prepare", "--dataset", "synthetic", "--text", "data/synthetic/text"),
            *("--output", "out"),
        )
    ],
}
READERS[f"{RUN}/summary.json"] = READERS[f"{RUN}/run.json"]


@pytest.mark.parametrize("name", READERS)
def test_no_edited_json_ends_in_a_traceback(project: Path, program: Program, name: str) -> None:
    path = project / name
    good = path.read_bytes()
    bugs, runs = [], 0
    for bad in attacks(json.loads(good), most=25):
        path.write_bytes(bad)
        for command, *arguments in READERS[name]:
            runs += 1
            ended = program(project, command, *arguments)
            if ended.bug is not None or (ended.code and not ended.refused and command != "compare"):
                bugs.append((bad[:200], ended))
    path.write_bytes(good)
    for leftover in ("out.json", "out"):
        shutil.rmtree(project / leftover, ignore_errors=True)
    print(f"{name}: {runs} runs on edited files, {len(bugs)} tracebacks")
    assert not bugs, bugs[0]


@pytest.mark.parametrize("value", [7.0, -0.1, None, "0.5", True])
@pytest.mark.parametrize("measure", ["ndcg@10", "map"])
def test_a_measure_that_cannot_be_is_in_no_table(
    finished: Clone, program: Program, measure: str, value: Any
) -> None:
    path = finished.path("results/synthetic/fold2.json")
    fold = json.loads(path.read_text())
    path.write_text(json.dumps(edited(fold, ("runs", 0, "test", "letor", measure), value)))
    ended = program(finished.folder, "analyse", "--dataset", "synthetic", "--results", "results")
    assert ended.refused, ended
    assert str(Path("results/synthetic/fold2.json")) in ended.said
    assert "runs.0.test.letor" in ended.said


@pytest.mark.parametrize(
    "added",
    [
        {"test": {"letor": {"map": 0.9999}}},
        {"vali": None},
        {"relevant_from": 2},
        {"selected_epoch": 99},
    ],
)
def test_a_training_does_not_say_what_was_measured(
    finished: Clone, program: Program, added: dict[str, Any]
) -> None:
    path = finished.path(f"{RUN}/run.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **added}))
    command, *arguments = READERS[f"{RUN}/run.json"][0]
    ended = program(finished.folder, command, *arguments)
    assert ended.refused, ended
    assert not finished.path("out.json").exists()


def _of(values: dict[str, Any]) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda table: table.with_columns(**{name: pl.lit(v) for name, v in values.items()})


TABLES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "a value above 1": _of({"ndcg@10": 7.0}),
    "not a number": _of({"ndcg@10": float("nan")}),
    "nothing": _of({"ndcg@10": None}),
    "text": _of({"ndcg@10": "0.5"}),
    "no such column": lambda table: table.drop("ndcg@10"),
    "no rows": lambda table: table.clear(),
}


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES)
def test_tables_of_measures_and_histories_that_cannot_be_are_refused(
    finished_once: Path, tmp_path: Path, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    for name, read in (
        ("measures.parquet", read_measures),
        ("history.parquet", lambda path: read_numbers(path, ["epoch", "ndcg@10"])),
    ):
        path = tmp_path / name
        good = pl.read_parquet(finished_once / RUN / name)
        good.write_parquet(path)
        assert read(path).equals(good)
        change(good).write_parquet(path)
        with pytest.raises(UserError, match=rf"{name}: damaged, or edited by hand"):
            read(path)


@pytest.mark.parametrize(("column", "value"), [("split", "train"), ("convention", "mine")])
def test_measures_of_an_unknown_kind_are_refused(
    finished_once: Path, tmp_path: Path, column: str, value: str
) -> None:
    path = tmp_path / "measures.parquet"
    table = pl.read_parquet(finished_once / RUN / "measures.parquet")
    table.with_columns(pl.lit(value).alias(column)).write_parquet(path)
    with pytest.raises(UserError, match=f"{column}: must be one of"):
        read_measures(path)


def test_damaged_tables_never_end_in_a_panic(finished_once: Path, tmp_path: Path) -> None:
    draw, tries, bugs = np.random.default_rng(0), 0, 0
    for name in ("measures.parquet", "history.parquet"):
        good, path = (finished_once / RUN / name).read_bytes(), tmp_path / name
        for _ in range(150):
            bad = bytearray(good)
            for at in draw.integers(len(good), size=3):
                bad[at] ^= 1 << int(draw.integers(8))
            path.write_bytes(bad[: len(bad) // 2] if tries % 10 == 0 else bad)
            tries += 1
            try:
                read_numbers(path, ["ndcg@10"])
            except UserError:
                continue
            except BaseException:
                bugs += 1
    print(f"{tries} damaged tables, {bugs} tracebacks")
    assert bugs == 0


def test_published_results_are_what_is_asked_of_results() -> None:
    published = Path(__file__).parents[2] / "docs" / "reproduction"
    assert len([read_fold_result(path) for path in published.glob("*/fold*.json")]) == 10
