"""Keeps the graph of an export without the ONNX packages: what an answer calls records, and accepts what it asks."""

from __future__ import annotations

import contextlib
import functools
import importlib.machinery
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import Tensor

from ...models import efficient_attention as reference

PLACEHOLDER = b"the graph that torch.export made is run in place of this file\n"
_EXPORT = torch.onnx.export
_REAL_EXPORT = types.FunctionType(_EXPORT.__code__, _EXPORT.__globals__, "export", _EXPORT.__defaults__)
_REAL_EXPORT.__kwdefaults__ = _EXPORT.__kwdefaults__


class Graph:
    """Stands in for torch.onnx.export: keeps the graph that torch.export makes of the same call.

    The ONNX exporter begins with the same step, so sizes that are fixed here are fixed in the file, too.
    """

    def __init__(self) -> None:
        self.program, self.example, self.names, self.asked = None, (), (), ()

    def __call__(self, model, args=(), f=None, *, kwargs=None, dynamic_shapes=None, dynamic_axes=None, **rest):
        sizes = {"kwargs": kwargs, "dynamic_shapes": dynamic_shapes, "dynamic_axes": dynamic_axes}
        self.asked = (model, args), {**sizes, **rest}
        args = args if isinstance(args, tuple) else (args,)
        if dynamic_shapes is None and dynamic_axes:
            names = list(rest.get("input_names") or ["x"])
            dynamic_shapes = tuple({axis: "" for axis in dynamic_axes.get(name, ())} for name in names[: len(args)])
        shapes = _map_names(dynamic_shapes)
        if isinstance(model, torch.export.ExportedProgram):
            self.program = model
        else:
            self.program = torch.export.export(model, args, kwargs, dynamic_shapes=shapes, strict=False)
        self.example = tuple([*args, *(kwargs or {}).values()][0].shape) if args or kwargs else ()
        self.names = () if args else tuple(kwargs or ())
        if f is not None:
            self.save(f)
        return self

    def run(self, x: Tensor) -> Any:
        """What the graph makes of an input, given as the answer's example was: by position or by name."""
        module = self.program.module()
        return module(**{self.names[0]: x}) if self.names else module(x)

    def save(self, path, *_, **__) -> None:
        """As ONNXProgram.save: leaves a file where the answer wanted one."""
        if hasattr(path, "write"):
            path.write(PLACEHOLDER)
        else:
            Path(path).write_bytes(PLACEHOLDER)

    def optimize(self) -> None:
        """As ONNXProgram.optimize, which changes no values."""

    @functools.cached_property
    def model_proto(self) -> Any:
        """As ONNXProgram.model_proto: the real one where the packages are there, so that it can be saved."""
        if reference.onnx_missing():
            return PLACEHOLDER
        args, settings = self.asked
        return _REAL_EXPORT(*args, **settings).model_proto


def _map_names(shapes):
    """Names of sizes, which the ONNX exporter takes, as sizes that torch.export takes."""
    if isinstance(shapes, str):
        return torch.export.Dim.AUTO
    if isinstance(shapes, dict):
        return {key: _map_names(value) for key, value in shapes.items()}
    return type(shapes)(map(_map_names, shapes)) if isinstance(shapes, list | tuple) else shapes


_graphs: list[Graph] = []  # the last one takes the calls


def _recorded(*args, **kwargs):
    # This code runs with the globals of torch.onnx.export, hence the import.
    from tformer_course.checks.efficient_attention.recording import _graphs

    return _graphs[-1](*args, **kwargs)


@contextlib.contextmanager
def recording(graph: Graph) -> Iterator[None]:
    """While the block runs, torch.onnx.export fills `graph`, whatever name it was imported by and whenever."""
    code = _EXPORT.__code__
    _graphs.append(graph)
    try:
        _EXPORT.__code__ = _recorded.__code__
        yield
    finally:
        _EXPORT.__code__ = code
        _graphs.pop()


class _Accepts(types.ModuleType):
    """A package that is not installed: whatever is called in it accepts everything."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__, self.__path__ = importlib.machinery.ModuleSpec(name, None), []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return mock.MagicMock()

    @staticmethod
    def save(model: Any, path: Any, *_, **__) -> None:
        """As onnx.save."""
        Path(path).write_bytes(PLACEHOLDER)


@contextlib.contextmanager
def missing_packages_accept() -> Iterator[None]:
    """An answer may look at its file with the ONNX packages. Where one is missing, that must not stop it."""
    names = reference.onnx_missing()
    names += [f"onnx.{part}" for part in ("checker", "helper", "shape_inference") if "onnx" in names]
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    try:
        sys.modules.update({name: _Accepts(name) for name in names})
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)
