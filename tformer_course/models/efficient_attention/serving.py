"""Out of Python: a block as an ONNX file."""

from __future__ import annotations

import contextlib
import copy
import io
import os
from importlib.util import find_spec

import torch
from torch import nn

NEEDED = ("onnx", "onnxscript", "onnxruntime")


def onnx_missing() -> list[str]:
    """Packages of the extra `onnx` that are not installed; empty where export and ONNX Runtime work."""
    return [name for name in NEEDED if find_spec(name) is None]


def export_block(block: nn.Module, path: str | os.PathLike) -> None:
    """Writes a module as ONNX, for any batch and any length.

    Args:
        block: Maps `(B, T, C)` to `(B, T, C)`. Its first parameter's last axis is C. It is exported as it computes in
            evaluation, and left as it was.
        path: The file to write.

    Source:
        PyTorch documentation, torch.onnx.export: `dynamic_shapes`.
    """
    width = next(block.parameters()).shape[-1]
    block = copy.deepcopy(block).eval()  # DropPath and dropout are for training
    example = torch.randn(2, 3, width, dtype=next(block.parameters()).dtype)  # 2 and 3: a size of 1 could be a constant
    shapes = ({0: "batch", 1: "length"},)  # an axis with a name stays open; only C is fixed
    with contextlib.redirect_stdout(io.StringIO()):  # the exporter reports each step
        torch.onnx.export(
            block, (example,), path, dynamo=True, dynamic_shapes=shapes, input_names=["x"], output_names=["y"]
        )
