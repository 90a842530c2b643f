"""Users' Parquet tables."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arsm_l2r.errors import Advice, ParseError
from arsm_l2r.letor.own_files import read_own

COLUMNS: dict[str, Any] = {
    "qid": [1, 1, 2],
    "bm25": [0.5, 0.25, 0.0],
    "label": [2, 0, 1],
    "docid": ["A", "B", "A"],
    "clicks": [1, 0, 7],
}


@pytest.fixture
def stored(tmp_path: Path):
    """Write COLUMNS with changes, None for a column that is left out."""

    def write(name: str = "data.parquet", **changes: Any) -> Path:
        columns = {key: value for key, value in (COLUMNS | changes).items() if value is not None}
        pl.DataFrame(columns).write_parquet(tmp_path / name)
        return tmp_path / name

    return write


@pytest.mark.parametrize("name", ["data.parquet", "data.txt"])
def test_features_are_all_other_numbers_in_their_order(stored, name: str) -> None:
    data = read_own(stored(name))
    assert data.feature_names == ["bm25", "clicks"]
    assert data.features.tolist() == [[0.5, 1], [0.25, 0], [0, 7]]
    assert data.labels.tolist() == [2, 0, 1]
    assert data.group.tolist() == [2, 1]
    assert data.table["docid"].to_list() == ["A", "B", "A"]
    assert data.table.columns == ["label", "qid", "docid", "bm25", "clicks"]


def test_docid_and_label_may_be_missing(stored) -> None:
    data = read_own(stored(label=None, docid=None, qid=["x", "x", "y y"]), labels_needed=False)
    assert not data.labelled
    assert data.table["qid"].to_list() == ["x", "x", "y y"]
    assert data.table["docid"].null_count() == 3


def test_whole_labels_of_any_type_and_flags_are_numbers(stored) -> None:
    data = read_own(stored(label=[2.0, 0.0, 1.0], clicks=[True, False, True], docid=[7, 8, 7]))
    assert data.labels.tolist() == [2, 0, 1]
    assert data.features[:, 1].tolist() == [1, 0, 1]
    assert data.table["docid"].to_list() == ["7", "8", "7"]


def test_columns_that_are_no_numbers_are_not_used_and_said(stored) -> None:
    with pytest.warns(Advice, match=r"data\.parquet: not used, .* columns title, seen$"):
        data = read_own(stored(title=["a", "b", "c"], seen=[[1], [2], [3]]))
    assert data.feature_names == ["bm25", "clicks"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"label": None}, ": has no labels, which are needed here"),
        ({"label": [1, None, 0]}, ": row 2, column label: no value; labels are whole numbers"),
        ({"label": [1, 0, -1]}, ": row 3, column label: labels start at 0: -1"),
        ({"label": [1.0, 1.5, 0.0]}, ": row 2, column label: label is not a whole number: 1.5"),
        ({"label": [31, 0, 0]}, ": row 1, column label: label is above 30: 31"),
        ({"label": [0.0, float("nan"), 0.0]}, ": row 2, column label: label is"),
        ({"label": ["a", "b", "c"]}, ": column label holds String, not numbers"),
        ({"qid": None}, ": no column qid"),
        ({"qid": [1, None, 2]}, ": row 2, column qid: no value"),
        ({"qid": [1.5, 1.5, 2.0]}, ": column qid holds Float64, neither"),
        ({"qid": [1, 2, 1]}, ": row 3: the documents of query 1 do not stand together"),
        ({"bm25": [0.5, None, 1.0]}, ": row 2, column bm25: no value; a feature must be"),
        ({"bm25": [0.5, 1.0, float("nan")]}, ": row 3, column bm25: feature value is not a finite"),
        ({"clicks": [0.5, 1e39, 1.0]}, ": row 2, column clicks: value too large for a 32-bit"),
        ({"bm25": None, "clicks": None}, ": 0 columns of features"),
        ({key: [] for key in COLUMNS}, ": holds no documents"),
    ],
)
def test_what_cannot_be_read_is_told_with_file_column_and_row(
    stored, changes: dict[str, Any], message: str
) -> None:
    path = stored(**changes)
    with pytest.raises(ParseError) as caught:
        read_own(path)
    assert str(caught.value).startswith(f"{path}{message}")


def test_number_of_feature_columns_must_be_that_of_the_model(stored) -> None:
    assert read_own(stored(), features=2).features.shape == (3, 2)
    for wrong in (1, 3):
        with pytest.raises(ParseError, match=f"2 columns of features, but there must be {wrong}"):
            read_own(stored(), features=wrong)


def test_damaged_table_and_text_in_its_place_are_one_line(stored) -> None:
    path = stored()
    whole = path.read_bytes()
    for content in (whole[:-20], whole[:4], b"1 qid:1 1:1\n", b""):
        path.write_bytes(content)
        with pytest.raises(ParseError) as caught:
            read_own(path)
        assert str(caught.value).startswith(f"{path}: not a Parquet file, or a damaged one")
        assert "\n" not in str(caught.value)


def test_the_index_that_pandas_writes_is_no_feature(stored) -> None:
    with pytest.warns(Advice, match="not used, .* or pandas' index: columns __index_level_0__"):
        data = read_own(stored(__index_level_0__=[3, 5, 8]))
    assert data.feature_names == ["bm25", "clicks"]
