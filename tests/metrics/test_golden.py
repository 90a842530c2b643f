"""Every figure that Microsoft's two evaluation tools print for a small made-up data set.

The data have many ties, queries without a relevant document, and queries shorter than the
cut-offs.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from arsm_l2r.metrics import (
    LETOR,
    LETOR3,
    Convention,
    Judgements,
    Ranking,
    average_precision,
    mean_ndcg,
    ndcg,
    precision,
    rank,
)

GOLDEN = Path(__file__).parent / "golden"
TO_10 = range(1, 11)
TO_16 = range(1, 17)


def read_ranking(name: str, convention: Convention) -> tuple[Ranking, list[str]]:
    """The ranking of a toy file by the toy scores, and its query ids."""
    rows = [line.split()[:2] for line in (GOLDEN / name).read_text().splitlines()]
    runs = [(qid, len(list(run))) for qid, run in groupby(qid for _, qid in rows)]
    judgements = Judgements([int(label) for label, _ in rows], [length for _, length in runs])
    scores = np.loadtxt(GOLDEN / "toy.scores")
    ids = [qid.removeprefix("qid:") for qid, _ in runs]
    return rank(scores, judgements, convention.ties), ids


def printed_by_4(first_column: str) -> dict[str, list[str]]:
    """The rows, by query id, of the 4.0 tool's table that begins with a column."""
    for table in (GOLDEN / "toy.letor4.0.out").read_text().strip().split("\n\n"):
        header, *rows = (line.split("\t") for line in table.splitlines())
        if header[1] == first_column:
            return {row[0]: row[1:] for row in rows}
    raise AssertionError(f"no table {first_column}")


def printed_by_3(query_line: str, mean_line: str) -> tuple[list[list[float]], list[float]]:
    """The figures, per query and on average, in the 3.0 tool's lines of such names."""
    lines = [
        (name, [float(figure) for figure in figures.split()])
        for name, figures in _named_lines(GOLDEN / "toy.letor3.0.out")
    ]
    per_query = [figures for name, figures in lines if name.startswith(f"{query_line} of query")]
    (mean,) = [figures for name, figures in lines if name == mean_line]
    return per_query, mean


def _named_lines(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text().splitlines():
        if line:
            name, figures = line.split(":")
            yield name, figures


def to_15_digits(value: float) -> object:
    """Equal to what is printed with 15 digits.

    Of 677 figures, 12 of NDCG need the tolerance: the last bit of a logarithm rounds them to
    the next digit.
    """
    return pytest.approx(value, rel=1e-14, abs=0)


@pytest.fixture(scope="module")
def by_4() -> tuple[Ranking, list[str]]:
    return read_ranking("toy4.txt", LETOR)


@pytest.fixture(scope="module")
def by_3() -> Ranking:
    return read_ranking("toy3.txt", LETOR3)[0]


def assert_prints_as_4(table: np.ndarray, qids: list[str], expected: dict[str, list[str]]) -> None:
    rows = [*zip(qids, table, strict=True), ("Average", table.mean(axis=0))]
    assert {qid: [f"{value:.4f}" for value in row] for qid, row in rows} == expected


def test_precision_and_map_are_those_of_letor_4(by_4: tuple[Ranking, list[str]]) -> None:
    ranking, qids = by_4
    table = np.column_stack([precision(ranking, TO_10, LETOR), average_precision(ranking, LETOR)])
    assert_prints_as_4(table, qids, printed_by_4("P@1"))


def test_ndcg_and_mean_ndcg_are_those_of_letor_4(by_4: tuple[Ranking, list[str]]) -> None:
    ranking, qids = by_4
    table = np.column_stack([ndcg(ranking, TO_10, LETOR), mean_ndcg(ranking, LETOR)])
    assert_prints_as_4(table, qids, printed_by_4("NDCG@1"))


@pytest.mark.parametrize(("measure", "name"), [(precision, "precision"), (ndcg, "NDCG")])
def test_values_by_position_are_those_of_letor_3(by_3: Ranking, measure, name: str) -> None:
    values = measure(by_3, TO_16, LETOR3)
    per_query, mean = printed_by_3(name, name)
    # A query's line ends where its documents do; the mean has 0 in place of what is missing.
    assert [len(figures) for figures in per_query] == np.minimum(by_3.judgements.group, 16).tolist()
    for row, figures in zip(values, per_query, strict=True):
        assert [to_15_digits(value) for value in row[: len(figures)]] == figures
        assert not row[len(figures) :].any()
    assert [to_15_digits(value) for value in values.mean(axis=0)] == mean


def test_map_is_that_of_letor_3(by_3: Ranking) -> None:
    values = average_precision(by_3, LETOR3)
    per_query, mean = printed_by_3("Map", "MAP")
    assert [[to_15_digits(value)] for value in values] == per_query
    assert [to_15_digits(values.mean())] == mean


def test_precision_of_short_lists_is_where_the_tools_differ(by_3: Ranking) -> None:
    short = by_3.judgements.group[:, None] < np.array(TO_10)
    new, old = (precision(by_3, TO_10, convention) for convention in (LETOR, LETOR3))
    np.testing.assert_array_equal(new[~short], old[~short])
    assert new[short].any()
    assert not old[short].any()
