"""Is it the right value? If not, what is off, in one sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

# Relative and absolute tolerance by dtype. Different correct algorithms differ by less; a wrong one by far more.
TOLERANCE = {torch.float64: (1e-7, 1e-9), torch.float32: (1e-4, 1e-5), torch.bfloat16: (2e-2, 1e-2)}
NUMBER_TOLERANCE = (1e-5, 1e-6)  # Python numbers: float32 accuracy


def _name(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _tensor_difference(actual: Tensor, expected: Tensor, tol: float | None) -> str | None:
    if actual.shape != expected.shape:
        return f"shape {tuple(actual.shape)}, expected {tuple(expected.shape)}"
    if actual.dtype != expected.dtype:
        return f"dtype {actual.dtype}, expected {expected.dtype}".replace("torch.", "")
    if not expected.is_floating_point():
        wrong = int((actual != expected).sum())
        return f"{wrong} of {expected.numel()} entries are wrong" if wrong else None
    nans = int(actual.isnan().sum())
    if nans:
        return f"{nans} of {actual.numel()} entries are NaN"
    infinite = actual.isinf() | expected.isinf()
    if not torch.equal(actual[infinite], expected[infinite]):
        return "infinite in the wrong places"
    rtol, atol = (tol, tol) if tol is not None else TOLERANCE.get(expected.dtype, TOLERANCE[torch.float32])
    a, e = actual[~infinite].double(), expected[~infinite].double()
    if a.numel() == 0 or torch.allclose(a, e, rtol=rtol, atol=atol):
        return None
    wrong = int(((a - e).abs() > atol + rtol * e.abs()).sum())
    return f"{wrong} of {actual.numel()} entries are off, the worst by {(a - e).abs().max():.2g}"


def _number_difference(actual: Any, expected: float | int, tol: float | None) -> str | None:
    if isinstance(actual, Tensor) and actual.numel() == 1:
        actual = actual.item()
    if isinstance(actual, bool) or not isinstance(actual, int | float):
        return f"{_name(actual)}, expected a number"
    if isinstance(actual, float) and math.isnan(actual):
        return "NaN"
    if isinstance(actual, int) and actual.bit_length() > 1000:  # beyond any float
        return "not the right number"
    rtol, atol = (tol, tol) if tol is not None else (0.0, 0.0) if isinstance(expected, int) else NUMBER_TOLERANCE
    if actual == expected or abs(actual - expected) <= atol + rtol * abs(expected):
        return None
    return "not the right number" if isinstance(expected, int) else f"off by {abs(actual - expected):.2g}"


def difference(actual: Any, expected: Any, tol: float | None = None, what: str = "your result") -> str | None:
    """What is wrong with `actual`, or None where it is right.

    Args:
        actual: A tensor, number, bool, str, None, or nested lists, tuples and dicts of these.
        expected: The right value, of the same kinds. Its dtype and shape count too.
        tol: Relative and absolute tolerance; None takes the one of the expected dtype. Whole numbers and booleans
            must be equal.
        what: How the sentence calls the value.

    Returns:
        One sentence without the expected value, or None.

    >>> difference(torch.zeros(2), torch.zeros(3))
    'your result: shape (2,), expected (3,)'
    """
    if isinstance(expected, Tensor):
        if not isinstance(actual, Tensor):
            return f"{what}: {_name(actual)}, expected a tensor"
        found = _tensor_difference(actual, expected, tol)
    elif isinstance(expected, dict):
        if not isinstance(actual, dict) or set(actual) != set(expected):
            keys = sorted(map(str, actual)) if isinstance(actual, dict) else _name(actual)
            return f"{what}: {keys}, expected a dict with the keys {sorted(expected)}"
        found = [difference(actual[k], v, tol, f"{what} at {k!r}") for k, v in expected.items()]
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(actual, list | tuple):
            return f"{what}: {_name(actual)}, expected {len(expected)} values"
        if len(actual) != len(expected):
            return f"{what}: {len(actual)} values, expected {len(expected)}"
        names = ["the first", "the second", "the third", "the fourth"]
        found = [
            difference(a, e, tol, f"{names[i]} value of {what}" if i < 4 else f"value {i + 1} of {what}")
            for i, (a, e) in enumerate(zip(actual, expected, strict=True))
        ]
    elif isinstance(expected, bool | str) or expected is None:
        found = None if actual == expected and type(actual) is type(expected) else "not the right one"
    else:
        found = _number_difference(actual, expected, tol)
    if isinstance(found, list):
        return next((f for f in found if f), None)
    return f"{what}: {found}" if found else None


def gradient_difference(
    actual: list[Tensor | None], expected: list[Tensor | None], tol: float | None = None
) -> str | None:
    """What is wrong with the gradients, or None. A missing gradient counts as zero, as autograd means it."""
    if not isinstance(actual, list) or len(actual) != len(expected):
        return "gradients are missing"
    for i, (a, e) in enumerate(zip(actual, expected, strict=True), start=1):
        which = f"the gradient of floating-point input {i} of {len(expected)}" if len(expected) > 1 else "the gradient"
        if a is None and e is not None and bool(e.abs().max() > 0 if e.numel() else False):
            return f"no gradient reaches floating-point input {i}; is something detached, or made with .item()?"
        if a is None:
            continue
        if not isinstance(a, Tensor):
            return "gradients are missing"
        found = difference(a, torch.zeros_like(a) if e is None else e, tol, which)
        if found:
            return found
    return None
