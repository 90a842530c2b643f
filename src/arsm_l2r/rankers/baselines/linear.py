"""What rankers share whose score is a weighted sum of the features."""

from abc import abstractmethod
from typing import Any

import numpy as np

from arsm_l2r.rankers.learned_ranker import Learned, LearnedRanker, Queries


class LinearRanker(LearnedRanker):
    """A ranker with one weight per feature.

    Without validation data it selects on the training data.

    Attributes:
        weights_: (P,) the weights.
    """

    weights_: np.ndarray

    @abstractmethod
    def _learn_weights(self, train: Queries, vali: Queries) -> tuple[np.ndarray, Learned]:
        """The weights, and how they were learnt; features are in double precision."""

    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        exact = [
            Queries(each.features.astype(np.float64), each.judgements)
            for each in (train, vali or train)
        ]
        self.weights_, learned = self._learn_weights(*exact)
        return learned

    def _score(self, features: np.ndarray) -> np.ndarray:
        return np.asarray(features.astype(np.float64) @ self.weights_)

    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {}, {"weights": self.weights_}

    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self.weights_ = arrays["weights"]
