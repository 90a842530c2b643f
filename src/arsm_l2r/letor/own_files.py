"""Read the files that users give to the command line: text, compressed or not, or a table."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from arsm_l2r.errors import Advice, ParseError
from arsm_l2r.letor.contents import read_content, shown
from arsm_l2r.letor.grammar import OWN
from arsm_l2r.letor.own_tables import is_table, read_table
from arsm_l2r.letor.parse import parse_text

_PLAIN_NUMBER = "^(?:0|[1-9][0-9]*)$"


@dataclass(frozen=True)
class OwnData:
    """Documents of a user's file, those of one query together.

    Attributes:
        path: what the file is called in messages.
        table: one row per document: `label` (Int64; null if the file has no labels), `qid` (Int64
            if all are plain numbers, String otherwise), `docid` (String, null where there is
            none), and one column per feature (Float32).
        group: (queries,) int64, how many documents each query has.
        feature_names: the features' names, if the file has names for them.
        zero_based: whether the file is text that numbers its features from 0.
        fingerprint: identifies labels, queries and features of a text file (`letor.lines`).
    """

    path: Path
    table: pl.DataFrame
    group: np.ndarray
    feature_names: list[str] | None = None
    zero_based: bool = False
    fingerprint: str | None = None

    @property
    def features(self) -> np.ndarray:
        """(documents, P) float32."""
        return self.table.drop("label", "qid", "docid").to_numpy(order="c")

    @property
    def frame(self) -> pl.DataFrame | np.ndarray:
        """The features as a ranker takes them: with their names, if they have some."""
        return self.features if self.feature_names is None else self.table[self.feature_names]

    @property
    def labelled(self) -> bool:
        """Whether the documents have labels; all have, or none."""
        return not self.table["label"].has_nulls()

    @property
    def labels(self) -> np.ndarray:
        """(documents,) int64, from 0; only if they are `labelled`."""
        return self.table["label"].to_numpy()

    def scored(self, scores: np.ndarray) -> pl.DataFrame:
        """A table of `qid`, `docid`, `score`, and `label` if there are labels."""
        columns = ["qid", "docid", *(["label"] if self.labelled else [])]
        return self.table.select(columns).insert_column(2, pl.Series("score", scores))


def read_own(
    path: Path,
    *,
    features: int | None = None,
    sparse: bool = False,
    zero_based: bool | None = None,
    labels_needed: bool = True,
) -> OwnData:
    """Read a LETOR, SVMlight or Parquet file; `-` is standard input.

    Args:
        path: the file. Whether it is compressed or a Parquet table is told from its content.
        features: how many features there must be, if that is known.
        sparse: lines of text leave out features that are 0, so that the last may never occur.
        zero_based: whether lines of text number features from 0. If not given, they are taken to
            if the number 0 occurs, or a comment of scikit-learn's says so, and that is told.
        labels_needed: whether every document must have a label.

    Raises:
        ParseError: naming the file, and the line or the column and row of what cannot be read.
    """
    content = read_content(path)
    path = shown(path)
    if is_table(path, content):
        table, names = read_table(path, content, features)
        places, zero, printed = pl.Series(range(1, table.height + 1)), False, None
    else:
        parsed = parse_text(
            path, OWN, content=content, features=features, sparse=sparse, zero_based=zero_based
        )
        if parsed.zero_based and zero_based is None:
            warnings.warn(
                f"{path}: its features are numbered from 0, as scikit-learn writes them; say "
                "--zero-based for this and all files of the same kind, so that they are read alike",
                Advice,
                stacklevel=2,
            )
        table = parsed.table.with_columns(
            pl.col("label").cast(pl.Int64), _numbers_if_plain(parsed.table["qid"])
        )
        names, places, zero = None, parsed.line_numbers, parsed.zero_based
        printed = parsed.fingerprint
    group = _sizes(path, table["qid"], places, "" if names is None else " row ")
    data = OwnData(path, table, group, names, zero, printed)
    if labels_needed and not data.labelled:
        raise ParseError(f"{path}: has no labels, which are needed here")
    return data


def _numbers_if_plain(qids: pl.Series) -> pl.Series:
    """Queries as numbers, if none would then be written otherwise than it is."""
    numbers = qids.cast(pl.Int64, strict=False)
    plain = qids.str.contains(_PLAIN_NUMBER).all() and not numbers.has_nulls()
    return numbers if plain else qids


def _sizes(path: Path, qids: pl.Series, places: pl.Series, unit: str) -> np.ndarray:
    """How many documents each query has.

    Raises:
        ParseError: naming the first document that stands apart from others of its query.
    """
    runs = qids.rle().struct.unnest()
    again = ~runs["value"].is_first_distinct()
    if again.any():
        run = int(again.arg_true()[0])
        row = int(runs["len"][:run].sum())
        raise ParseError(
            f"{path}:{unit}{places[row]}: the documents of query {runs['value'][run]} do not stand "
            "together: this one comes after those of other queries; sort the file by query"
        )
    return runs["len"].cast(pl.Int64).to_numpy()
