"""ARSMRanker: train a ranker on any loss of levels against labels, gradient or none."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING, Annotated, Any

import joblib
import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from arsm_l2r.declared import OneOf, settings
from arsm_l2r.errors import ConfigError
from arsm_l2r.estimators import (
    check_combination,
    estimator_by_name,
    estimator_names,
    with_entropy,
)
from arsm_l2r.losses import (
    CallableLoss,
    Loss,
    check_loss_name,
    loss_by_name,
    loss_class,
    loss_names,
)
from arsm_l2r.rankers.learned_ranker import Learned, Queries, one_thread
from arsm_l2r.rankers.method import BLACK, VERMILLION, Method
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.scoring import SCORINGS, mixture, scores
from arsm_l2r.rankers.selection import SelectOn

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.task import Objective

MOST_LEVELS = 500
"""The memory of a step grows with the third power of the levels: ARSM counts the documents of each
level for every pair of levels."""


@dataclass(frozen=True)
class _LossOrName(OneOf):
    """Marks a loss: one of the names, a `Loss` or a function."""

    def _check(self, loss: Any) -> Any:
        if isinstance(loss, str):
            try:
                check_loss_name(loss)
            except ConfigError as error:
                raise ValueError(str(error)) from error
        elif not (callable(loss) or hasattr(loss, "losses")):
            raise ValueError(f"must be the name of a loss, a Loss or a function, not {loss!r}")
        return loss


@settings
class ARSMRanker(NetworkRanker):
    """A ranker whose documents take one of C relevance levels at random (the paper's section 2).

    The defaults are the paper's settings, or, where the paper is silent, this reproduction's.

    A loss is a name, a `Loss`, or a function of TensorFlow operations from levels (assignments,
    documents) and a `Batch` to (assignments, queries) losses.
    """

    levels: Annotated[
        int,
        Field(
            ge=2,
            le=MOST_LEVELS,
            description="C, the number of relevance levels that the model predicts.",
        ),
    ] = 20
    loss: Annotated[Any, _LossOrName(loss_names), Field(description="What training minimises.")] = (
        "ndcg@10"
    )
    estimator: Annotated[
        str,
        OneOf(estimator_names),
        Field(
            description="Gradient estimator; `local-expectation` and `reinforce-loo` are not the "
            "paper's."
        ),
    ] = "arsm"
    samples: Annotated[
        int, Field(ge=1, le=1000, description="Draws that the estimator averages over.")
    ] = 1
    entropy: Annotated[
        float,
        Field(
            ge=0,
            description="Weight of the entropy of the documents' level distributions, relative to "
            "the highest there is, which is taken off the loss: keeps them from becoming certain "
            "too early. 0 is the paper's.",
        ),
    ] = 0.0
    scoring: Annotated[
        str,
        OneOf(lambda: list(SCORINGS)),
        Field(
            description="How level probabilities become a score: `linear` (the sum of c times the "
            "probability of level c) is the paper's."
        ),
    ] = "linear"
    select_on: SelectOn = "mean"

    training_only = ("loss", "estimator")
    added = ("entropy",)

    def predict_logits(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """The logits φ of the levels, (documents, C); of several members' mean probabilities."""
        features = self._checked(X)
        with one_thread():
            return mixture(self._network_outputs(features))

    @property
    def _outputs(self) -> int:
        return self.levels

    @property
    def _scoring(self) -> str:
        return self.scoring

    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        return scores(mixture(outputs), self.scoring)

    def _learn(self, train: Queries, vali: Queries | None) -> Learned:
        with self.loss.training() if isinstance(self.loss, Loss) else nullcontext():
            return super()._learn(train, vali)

    def _objective(self) -> "Objective":
        loss: Loss
        if isinstance(self.loss, str):
            loss = loss_by_name(self.loss, self.relevant_from)
        else:
            loss = self.loss if isinstance(self.loss, Loss) else CallableLoss(self.loss)
        estimator = estimator_by_name(self.estimator)

        def objective(outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> "Estimate":
            estimate = estimator(outputs, loss, batch, seed, samples=self.samples)
            return with_entropy(estimate, outputs, batch, self.entropy)

        # Read by `training/steps.py`.
        objective.compiles = loss.compiles  # type: ignore[attr-defined]
        return objective

    @classmethod
    def definitions(cls, settings: Mapping[str, Any]) -> list[Any]:
        """See `LearnedRanker.definitions`: also the loss, if it has a name, and the estimator."""
        named = [loss_class(settings["loss"])] if isinstance(settings["loss"], str) else []
        return [cls, *named, estimator_by_name(settings["estimator"])]

    @classmethod
    def check_together(cls, settings: Mapping[str, Any]) -> None:
        """See `LearnedRanker.check_together`: the estimator with the loss and the samples."""
        check_combination(settings["estimator"], settings["loss"], settings["samples"])

    def _portable_settings(self) -> dict[str, Any]:
        settings = super()._portable_settings()
        if not isinstance(self.loss, str):
            settings["loss"] = f"own: {_description(self.loss)}"
        return settings


def _compiled(code: CodeType) -> tuple[Any, ...]:
    """What a function does, also in the functions and comprehensions inside of it."""
    constants = tuple(
        _compiled(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.co_code, constants, code.co_names


def _description(loss: Any) -> str:
    """The name of a user's loss, with a hash that tells it from others of the same name."""
    code = getattr(loss, "__code__", None)
    content = _compiled(code) if code else vars(loss)
    name = getattr(loss, "__qualname__", type(loss).__name__)
    return f"{name} {joblib.hash(content)[:12]}"


METHOD = Method(
    name="arsm-l2r",
    title="ARSM-L2R",
    description="the paper's method: a network whose random levels are trained on NDCG itself",
    ranker=ARSMRanker,
    colour=VERMILLION,
    marker="o",
    line="-",
    in_paper=True,
    ours=True,
    order=200,
)
TUNED = Method(
    name="arsm-l2r-tuned",
    title="ARSM-L2R, tuned",
    description="the same model with settings of our own, tuned on validation data; not in the "
    "paper",
    ranker=ARSMRanker,
    colour=BLACK,
    marker="X",
    line="-",
    ours=True,
    order=201,
)
