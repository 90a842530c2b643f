"""How features are brought to a ranker: as they are, standardised, or by their rank."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol, get_args

import numpy as np
from pydantic import Field

from arsm_l2r.errors import Advice

Kind = Literal["none", "standard", "quantile", "values-and-quantiles", "auto"]

FeatureScaling = Annotated[
    Kind,
    Field(
        description="How features are brought to the ranker: `none`: as they are; `standard`: "
        "mean 0 and variance 1 over the training documents; `quantile`: the share of the training "
        "documents that have less, from -1 to 1; `values-and-quantiles`: both `none` and "
        "`quantile`, side by side, as twice as many inputs; `auto`: `values-and-quantiles` if no "
        "value of the training documents is further than 10 from 0, `quantile` otherwise."
    ),
]
"""The setting of rankers whose result depends on the features' scale."""

_KNOTS = 1001
_COLUMNS_AT_ONCE = 8

_SCALED = 10.0
"""Features that somebody has scaled have no values further from 0, as a rule."""

_PLAINLY_UNSCALED = 100.0
"""No feature that somebody has scaled has a value so far from 0."""


class Scaling(Protocol):
    """What has been learnt about the features of training documents."""

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """(documents, P) float32 features as the ranker sees them."""

    def arrays(self) -> dict[str, np.ndarray]:
        """What `restored` needs to make it again."""


@dataclass(frozen=True)
class Affine:
    """Subtracts `shift` from features and multiplies the difference by `scale`, both (P,)."""

    shift: np.ndarray
    scale: np.ndarray

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Shift and scale."""
        if not self.shift.any() and (self.scale == 1).all():
            return features
        scaled: np.ndarray = features - self.shift
        scaled *= self.scale
        return scaled

    def arrays(self) -> dict[str, np.ndarray]:
        """Shift and scale by name."""
        return {"shift": self.shift, "scale": self.scale}


@dataclass(frozen=True)
class Quantiles:
    """Puts in place of a value where it stands among those of the training documents.

    Attributes:
        knots: (1001, P) quantiles of each feature at equal steps from the lowest to the highest
            value. A value between two knots is interpolated; equal knots, of a value that many
            documents share, stand for the middle of their places.
    """

    knots: np.ndarray

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Places from -1 to 1; values beyond the outermost have their places, a constant has 0."""
        if self.knots.shape[1:] != features.shape[1:]:
            raise ValueError(f"knots of shape {self.knots.shape} for {features.shape[1]} features")
        result = np.empty(features.shape, np.float32)
        for column, (values, places) in enumerate(self.curves()):
            result[:, column] = np.interp(features[:, column], values, places)
        return result

    def curves(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Of each feature, the different values among its knots, rising, and their places."""
        for knots in self.knots.T:
            values, times = np.unique(knots, return_counts=True)
            middles = np.cumsum(times) - (times + 1) / 2
            yield values, 2 * middles / (len(knots) - 1) - 1

    def arrays(self) -> dict[str, np.ndarray]:
        """The knots by name."""
        return {"knots": self.knots}


@dataclass(frozen=True)
class SideBySide:
    """Gives values as they are, and beside them their places."""

    places: Quantiles

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """(documents, 2 P): values, then places."""
        return np.concatenate([features, self.places(features)], axis=1, dtype=np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        """The knots by name."""
        return {"knots_beside_values": self.places.knots}


def fitted_scaling(features: np.ndarray, kind: Kind) -> Scaling:
    """Learn a scaling from the (documents, P) features of training documents.

    Warns if values stay as they are and are plainly unscaled.

    Raises:
        ValueError: if there is no such kind of scaling.
    """
    if kind == "auto":
        furthest = max(features.max(), -features.min())
        kind = "quantile" if furthest > _SCALED else "values-and-quantiles"
    if kind in ("none", "values-and-quantiles"):
        _warn_of_unscaled(features, kind)
    if kind == "none":
        return unscaled(features.shape[1])
    if kind == "standard":
        # Sums of many single-precision numbers lose digits, and make constants look variable.
        mean = features.mean(axis=0, dtype=np.float64)
        deviation = deviations(features)
        constant = features.min(axis=0) == features.max(axis=0)
        scale = ~constant / np.where(constant, 1.0, deviation)
        return Affine(mean.astype(np.float32), scale.astype(np.float32))
    if kind in ("quantile", "values-and-quantiles"):
        places = Quantiles(_knots(features))
        return places if kind == "quantile" else SideBySide(places)
    raise ValueError(f"feature_scaling must be one of {', '.join(get_args(Kind))}, not {kind!r}")


def deviations(features: np.ndarray) -> np.ndarray:
    """(P,) the standard deviation of each feature, some at a time for the sake of memory."""
    starts = range(0, features.shape[1], _COLUMNS_AT_ONCE)
    blocks = (features[:, start : start + _COLUMNS_AT_ONCE] for start in starts)
    return np.concatenate([block.std(axis=0, dtype=np.float64) for block in blocks])


def _knots(features: np.ndarray) -> np.ndarray:
    """(1001, P) quantiles; values that occur: an interpolated one could split a tie by rounding."""
    shares = np.linspace(0.0, 1.0, _KNOTS)
    places = np.quantile(np.arange(len(features)), shares, method="nearest").astype(np.int64)
    knots = np.empty((_KNOTS, features.shape[1]), features.dtype)
    for column, values in enumerate(features.T):
        knots[:, column] = np.sort(values)[places]
    return knots


def unscaled(columns: int) -> Affine:
    """What leaves so many features as they are."""
    return Affine(np.zeros(columns, np.float32), np.ones(columns, np.float32))


def _warn_of_unscaled(features: np.ndarray, kind: Kind) -> None:
    lowest, highest = features.min(axis=0), features.max(axis=0)
    furthest = np.where(-lowest > highest, lowest, highest)
    column = int(np.argmax(np.abs(furthest)))
    if abs(furthest[column]) > _PLAINLY_UNSCALED:
        warnings.warn(
            f"feature {column + 1} (from 1) has the value {furthest[column]:g}, and "
            f"feature_scaling is {kind}: features that are not scaled are learnt badly or not at "
            "all; set feature_scaling to standard or quantile",
            Advice,
            stacklevel=2,
        )


def restored(arrays: dict[str, np.ndarray], kind: Kind) -> Scaling:
    """The scaling of a kind that such arrays were written by; others among them are passed over.

    Raises:
        KeyError: if they were written by another kind.
    """
    if kind == "auto":
        kind = "quantile" if "knots" in arrays else "values-and-quantiles"
    if kind == "quantile":
        return Quantiles(arrays["knots"])
    if kind == "values-and-quantiles":
        return SideBySide(Quantiles(arrays["knots_beside_values"]))
    return Affine(arrays["shift"], arrays["scale"])
