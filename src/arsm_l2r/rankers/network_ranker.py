"""What rankers share whose scores come from a neural network."""

import hashlib
import json
from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl

from arsm_l2r.declared import declared, settings
from arsm_l2r.errors import UserError
from arsm_l2r.rankers.feature_scaling import FeatureScaling, fitted_scaling, restored
from arsm_l2r.rankers.learned_ranker import Learned, LearnedRanker, Queries
from arsm_l2r.rankers.selection import SelectBy, selection_measures, selection_name
from arsm_l2r.source_code import code_of
from arsm_l2r.training.network import by_member, outputs
from arsm_l2r.training.task import TrainingData, TrainingSettings

if TYPE_CHECKING:
    from arsm_l2r.rankers.export.graph import TrainedModel
    from arsm_l2r.training.task import Objective


@settings
class NetworkRanker(TrainingSettings, LearnedRanker):
    """A ranker that trains a multi-layer perceptron; a subclass says on what.

    Without validation data the last epoch's weights are kept.
    """

    feature_scaling: FeatureScaling = "none"
    select_by: SelectBy = "letor"

    trains_network = True
    takes_weights = True
    added: ClassVar[Mapping[str, Any]] = {"workers": 1}

    @property
    @abstractmethod
    def _outputs(self) -> int:
        """How many outputs the network has."""

    @abstractmethod
    def _objective(self) -> "Objective":
        """What training minimises."""

    @abstractmethod
    def _scores(self, outputs: np.ndarray) -> np.ndarray:
        """Scores of documents from the networks' (members, documents, outputs) for them."""

    @property
    def _scoring(self) -> str | None:
        """The way of scoring that `_scores` uses; None: a network's only output is the score."""
        raise UserError(f"{type(self).__name__} cannot be exported: it has no _scoring")

    def export_onnx(self, path: str | Path) -> None:
        """Write an ONNX file that scores as `predict` does, from features as they are given to it.

        Input `features`: (documents, P) float32; output `scores`: (documents,) float64. Scores by
        `rank` depend on the documents that are given together. Nothing is refused there that
        `predict` refuses.

        Raises:
            UserError: if the package `onnx` is missing, or the file cannot be written.
        """
        _exporter("onnx_file").write_onnx(Path(path), self._exported())

    def export_saved_model(self, folder: str | Path) -> None:
        """Write a folder that TensorFlow loads without this project; see `export_onnx`.

        Its signature `serving_default` has the same input and output.

        Raises:
            UserError: if there is something else in the folder, or it cannot be written.
        """
        _exporter("saved_model").write_saved_model(Path(folder), self._exported())

    def _exported(self) -> "TrainedModel":
        """What is exported, as arrays."""
        self._require_fitted()
        model: TrainedModel = _exporter("graph").TrainedModel(
            kind=type(self).__name__,
            scaling=self._scaling,
            columns=self.n_features_in_,
            members=by_member(self._weights, self.members),
            scoring=self._scoring,
            feature_names=tuple(map(str, getattr(self, "feature_names_in_", ()))),
        )
        return model

    def _learn(
        self, train: Queries, vali: Queries | None, weights: np.ndarray | None = None
    ) -> Learned:
        # TensorFlow takes seconds to import; only training needs it.
        from arsm_l2r.training import loop
        from arsm_l2r.training.device import prepare_device

        if self.patience is not None and vali is None:
            raise ValueError(
                f"patience is {self.patience}, but there are no validation data that it could be "
                "lost by; give an eval_set (--vali), or leave patience out"
            )
        # Kept once training has ended: a failed fit leaves an earlier one as it was.
        scaling = fitted_scaling(train.features, self.feature_scaling)
        data = TrainingData(
            scaling(train.features),
            train.judgements.labels,
            train.judgements.group,
            self._outputs,
            weights,
        )
        arrays = [data.features, data.labels, data.group]
        if weights is not None:
            arrays.append(weights)
        validation = None
        if vali is not None:
            judgements = vali.judgements
            validation = loop.Validation(
                scaling(vali.features),
                lambda outputs: selection_measures(
                    self._scores(outputs), judgements, self.select_by, self.select_on
                ),
                selection_name(self.select_on),
            )
            arrays += [validation.features, judgements.labels, judgements.group]
        if self.workers > len(train.judgements.group):
            raise ValueError(
                f"workers is {self.workers}, but there are {len(train.judgements.group)} training "
                "queries to share out"
            )
        device = prepare_device(self.threads, self.workers)
        state = loop.train(
            self._objective(),
            data,
            self,
            validation=validation,
            identity=self._identity(arrays),
        )
        self._scaling, self._weights = scaling, state.best_weights
        return Learned(
            pl.DataFrame(state.history), state.best_epoch, seconds=state.seconds, device=device
        )

    @classmethod
    def check_together(cls, settings: Mapping[str, Any]) -> None:
        """See `LearnedRanker.check_together`: every worker has queries to take."""
        defaults = {name: field.default for name, field in declared(cls).items()}
        workers, queries = ({**defaults, **settings}[n] for n in ("workers", "queries_per_batch"))
        if workers > queries:
            raise ValueError(
                f"workers is {workers}, but a step takes {queries} queries at most "
                "(queries_per_batch): there is nothing for the others to do"
            )

    def _score(self, features: np.ndarray) -> np.ndarray:
        return self._scores(self._network_outputs(features))

    def _network_outputs(self, features: np.ndarray) -> np.ndarray:
        return outputs(self._scaling(features), self._weights, self.members)

    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        arrays = {f"weight{number}": array for number, array in enumerate(self._weights)}
        return {}, {**arrays, **self._scaling.arrays()}

    def _restore(self, note: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._scaling = restored(arrays, self.feature_scaling)
        inputs = self._scaling(np.zeros((1, self.n_features_in_), np.float32)).shape[1]
        widths = pairwise([inputs, *self.hidden, self._outputs])
        shapes = [shape for one, two in widths for shape in ((one, two), (two,))] * self.members
        self._weights = [arrays[f"weight{number}"] for number in range(len(shapes))]
        found = [weight.shape for weight in self._weights]
        if found != shapes:
            raise ValueError(f"weights of shapes {found}, where the settings want {shapes}")

    def _identity(self, arrays: list[np.ndarray]) -> str:
        """Names the data, settings and code that a checkpoint belongs to."""
        made_by = {
            "code": code_of(*self.definitions(self.get_params())),
            "tensorflow": version("tensorflow"),
        }
        settings = {**made_by, **self._portable_settings()}
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        for array in arrays:
            digest.update(str(array.shape).encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


def _exporter(name: str) -> Any:
    """A module of `rankers.export`, imported by name: an import statement would make what exports
    a part of what trains, so that changing it trained everything again.
    """
    return import_module(f"arsm_l2r.rankers.export.{name}")
