"""What rankers share whose score is a weighted sum of the features."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from arsm_l2r.declared import settings
from arsm_l2r.rankers.feature_scaling import (
    FeatureScaling,
    fitted_scaling,
    restored,
    unscaled,
)
from arsm_l2r.rankers.learned_ranker import Learned, LearnedRanker, Queries


@settings
class LinearRanker(LearnedRanker):
    """A ranker with one weight per feature.

    Without validation data it selects on the training data.

    Attributes:
        weights_: (P,) the weights, of the features as they are scaled.
    """

    feature_scaling: FeatureScaling = "none"

    added: ClassVar[Mapping[str, Any]] = {"feature_scaling": "none"}

    @abstractmethod
    def _learn_weights(self, train: Queries, vali: Queries) -> tuple[np.ndarray, Learned]:
        """The weights, and how they were learnt; features are in double precision."""

    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        scaling = fitted_scaling(train.features, self.feature_scaling)
        exact = [
            Queries(scaling(each.features).astype(np.float64), each.judgements)
            for each in (train, vali or train)
        ]
        self.weights_, learned = self._learn_weights(*exact)
        self._scaling = scaling
        return learned

    def _score(self, features: np.ndarray) -> np.ndarray:
        return np.asarray(self._scaling(features).astype(np.float64) @ self.weights_)

    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        scaled = self.feature_scaling != "none"
        return {}, {"weights": self.weights_, **(self._scaling.arrays() if scaled else {})}

    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self.weights_ = arrays["weights"]
        if self.feature_scaling == "none":
            self._scaling = unscaled(len(self.weights_))
        else:
            self._scaling = restored(arrays, self.feature_scaling)
