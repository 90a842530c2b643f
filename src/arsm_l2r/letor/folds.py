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


def split_by_query(qids: pl.Series, split: QuerySplit) -> list[np.ndarray]:
    """Deal queries out to parts at random, as evenly as their number allows.

    Returns:
        The rows of each part. Documents keep the order of the file.
    """
    _, query_of_row = np.unique(qids.to_numpy(), return_inverse=True)
    queries = int(query_of_row.max()) + 1
    if queries < split.parts:
        raise ValidationError("layout", [f"{queries} queries don't make {split.parts} parts"])
    order = np.random.Generator(np.random.PCG64(split.seed)).permutation(queries)
    part_of_row = order[query_of_row] % split.parts
    return [np.flatnonzero(part_of_row == part) for part in range(split.parts)]
