"""Masks that the checks of this chapter share."""

from __future__ import annotations

import torch
from torch import Tensor


def spans(draw, rows: int, length: int, first: int = 1, empty: int | None = None) -> Tensor:
    """`(rows, length)`: in each row some tokens side by side, after at least `first` others and before at least one.

    Args:
        draw: Of the case.
        rows, length: Shape; length ≥ first + 4.
        first: Least number of tokens before.
        empty: A row without any.
    """
    mask = torch.zeros(rows, length, dtype=torch.bool)
    for row in range(rows):
        start = draw.integer(first, first + 1)
        mask[row, start : draw.integer(start + 2, length - 1)] = True
    if empty is not None:
        mask[empty] = False
    return mask


def starts(draw, rows: int, length: int) -> Tensor:
    """Right padding: the first row is full, the others end earlier."""
    ends = torch.tensor([length] + [draw.integer(2, length - 1) for _ in range(rows - 1)])
    return torch.arange(length) < ends[:, None]


def ends(draw, rows: int, length: int) -> Tensor:
    """Left padding: the first row is full, the others begin later."""
    return starts(draw, rows, length).flip(-1)
