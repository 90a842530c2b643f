"""The embedded data set: generated, the same on every machine, like LETOR in kind.

Only raw generator bits and elementwise sums, products and comparisons are used, so that the
text comes out the same on any platform and with any NumPy: its fingerprints are part of the
catalogue. Relevance depends on hidden properties of a document, one half linearly and one half
through an interaction that no linear function of the features can see.
"""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arsm_l2r.letor.folds import fold_parts

PARTS = 5
FEATURES = 46
QUERIES_PER_PART = 36
_HIDDEN = 6
_SHARE_BELOW = (0.742, 0.945)
"""Shares of documents with label 0, and with label 0 or 1: the mix of MQ2007."""


@dataclass(frozen=True)
class _Query:
    number: int
    features: np.ndarray
    worth: np.ndarray


class _Uniform:
    """Uniform numbers in [0, 1) from raw generator bits, which no NumPy release changes."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def __call__(self, *shape: int) -> np.ndarray:
        raw = self._bits.random_raw(int(np.prod(shape)))
        return (raw >> np.uint64(11)).reshape(shape) * 2.0**-53

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self(1)[0] * (high - low + 1))

    def bell(self, *shape: int) -> np.ndarray:
        """Numbers around 0 with variance 1/3: a sum of four centred uniform numbers."""
        return sum((self(*shape) for _ in range(4)), start=np.full(shape, -2.0))


def write_archive(path: Path, seed: int = 2007) -> None:
    """Write the data set as a zip archive of LETOR text files, five folds of three."""
    texts = [_part_text(queries) for queries in _labelled_parts(seed)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for fold in range(1, PARTS + 1):
            rotation = fold_parts(fold, PARTS)
            for split in ("train", "vali", "test"):
                joined = "".join(texts[number - 1] for number in getattr(rotation, split))
                member = zipfile.ZipInfo(f"Synthetic/Fold{fold}/{split}.txt")
                member.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(member, joined)


def _labelled_parts(seed: int) -> list[list[tuple[_Query, np.ndarray]]]:
    uniform = _Uniform(seed)
    mixing = uniform(FEATURES, _HIDDEN)
    queries = [_query(number, uniform, mixing) for number in range(1, PARTS * QUERIES_PER_PART + 1)]
    ordered = np.sort(np.concatenate([query.worth for query in queries]))
    limits = [ordered[int(share * len(ordered))] for share in _SHARE_BELOW]
    labelled = [(query, sum(query.worth >= limit for limit in limits)) for query in queries]
    return [
        labelled[part * QUERIES_PER_PART : (part + 1) * QUERIES_PER_PART] for part in range(PARTS)
    ]


def _query(number: int, uniform: _Uniform, mixing: np.ndarray) -> _Query:
    documents = uniform.integer(5, 60)
    hidden = uniform(documents, _HIDDEN)
    linear = 1.2 * hidden[:, 0] + 0.8 * hidden[:, 1]
    interaction = 6.0 * (hidden[:, 2] - 0.5) * (hidden[:, 3] - 0.5)
    ease = 1.4 * uniform.bell(1)[0]
    worth = linear + interaction + ease + 0.6 * uniform.bell(documents)
    return _Query(number, _features(documents, hidden, uniform, mixing), worth)


def _features(
    documents: int, hidden: np.ndarray, uniform: _Uniform, mixing: np.ndarray
) -> np.ndarray:
    """Noisy views of the hidden properties, scaled to [0, 1] per query; one is constant."""
    features = np.zeros((documents, FEATURES))
    for column in range(FEATURES - 1):
        main = column % (_HIDDEN + 1)
        noise = 0.25 * uniform.bell(documents)
        if main == _HIDDEN:  # a feature that says little about anything
            value = noise + 0.2 * mixing[column, 0] * hidden[:, 0]
        else:
            other = hidden[:, (main + 1) % _HIDDEN]
            value = hidden[:, main] + 0.3 * mixing[column, main] * other + 0.5 * noise
        low, high = value.min(), value.max()
        features[:, column] = (value - low) / (high - low)
    return features


def _part_text(queries: list[tuple[_Query, np.ndarray]]) -> str:
    text = io.StringIO()
    for query, labels in queries:
        for document, (label, values) in enumerate(zip(labels, query.features, strict=True)):
            entries = " ".join(f"{index}:{value:.6f}" for index, value in enumerate(values, 1))
            docid = f"SYN-{query.number:03d}-{document:02d}"
            text.write(f"{label} qid:{query.number} {entries} #docid = {docid}\n")
    return text.getvalue()
