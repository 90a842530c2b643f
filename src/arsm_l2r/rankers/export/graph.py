"""From features to scores, in the operations of any library that makes graphs.

The same as `predict`: scaling, networks, mixture and scoring. Nothing grows faster than documents
times features: a value is looked up among quantiles by halving, for all values at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.rankers.feature_scaling import Affine, Quantiles, Scaling, SideBySide
from arsm_l2r.rankers.scoring import SCORINGS, TINY
from arsm_l2r.training.network import forward

FEATURES, SCORES = "features", "scores"
"""What input and output of a graph are called."""

_WEIGHTED = ("linear", "squared", "exponential", "top")
"""Scorings that are sums of the levels' probabilities, each times a weight."""

_HALVES = "log-odds"
_TOGETHER = "rank"


class Library(Protocol):
    """Operations on a library's values, which also have `+ - * / @ < <=` among themselves."""

    def constant(self, array: np.ndarray) -> Any:
        """The array as a value of the same type."""

    def cast(self, value: Any, dtype: type) -> Any:
        """The value as one of NumPy's types."""

    def tanh(self, value: Any) -> Any:
        """Hyperbolic tangent."""

    def exp(self, value: Any) -> Any:
        """Exponential."""

    def log(self, value: Any) -> Any:
        """Natural logarithm."""

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        """One or the other, broadcast."""

    def take(self, table: Any, index: Any) -> Any:
        """Entries of a (length,) table, in the shape of the index."""

    def side_by_side(self, values: Sequence[Any]) -> Any:
        """Matrices of the same documents as one."""

    def highest(self, value: Any) -> Any:
        """(documents, C) to (documents, 1)."""

    def total(self, value: Any, *, keep: bool) -> Any:
        """(documents, C) summed to (documents,), or to (documents, 1)."""

    def mean_document(self, value: Any) -> Any:
        """(documents, C) to (1, C)."""


@dataclass(frozen=True)
class TrainedModel:
    """All that turns features into scores.

    Attributes:
        kind: the ranker's class, for whoever looks into a file.
        scaling: what is done to features first.
        columns: P, how many features a document has.
        members: the weights of each network.
        scoring: how outputs, as logits of levels, become scores; None: the one output is the score.
        feature_names: of the P features, if they have names.
    """

    kind: str
    scaling: Scaling
    columns: int
    members: Sequence[Sequence[np.ndarray]]
    scoring: str | None
    feature_names: tuple[str, ...] = ()


def scores(library: Library, features: Any, model: TrainedModel) -> Any:
    """Scores (documents,), float64, of (documents, P) float32 features.

    Raises:
        UserError: if it is not known how to express the scaling or the scoring.
    """
    inputs = _scaled(library, features, model.scaling)
    outputs = [
        forward(inputs, [library.constant(each) for each in weights], library.tanh)
        for weights in model.members
    ]
    if model.scoring is None:
        return library.cast(library.total(outputs[0], keep=False), np.float64)
    levels = model.members[0][-1].shape[0]
    logits = _mixture(library, outputs, levels)
    return _scored(library, _softmax(library, logits), model.scoring, levels)


def _scaled(library: Library, features: Any, scaling: Scaling) -> Any:
    if isinstance(scaling, Affine):
        shift, scale = library.constant(scaling.shift), library.constant(scaling.scale)
        return (features - shift) * scale
    if isinstance(scaling, Quantiles):
        return _places(library, features, scaling)
    if isinstance(scaling, SideBySide):
        return library.side_by_side([features, _places(library, features, scaling.places)])
    raise UserError(f"features that are scaled by {type(scaling).__name__} cannot be exported")


def _places(library: Library, features: Any, quantiles: Quantiles) -> Any:
    """As `Quantiles`: each value's place, interpolated between the knots around it."""
    curves = list(quantiles.curves())
    # Columns have different numbers of knots. All get a power of two, so that halving ends
    # after the same number of steps; no value reaches those that are added.
    width = 1 << (max(len(values) for values, _ in curves) - 1).bit_length()
    knots = np.full((len(curves), width), np.inf)
    places, slopes = np.zeros_like(knots), np.zeros_like(knots)
    for column, (values, its_places) in enumerate(curves):
        count = len(values)
        knots[column, :count], places[column, :count] = values, its_places
        slopes[column, : count - 1] = np.diff(its_places) / np.diff(knots[column, :count])
    table, rise = library.constant(knots.ravel()), library.constant(slopes.ravel())
    lowest = library.constant(knots[:, 0])
    highest = library.constant(np.array([float(values[-1]) for values, _ in curves]))

    value = library.cast(features, np.float64)
    value = library.where(value < lowest, lowest, value)
    value = library.where(highest < value, highest, value)
    at = library.constant(np.arange(len(curves), dtype=np.int64) * width)
    step = width // 2
    while step:
        further = at + library.constant(np.array(step, np.int64))
        at = library.where(library.take(table, further) <= value, further, at)
        step //= 2
    beyond = value - library.take(table, at)
    place = library.take(library.constant(places.ravel()), at)
    return library.cast(library.take(rise, at) * beyond + place, np.float32)


def _mixture(library: Library, outputs: Sequence[Any], levels: int) -> Any:
    """As `scoring.mixture`."""
    if len(outputs) == 1:
        return outputs[0]
    total = _softmax(library, outputs[0])
    for each in outputs[1:]:
        total = total + _softmax(library, each)
    mean = total / library.constant(np.array(float(len(outputs))))
    return library.log(mean + _tiny(library, levels))


def _tiny(library: Library, count: int) -> Any:
    """What keeps logarithms finite; onnxruntime takes it for 0 if it is a single number."""
    return library.constant(np.full(count, TINY))


def _softmax(library: Library, logits: Any) -> Any:
    shifted = library.exp(library.cast(logits - library.highest(logits), np.float64))
    return shifted / library.total(shifted, keep=True)


def _scored(library: Library, probabilities: Any, scoring: str, levels: int) -> Any:
    """As `scoring.SCORINGS`; weights come from there, by scoring certain levels."""
    certain = np.eye(levels)

    def weighted(weights: Any) -> Any:
        return library.total(probabilities * weights, keep=False)

    if scoring in _WEIGHTED:
        return weighted(library.constant(SCORINGS[scoring](certain)))
    if scoring == _TOGETHER:
        below = np.triu(np.ones((levels, levels)), k=1) + certain / 2
        return weighted(library.mean_document(probabilities) @ library.constant(below))
    if scoring == _HALVES:
        upper = SCORINGS[scoring](certain) > 0
        halves = library.constant(np.stack([upper, ~upper], axis=1).astype(np.float64))
        logs = library.log(probabilities @ halves + _tiny(library, 2))
        return library.total(logs * library.constant(np.array([1.0, -1.0])), keep=False)
    raise UserError(f"scores by {scoring!r} cannot be exported: nobody has said how")
