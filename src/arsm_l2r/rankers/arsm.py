"""ARSMRanker: train a ranker on any loss of levels against labels, gradient or none."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from secrets import token_hex
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import joblib
import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from arsm_l2r.declared import OneOf, settings
from arsm_l2r.errors import ConfigError
from arsm_l2r.estimators import (
    AUTO,
    check_combination,
    estimator_by_name,
    estimator_for,
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
from arsm_l2r.rankers.feature_scaling import FeatureScaling
from arsm_l2r.rankers.learned_ranker import Learned, Queries, one_thread
from arsm_l2r.rankers.method import BLACK, VERMILLION, Method
from arsm_l2r.rankers.network_ranker import NetworkRanker
from arsm_l2r.rankers.scoring import SCORINGS, mixture, scores
from arsm_l2r.rankers.selection import SelectBy, SelectOn
from arsm_l2r.training.task import Averaging, Epochs, LearningRate

if TYPE_CHECKING:
    from arsm_l2r.estimators import Estimate, Estimator
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf
    from arsm_l2r.training.task import Objective

MOST_LEVELS = 500
"""The memory of a step grows with the third power of the levels: ARSM counts the documents of each
level for every pair of levels."""

PAPER_SETTINGS: Mapping[str, Any] = {
    "estimator": "arsm",
    "entropy": 0.0,
    "feature_scaling": "none",
    "learning_rate": 1e-4,
    "epochs": 2000,
    "averaging": 0.0,
    "select_by": "letor",
}
"""Where the paper's settings differ from the defaults."""


@dataclass(frozen=True)
class _LossOrName(OneOf):
    """Marks a loss: one of the names, a `Loss` or a function."""

    def _check(self, loss: Any) -> Any:
        if isinstance(loss, str):
            try:
                check_loss_name(loss)
            except ConfigError as error:
                raise ValueError(str(error)) from error
        elif isinstance(loss, type):
            raise ValueError(f"must be a loss, not the class of one; write {loss.__name__}(…)")
        elif not (callable(loss) or hasattr(loss, "losses")):
            raise ValueError(f"must be the name of a loss, a Loss or a function, not {loss!r}")
        return loss


@settings
class ARSMRanker(NetworkRanker):
    """A ranker whose documents take one of C relevance levels at random (the paper's section 2).

    The defaults are the best settings known, chosen on validation data of MQ2007 and OHSUMED;
    `ARSMRanker.paper()` has the paper's.

    A loss is a name, a `Loss`, or a function of TensorFlow operations from levels (assignments,
    documents) and a `Batch` to (assignments, queries) losses.
    """

    learning_rate: LearningRate = 2.93e-3
    epochs: Epochs = 40
    averaging: Averaging = 0.9
    feature_scaling: FeatureScaling = "auto"
    select_by: SelectBy = "paper"

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
        OneOf(lambda: [AUTO, *estimator_names()]),
        Field(
            description="Gradient estimator; `local-expectation` and `reinforce-loo` are not the "
            "paper's. `auto` is `local-expectation` where the loss can tell what moving one "
            "document changes, and `arsm` for any other loss."
        ),
    ] = AUTO
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
    ] = 0.228
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
    added: ClassVar[Mapping[str, Any]] = {"entropy": 0.0}

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """A ranker with the paper's settings, or, where it is silent, this reproduction's.

        Args:
            changes: settings that are to differ.
        """
        return cls(**{**PAPER_SETTINGS, **changes})

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

    def _learn(
        self, train: Queries, vali: Queries | None, weights: np.ndarray | None = None
    ) -> Learned:
        with self.loss.training() if isinstance(self.loss, Loss) else nullcontext():
            return super()._learn(train, vali, weights)

    def _objective(self) -> "Objective":
        estimator = estimator_by_name(estimator_for(self.estimator, self.loss))
        how: tuple[Any, ...] = (estimator, self.samples, self.entropy)
        if isinstance(self.loss, str):
            return _named_objective(self.loss, loss_class(self.loss), self.relevant_from, *how)
        own = self.loss if isinstance(self.loss, Loss) else CallableLoss(self.loss)
        return ExpectedLoss(own, *how)

    @classmethod
    def definitions(cls, settings: Mapping[str, Any]) -> list[Any]:
        """See `LearnedRanker.definitions`: also the loss, if it has a name, and the estimator."""
        loss = settings["loss"]
        named = [loss_class(loss)] if isinstance(loss, str) else []
        return [cls, *named, estimator_by_name(estimator_for(settings["estimator"], loss))]

    @classmethod
    def check_together(cls, settings: Mapping[str, Any]) -> None:
        """See `LearnedRanker.check_together`: the estimator with the loss and the samples."""
        super().check_together(settings)
        loss = settings["loss"]
        check_combination(estimator_for(settings["estimator"], loss), loss, settings["samples"])

    def _portable_settings(self) -> dict[str, Any]:
        settings = super()._portable_settings()
        if not isinstance(self.loss, str):
            settings["loss"] = f"own: {_description(self.loss)}"
        return settings


@dataclass(frozen=True, eq=False)
class ExpectedLoss:
    """An objective of training: the expected loss of random levels, less their entropy.

    Attributes:
        loss: of levels against labels.
        estimator: of its gradient.
        samples: draws to average over.
        entropy: weight of the entropy.
        reusable: whether it will always do the same; a loss of a user's may have changed since.
    """

    loss: Loss
    estimator: "Estimator"
    samples: int
    entropy: float
    reusable: bool = False

    @property
    def compiles(self) -> bool:
        """Whether XLA can compile it."""
        return self.loss.compiles

    def __call__(self, outputs: "tf.Tensor", batch: "Batch", seed: "tf.Tensor") -> "Estimate":
        """See `Objective`."""
        estimate = self.estimator(outputs, self.loss, batch, seed, samples=self.samples)
        return with_entropy(estimate, outputs, batch, self.entropy)


@lru_cache(maxsize=32)
def _named_objective(
    name: str,
    definition: type[Loss],
    relevant_from: int,
    estimator: "Estimator",
    samples: int,
    entropy: float,
) -> ExpectedLoss:
    """The objective of a loss that has a name: the same one each time, so that what was compiled
    for it is used again. One that was defined anew, as in a notebook, is another `definition`.
    """
    loss = loss_by_name(name, relevant_from)
    return ExpectedLoss(loss, estimator, samples, entropy, reusable=True)


def _content(thing: Any) -> Any:
    """What a loss, or something that it is made of, does: what can be hashed, and tells it from
    others.
    """
    if isinstance(thing, CodeType):
        return thing.co_code, [_content(each) for each in thing.co_consts], thing.co_names
    if isinstance(thing, FunctionType):
        inside = [cell.cell_contents for cell in thing.__closure__ or ()]
        named = {
            name: thing.__globals__[name]
            for name in thing.__code__.co_names
            if isinstance(thing.__globals__.get(name), int | float | str | tuple | np.ndarray)
        }
        parts = (thing.__code__, inside, named, thing.__defaults__, thing.__kwdefaults__)
        return [_content(each) for each in parts]
    if isinstance(thing, partial):
        return [_content(each) for each in (thing.func, thing.args, thing.keywords)]
    if isinstance(thing, Loss):
        return type(thing).__qualname__, _content(vars(thing))
    if isinstance(thing, dict):
        return {key: _content(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_content(each) for each in thing]
    return thing


def _description(loss: Any) -> str:
    """The name of a user's loss, with a hash that tells it from others of the same name.

    One that cannot be hashed has another each time: it is never taken for one of before.
    """
    name = getattr(loss, "__qualname__", type(loss).__name__)
    try:
        digest = str(joblib.hash(_content(loss)))[:12]
    except Exception:  # whatever it is made of refuses to be pickled
        digest = token_hex(6)
    return f"{name} {digest}"


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
