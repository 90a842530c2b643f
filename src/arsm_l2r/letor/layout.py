"""Find the files of a data set by the end of their paths, whatever folder they lie in."""

import fnmatch
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from arsm_l2r.errors import FetchError
from arsm_l2r.letor.catalogue import Dataset

SPLIT_NAMES = {
    "train": ("train", "training", "trainingset"),
    "vali": ("vali", "valid", "validation", "validationset"),
    "test": ("test", "testing", "testset"),
}
"""The names that copies of LETOR give to the three files of a fold."""


def locate(dataset: Dataset, paths: Iterable[str]) -> dict[str, str]:
    """Tell which of `paths` belong to a data set.

    Args:
        dataset: its `layout.files` is compared with the end of each path, ignoring case.
        paths: relative paths with `/`, such as the members of an archive.

    Returns:
        The path of each file by the name it is to be stored under: `Fold1/train.txt` and so on,
        or the file's own name for data without folds.

    Raises:
        FetchError: naming the files that are missing or found twice.
    """
    candidates = sorted(path for path in paths if not _is_clutter(path))
    if dataset.layout.split is None:
        return _locate_folds(dataset, candidates)
    pattern = dataset.layout.files.lower()
    found = [path for path in candidates if fnmatch.fnmatch(f"/{path}".lower(), f"*/{pattern}")]
    if not found:
        raise FetchError(f"holds no file that matches {dataset.layout.files!r}")
    width = len(str(len(found)))
    return {
        f"{number:0{width}d}-{PurePosixPath(path).name}": path
        for number, path in enumerate(found, start=1)
    }


def _locate_folds(dataset: Dataset, candidates: list[str]) -> dict[str, str]:
    located, missing = {}, []
    for fold in range(1, dataset.fold_count + 1):
        for split, names in SPLIT_NAMES.items():
            if split == "vali" and dataset.layout.validation is not None:
                continue
            ending = re.escape(dataset.layout.files)
            ending = ending.replace(r"\{fold\}", str(fold))
            ending = ending.replace(r"\{split\}", f"(?:{'|'.join(names)})")
            expression = re.compile(f"(?:^|/){ending}$", re.IGNORECASE)
            found = [path for path in candidates if expression.search(path)]
            name = f"Fold{fold}/{split}.txt"
            if len(found) > 1:
                raise FetchError(f"holds {name} more than once: {', '.join(found)}")
            if found:
                located[name] = found[0]
            else:
                missing.append(name)
    if missing:
        raise FetchError(
            f"has no {', '.join(missing)} (looked for paths that end like {dataset.layout.files})"
        )
    return located


def _is_clutter(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return "__MACOSX" in parts or any(part.startswith("._") for part in parts)
