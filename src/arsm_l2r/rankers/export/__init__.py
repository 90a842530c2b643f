"""Trained rankers for programs that have nothing of this project: as ONNX, as a SavedModel.

`graph.py` says once how features become scores; `onnx_file.py` and `saved_model.py` have the
operations of their libraries, and write what comes out.
"""
