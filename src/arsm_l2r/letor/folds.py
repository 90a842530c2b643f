"""Parts, folds and their rotation.

A data set has n parts (LETOR: five). Fold k trains on n - 2 of them beginning with part k,
validates on the next and tests on the one after: Fold1 = S1 S2 S3 | S4 | S5,
Fold2 = S2 S3 S4 | S5 | S1, and so on.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from arsm_l2r.errors import ValidationError
from arsm_l2r.letor.catalogue import QuerySplit


@dataclass(frozen=True)
class FoldParts:
    """The numbers, from 1, of the parts that make up one fold."""

    train: tuple[int, ...]
    vali: tuple[int, ...]
    test: tuple[int, ...]


def fold_parts(fold: int, part_count: int) -> FoldParts:
    """Which parts fold `fold` (from 1) trains, validates and tests on."""
    if not 1 <= fold <= part_count:
        raise ValueError(f"fold {fold} of {part_count}")
    rotated = [(fold - 1 + step) % part_count + 1 for step in range(part_count)]
    return FoldParts(tuple(rotated[:-2]), (rotated[-2],), (rotated[-1],))


def fold_that_tests(part: int, part_count: int) -> int:
    """The fold whose test file is part `part`, the one place where a part stands alone."""
    return part % part_count + 1


def split_by_query(qids: pl.Series, split: QuerySplit) -> np.ndarray:
    """Deal queries out to parts at random, as evenly as their number allows.

    Args:
        qids: the query of each document.
        split: into how many parts, and the seed.

    Returns:
        The part, from 1, of each document.
    """
    query_of_row, places = _shuffled(qids, split.seed)
    if len(places) < split.parts:
        raise ValidationError("layout", [f"{len(places)} queries don't make {split.parts} parts"])
    return np.asarray(places[query_of_row] % split.parts + 1)


def hold_out(qids: pl.Series, share: float) -> np.ndarray:
    """Hold a share of the queries out for validation, at random.

    Args:
        qids: the query of each document.
        share: between 0 and 1.

    Returns:
        Of each document, 1 if it is for training and 2 if it is for validation.
    """
    query_of_row, places = _shuffled(qids, 0)
    held = max(1, round(share * len(places)))
    if held >= len(places):
        raise ValidationError("layout", [f"{len(places)} queries are too few to hold some out"])
    return np.where(places[query_of_row] < held, 2, 1)


def _shuffled(qids: pl.Series, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The query of each document, from 0, and the place of each query in a random order."""
    queries, query_of_row = np.unique(qids.to_numpy(), return_inverse=True)
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(queries))
    return query_of_row, order
