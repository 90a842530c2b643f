"""Validation: every kind of violation shows, all of them at once; folds and their parts."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arsm_l2r.errors import ParseError, ValidationError
from arsm_l2r.letor.catalogue import Dataset, Layout, QuerySplit
from arsm_l2r.letor.folds import fold_parts, fold_that_tests, split_by_query
from arsm_l2r.letor.part import PartFacts
from arsm_l2r.letor.prepare import prepare
from arsm_l2r.letor.schema import violations
from arsm_l2r.letor.store import read_parts

from .tiny import DATASET, ROTATION, changed, facts_of, fold_files, part_text, prepared, write_files

PARTS = {f"S{number}": part_text(number) for number in range(1, 6)}


def facts(number: int) -> PartFacts:
    """What S`number` holds, counted by hand."""
    bodies = [line.partition("#")[0].rstrip() for line in part_text(number).splitlines()]
    fingerprint = hashlib.sha256(("\n".join(bodies) + "\n").encode()).hexdigest()
    return PartFacts(rows=5, queries=2, labels=(3, 1, 1), fingerprint=fingerprint)


FACTS = tuple(facts(number) for number in range(1, 6))
KNOWN = changed(DATASET, parts=FACTS)


def violations_of(folder: Path, files: dict[str, str], dataset: Dataset = DATASET) -> list[str]:
    write_files(folder, files)
    with pytest.raises(ValidationError) as caught:
        prepared(dataset, folder)
    for violation in caught.value.violations:
        assert violation in str(caught.value)
    return caught.value.violations


def with_changed_part(name: str, change: Callable[[str], str]) -> dict[str, str]:
    """All files, of parts of which one is changed wherever it stands."""
    return fold_files({**PARTS, name: change(PARTS[name])})


# ── valid data ────────────────────────────────────────────────────────────────────────────


def test_valid_data_become_five_parts_with_the_known_facts(tmp_path: Path) -> None:
    text = write_files(tmp_path / "text", fold_files())
    notes = prepare(KNOWN, text, tmp_path / "parts")
    assert [facts_of(note) for note in notes] == list(FACTS)
    parts = read_parts(tmp_path / "parts")
    assert [part.table["qid"].unique().sort().to_list() for part in parts] == [
        [10 * number, 10 * number + 1] for number in range(1, 6)
    ]


def test_line_ends_and_comments_of_training_files_may_differ(tmp_path: Path) -> None:
    files = fold_files()
    files["Fold1/train.txt"] = files["Fold1/train.txt"].replace("\n", "\r\n")
    files["Fold2/vali.txt"] = files["Fold2/vali.txt"].replace("#docid = ", " # number ")
    assert len(prepared(KNOWN, write_files(tmp_path, files))) == 5


def test_missing_and_unreadable_files_are_parse_errors(tmp_path: Path) -> None:
    files = with_changed_part("S2", lambda text: text.replace("1:1.0", "1:NaN", 1))
    with pytest.raises(ParseError, match=r"Fold3/test\.txt:3: feature value is not a finite"):
        prepared(DATASET, write_files(tmp_path, files))
    write_files(tmp_path, fold_files())
    (tmp_path / "Fold4" / "vali.txt").unlink()
    with pytest.raises(ParseError, match=r"Fold4/vali\.txt: cannot be read"):
        prepared(DATASET, tmp_path)


def test_data_with_fewer_features_than_the_catalogue_says_are_refused(tmp_path: Path) -> None:
    folder = write_files(tmp_path, fold_files())
    with pytest.raises(
        ParseError, match=r"test\.txt: the highest feature number is 2, but there must be 136 feat"
    ):
        prepared(changed(DATASET, features=136), folder)
    sparse = prepared(changed(DATASET, features=136, sparse=True), folder)
    assert {part.table.width for part in sparse} == {3 + 136}


# ── each kind of violation ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda text: text.replace("2 qid", "3 qid"),
            "label: label above 2: 3 in line 1",
        ),
        (
            lambda text: text.replace("1:1.0", "1:1.5"),
            "f1: value outside [0, 1], though features are query-normalised: 1.5 in line 3, "
            "and 1 more",
        ),
        (
            lambda text: text.replace("1:0.0 2:1 #docid = A", "1:-0.1 2:1 #docid = A"),
            f"f1: value outside [0, 1], though features are query-normalised: "
            f"{np.float32(-0.1)} in line 4",
        ),
        (
            lambda text: text.replace("#docid = C", "# inc = 1"),
            "docid: missing in line 3",
        ),
        (
            lambda text: text.replace("#docid = C", "#docid = A"),
            "document occurs twice in its query: query 10 in line 3",
        ),
        (
            lambda text: "\n\n" + text + "0 qid:10 1:0 2:1 #docid = D\n",
            "query's documents do not stand together: query 10 in line 8",
        ),
    ],
    ids=["label", "value above", "value below", "docid", "same pair", "query not together"],
)
def test_violation_in_a_table_shows_with_file_and_line(
    tmp_path: Path, change: Callable[[str], str], expected: str
) -> None:
    found = violations_of(tmp_path, with_changed_part("S1", change))
    assert found == [f"Fold2/test.txt: {expected}"]


def test_values_outside_the_unit_interval_pass_where_nothing_was_normalised(
    tmp_path: Path,
) -> None:
    files = with_changed_part("S1", lambda text: text.replace("1:1.0", "1:15"))
    assert (
        len(prepared(changed(DATASET, query_normalised=False), write_files(tmp_path, files))) == 5
    )


def test_same_document_may_occur_in_several_queries_and_unnamed_ones_in_one(
    tmp_path: Path,
) -> None:
    files = with_changed_part("S1", lambda text: text.replace("#docid = ", "#"))
    assert len(prepared(changed(DATASET, docids=False), write_files(tmp_path, files))) == 5


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"f1": [0.5, float("inf")]}, "f1: infinite value: inf in line 8"),
        ({"f2": [float("nan"), 0.5]}, "f2: missing in line 7"),
        ({"f2": [None, None]}, "f2: missing in line 7, and 1 more"),
    ],
    ids=["infinity", "NaN", "null"],
)
def test_schema_finds_values_that_no_parser_lets_through(
    table: dict[str, list[float | None]], expected: str
) -> None:
    columns = {"label": [0, 1], "qid": [1, 1], "docid": ["A", "B"], "f1": [0.0, 1.0]}
    columns |= {"f2": [0.0, 1.0], **table}
    schema = {"label": pl.UInt8, "qid": pl.Int64, "docid": pl.String}
    schema |= {"f1": pl.Float32, "f2": pl.Float32}
    frame = pl.DataFrame(columns, schema=schema)
    assert violations(frame, DATASET, pl.Series([7, 8])) == [expected]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.with_columns(pl.col("f1").cast(pl.Float64)),
        lambda table: table.drop("f2"),
        lambda table: table.with_columns(f3=pl.lit(0.0)),
        lambda table: table.select("qid", "label", "docid", "f1", "f2"),
    ],
    ids=["type", "missing column", "further column", "order"],
)
def test_schema_finds_wrong_columns(
    tmp_path: Path, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    table = prepared(DATASET, write_files(tmp_path, fold_files()))[0].table
    numbers = pl.Series(range(1, 6))
    assert violations(table, DATASET, numbers) == []
    assert violations(change(table), DATASET, numbers) != []


@pytest.mark.parametrize(
    ("fact", "wrong"),
    [("rows", 6), ("queries", 3), ("labels", (2, 2, 1)), ("fingerprint", "0" * 64)],
)
def test_fact_unlike_the_catalogue_shows_with_both_values(
    tmp_path: Path, fact: str, wrong: object
) -> None:
    expected = (*FACTS[:3], changed(FACTS[3], **{fact: wrong}), FACTS[4])
    found = violations_of(tmp_path, fold_files(), changed(DATASET, parts=expected))
    assert found == [f"S4: {fact} {getattr(FACTS[3], fact)}, should be {wrong}"]


def test_query_in_two_parts_shows(tmp_path: Path) -> None:
    files = with_changed_part("S3", lambda text: text.replace("qid:30", "qid:10"))
    assert violations_of(tmp_path, files) == ["query 10 stands in S1 and S3"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "Fold1/train.txt",
            PARTS["S1"] + PARTS["S3"] + PARTS["S2"],
            ["lines 6 to 10 are not part S2", "lines 11 to 15 are not part S3"],
        ),
        ("Fold4/vali.txt", PARTS["S3"], ["lines 1 to 5 are not part S2"]),
        (
            "Fold5/vali.txt",
            PARTS["S3"].replace("1:1.0", "1:1.00", 1),
            ["lines 1 to 5 are not part S3"],
        ),
        ("Fold2/vali.txt", PARTS["S5"] + PARTS["S1"], ["10 documents, its parts hold 5"]),
        (
            "Fold3/train.txt",
            PARTS["S3"] + PARTS["S4"],
            ["lines 11 to 15 are not part S5", "10 documents, its parts hold 15"],
        ),
    ],
    ids=["order", "other part", "changed value", "too many", "too few"],
)
def test_training_or_validation_file_that_is_not_the_rotation_shows(
    tmp_path: Path, name: str, text: str, expected: list[str]
) -> None:
    found = violations_of(tmp_path, {**fold_files(), name: text})
    assert found == [f"{name}: {violation}" for violation in expected]


def test_all_violations_are_told_together(tmp_path: Path) -> None:
    changed = PARTS["S1"].replace("2 qid", "3 qid").replace("1:1.0", "1:1.5", 1)
    changed = changed.replace("#docid = B", "#", 1).replace("#docid = C", "#docid = A")
    files = fold_files({**PARTS, "S1": changed, "S5": PARTS["S5"].replace("qid:50", "qid:10")})
    files["Fold3/vali.txt"] = PARTS["S2"]
    found = violations_of(tmp_path, files, KNOWN)
    in_unit = "value outside [0, 1], though features are query-normalised: 1.5 in line 3"
    prints = {
        name: hashlib.sha256(
            "".join(f"{line.partition('#')[0].rstrip()}\n" for line in text.splitlines()).encode()
        ).hexdigest()
        for name, text in (("S1", changed), ("S5", files["Fold1/test.txt"]))
    }
    assert found == [
        "Fold2/test.txt: label: label above 2: 3 in line 1",
        "Fold2/test.txt: docid: missing in line 2",
        f"Fold2/test.txt: f1: {in_unit}",
        "Fold2/test.txt: document occurs twice in its query: query 10 in line 3",
        "query 10 stands in S1 and S5",
        "Fold3/vali.txt: lines 1 to 5 are not part S1",
        "S1: labels (3, 1, 0), should be (3, 1, 1)",
        f"S1: fingerprint {prints['S1']}, should be {FACTS[0].fingerprint}",
        f"S5: fingerprint {prints['S5']}, should be {FACTS[4].fingerprint}",
    ]


def test_message_counts_the_violations_and_names_the_data_set() -> None:
    error = ValidationError("Tiny in somewhere", ["one", "two"])
    assert str(error) == "Tiny in somewhere: 2 violations\n  - one\n  - two"
    assert str(ValidationError("Tiny", ["one"])) == "Tiny: 1 violation\n  - one"


# ── folds ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("fold", ROTATION)
def test_rotation_is_that_of_letor(fold: int) -> None:
    parts = fold_parts(fold, 5)
    named = [
        " ".join(f"S{n}" for n in numbers) for numbers in (parts.train, parts.vali, parts.test)
    ]
    assert tuple(named) == ROTATION[fold]


@pytest.mark.parametrize("part_count", [3, 5, 7])
def test_every_part_is_tested_by_one_fold(part_count: int) -> None:
    for part in range(1, part_count + 1):
        fold = fold_that_tests(part, part_count)
        assert fold_parts(fold, part_count).test == (part,)


@pytest.mark.parametrize("fold", [0, 6])
def test_fold_that_does_not_exist_is_refused(fold: int) -> None:
    with pytest.raises(ValueError, match=f"fold {fold} of 5"):
        fold_parts(fold, 5)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10**12), st.integers(1, 4)), unique_by=lambda run: run[0]),
    st.integers(3, 6),
    st.integers(0, 2**32),
)
def test_split_is_disjoint_complete_even_and_repeatable(
    runs: list[tuple[int, int]], part_count: int, seed: int
) -> None:
    assume(len(runs) >= part_count)
    qids = [qid for qid, documents in runs for _ in range(documents)]
    split = QuerySplit(parts=part_count, seed=seed)
    part_of = split_by_query(pl.Series(qids), split)
    assert part_of.shape == (len(qids),)
    assert set(part_of.tolist()) == set(range(1, part_count + 1))
    queries = [
        {qid for qid, part in zip(qids, part_of, strict=True) if part == number}
        for number in range(1, part_count + 1)
    ]
    assert sum(map(len, queries)) == len(runs), "a query lies in two parts"
    assert max(map(len, queries)) - min(map(len, queries)) <= 1
    np.testing.assert_array_equal(part_of, split_by_query(pl.Series(qids), split))


def test_split_depends_on_the_seed() -> None:
    qids = pl.Series(range(30))
    first, second = (
        split_by_query(qids, QuerySplit(parts=3, seed=seed)).tolist() for seed in (0, 1)
    )
    assert first != second
    assert first != [1, 2, 3] * 10, "queries are not dealt out at random"


def test_fewer_queries_than_parts_are_refused() -> None:
    with pytest.raises(ValidationError, match="2 queries don't make 3 parts"):
        split_by_query(pl.Series([4, 4, 9]), QuerySplit(parts=3, seed=0))


# ── data without folds ────────────────────────────────────────────────────────────────────

UNSPLIT = changed(
    DATASET,
    layout=Layout(files="*.txt", split=QuerySplit(parts=3, seed=1)),
    features=4,
    sparse=True,
    labels=5,
    query_normalised=False,
    docids=False,
)


def test_sparse_data_without_folds_and_names_are_divided_by_query(tmp_path: Path) -> None:
    lines = [f"{n % 5} qid:{n // 2} {n % 4 + 1}:{n - 7}.5" for n in range(14)]
    files = {"1-a.txt": "\n".join(lines[:8]) + "\n", "2-b.txt": "\n".join(lines[8:]) + "\n"}
    (tmp_path / "source.json").write_text("{}")
    parts = prepared(UNSPLIT, write_files(tmp_path, files))
    assert sorted(part.table["qid"].n_unique() for part in parts) == [2, 2, 3]
    seen = {}
    for part in parts:
        bodies = []
        for label, qid, docid, *values in part.table.iter_rows():
            (index,) = np.flatnonzero(values)
            bodies.append(f"{label} qid:{qid} {index + 1}:{values[index]}")
            assert docid is None
        seen.update(dict.fromkeys(bodies))
        joined = "\n".join(bodies) + "\n"
        assert part.fingerprint == hashlib.sha256(joined.encode()).hexdigest()
    assert sorted(seen) == sorted(lines)


def test_query_in_two_files_shows(tmp_path: Path) -> None:
    files = {
        "1-a.txt": "0 qid:1 1:1\n1 qid:2 1:1\n",
        "2-b.txt": "0 qid:2 1:1\n4 qid:3 1:1\n5 qid:4 1:1\n",
    }
    assert violations_of(tmp_path, files, UNSPLIT) == [
        "2-b.txt: label: label above 4: 5 in line 3",
        "query 2 stands in 1-a.txt and 2-b.txt",
    ]
