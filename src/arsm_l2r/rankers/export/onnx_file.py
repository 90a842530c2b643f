"""A trained ranker as an ONNX file, which `onnxruntime` and others run."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from arsm_l2r import __version__
from arsm_l2r.files import written_whole
from arsm_l2r.optional import optional
from arsm_l2r.rankers.export.graph import FEATURES, SCORES, TrainedModel, scores

_OPERATORS, _FORMAT = 17, 8
"""Versions of ONNX's operators and of its file, of 2022: programs that are older are rare."""


def write_onnx(path: Path, model: TrainedModel) -> None:
    """Write a trained ranker as an ONNX file, replaced if it is there.

    Its input `features` is (documents, P) float32, for any number of documents; its output `scores`
    is (documents,) float64. Its metadata have the version that wrote it and the features' names.

    Raises:
        UserError: if the package `onnx` is missing, or the file cannot be written.
    """
    onnx = optional("onnx", "onnx", "to export as ONNX")
    graph = _Graph(onnx)
    found = scores(graph, _Value(FEATURES, graph), model)
    graph.node("Identity", found, output=SCORES)
    kinds, described = onnx.TensorProto, onnx.helper.make_tensor_value_info
    made = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes,
            model.kind,
            [described(FEATURES, kinds.FLOAT, ["documents", model.columns])],
            [described(SCORES, kinds.DOUBLE, ["documents"])],
            graph.constants,
        ),
        opset_imports=[onnx.helper.make_opsetid("", _OPERATORS)],
        ir_version=_FORMAT,
        producer_name="arsm-l2r",
        producer_version=__version__,
    )
    notes = {"ranker": model.kind}
    if model.feature_names:
        notes["feature_names"] = json.dumps(model.feature_names)
    onnx.helper.set_model_props(made, notes)
    onnx.checker.check_model(made, full_check=True)
    with written_whole(path) as temporary:
        temporary.write_bytes(made.SerializeToString())


@dataclass(frozen=True, eq=False)
class _Value:
    """What a node of a graph gives, by its name."""

    name: str
    graph: "_Graph"

    def __add__(self, other: "_Value") -> "_Value":
        return self.graph.node("Add", self, other)

    def __sub__(self, other: "_Value") -> "_Value":
        return self.graph.node("Sub", self, other)

    def __mul__(self, other: "_Value") -> "_Value":
        return self.graph.node("Mul", self, other)

    def __truediv__(self, other: "_Value") -> "_Value":
        return self.graph.node("Div", self, other)

    def __matmul__(self, other: "_Value") -> "_Value":
        return self.graph.node("MatMul", self, other)

    def __lt__(self, other: "_Value") -> "_Value":
        return self.graph.node("Less", self, other)

    def __le__(self, other: "_Value") -> "_Value":
        return self.graph.node("LessOrEqual", self, other)


class _Graph:
    """Gathers the nodes and constants of a graph; a `Library`."""

    def __init__(self, onnx: ModuleType) -> None:
        self._onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def node(self, operator: str, *inputs: _Value, output: str = "", **attributes: Any) -> _Value:
        """Add a node, and give what it gives."""
        name = output or f"value{len(self.nodes)}"
        names = [each.name for each in inputs]
        self.nodes.append(self._onnx.helper.make_node(operator, names, [name], **attributes))
        return _Value(name, self)

    def constant(self, array: np.ndarray) -> _Value:
        """See `Library`."""
        name = f"constant{len(self.constants)}"
        self.constants.append(self._onnx.numpy_helper.from_array(np.asarray(array), name))
        return _Value(name, self)

    def cast(self, value: _Value, dtype: type) -> _Value:
        """See `Library`."""
        to = self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.node("Cast", value, to=to)

    def tanh(self, value: _Value) -> _Value:
        """See `Library`."""
        return self.node("Tanh", value)

    def exp(self, value: _Value) -> _Value:
        """See `Library`."""
        return self.node("Exp", value)

    def log(self, value: _Value) -> _Value:
        """See `Library`."""
        return self.node("Log", value)

    def where(self, condition: _Value, yes: _Value, no: _Value) -> _Value:
        """See `Library`."""
        return self.node("Where", condition, yes, no)

    def take(self, table: _Value, index: _Value) -> _Value:
        """See `Library`."""
        return self.node("Gather", table, index)

    def side_by_side(self, values: Sequence[_Value]) -> _Value:
        """See `Library`."""
        return self.node("Concat", *values, axis=1)

    def highest(self, value: _Value) -> _Value:
        """See `Library`."""
        return self.node("ReduceMax", value, axes=[1], keepdims=1)

    def total(self, value: _Value, *, keep: bool) -> _Value:
        """See `Library`."""
        axes = self.constant(np.array([1], np.int64))
        return self.node("ReduceSum", value, axes, keepdims=int(keep))

    def mean_document(self, value: _Value) -> _Value:
        """See `Library`."""
        return self.node("ReduceMean", value, axes=[0], keepdims=1)
