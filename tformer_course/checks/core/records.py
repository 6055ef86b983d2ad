"""Outputs of an answer as JSON: tensors as bytes, numbers exactly, nothing that could run code when read."""

from __future__ import annotations

import base64
import binascii
import json
import math
from typing import Any

import torch
from torch import Tensor

MIME = "application/vnd.tformer.record+json"
MAX_BYTES = 16 * 2**20  # of one record; larger ones are refused on both sides
_DTYPES = {str(t).removeprefix("torch."): t for t in (torch.float64, torch.float32, torch.bfloat16, torch.float16)}
_DTYPES |= {str(t).removeprefix("torch."): t for t in (torch.int64, torch.int32, torch.uint8, torch.bool)}


class RecordError(ValueError):
    """A value that cannot be recorded, or a record that cannot be read."""


def encode(value: Any, depth: int = 0) -> Any:
    """A JSON tree for tensors, numbers, strings, None, and lists, tuples and dicts of these.

    Raises:
        RecordError: For any other type, a dtype that is not listed here, or deep nesting.
    """
    if depth > 8:
        raise RecordError("it returns a value nested more than 8 deep")
    if isinstance(value, Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        if dtype not in _DTYPES:
            raise RecordError(f"it returns a tensor of dtype {dtype}")
        if value.numel() * value.element_size() > MAX_BYTES:
            raise RecordError(f"it returns a tensor of {value.numel() * value.element_size()} bytes")
        # clone, as contiguous() keeps the odd stride of a tensor with one entry, which cannot be seen as bytes
        flat = value.detach().cpu().clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)
        data = base64.b64encode(flat.numpy().tobytes()).decode()
        return {"tensor": data, "dtype": dtype, "shape": list(value.shape)}
    if value is None or isinstance(value, bool | str):
        return {"plain": value[:2000] if isinstance(value, str) else value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, list | tuple):
        return {"list": [encode(v, depth + 1) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[str(k), encode(v, depth + 1)] for k, v in value.items()]}
    raise RecordError(f"it returns a {type(value).__name__}, which is neither a tensor nor a plain value")


def decode(node: Any, depth: int = 0) -> Any:
    """The value of a tree made by `encode`. The tree is not trusted: anything odd is a RecordError."""
    if depth > 8 or not isinstance(node, dict):
        raise RecordError("the record is damaged")
    try:
        if "tensor" in node:
            raw = base64.b64decode(node["tensor"], validate=True)
            dtype, shape = _DTYPES[node["dtype"]], [int(n) for n in node["shape"]]
            if any(n < 0 for n in shape) or len(raw) > MAX_BYTES or len(shape) > 16:
                raise RecordError("the record is damaged")
            if math.prod(shape) * torch.empty(0, dtype=dtype).element_size() != len(raw):
                raise RecordError("the record is damaged")
            flat = torch.frombuffer(bytearray(raw), dtype=torch.uint8) if raw else torch.empty(0, dtype=torch.uint8)
            # A bool whose byte is neither 0 nor 1 would compare oddly.
            return (flat != 0).reshape(shape) if dtype is torch.bool else flat.view(dtype).reshape(shape)
        if "int" in node:
            if len(node["int"]) > 400:
                raise RecordError("the record is damaged")
            return int(node["int"])
        if "float" in node:
            return float.fromhex(node["float"])
        if "list" in node:
            return [decode(n, depth + 1) for n in node["list"]]
        if "dict" in node:
            return {str(k): decode(n, depth + 1) for k, n in node["dict"]}
        if node.get("plain") is None or isinstance(node["plain"], bool | str):
            return node.get("plain")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RuntimeError, binascii.Error) as error:
        raise RecordError("the record is damaged") from error
    raise RecordError("the record is damaged")


def emit(name: str, fields: dict[str, Any]) -> None:
    """Publishes one record among the outputs of the running cell.

    Args:
        name: The judgement's name.
        fields: JSON-able fields, as `encode` makes them.
    """
    from IPython.display import publish_display_data

    publish_display_data({MIME: json.dumps({"name": name, **fields}), "text/plain": f"recorded: {name}"})
