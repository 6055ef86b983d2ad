"""packed_mask."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.pretrain_finetune import examples as reference
from ..core.exercise import Case, Exercise, Mistake


def segments(draw, rows: int, length: int) -> Tensor:
    """Segment ids as `pack_examples` makes them; the last row is half padding."""
    found = torch.zeros(rows, length, dtype=torch.int64)
    for row in range(rows):
        at, segment = 0, 0
        end = length // 2 if row == rows - 1 else length - draw.integer(0, 2)
        while at < end:
            size, segment = draw.integer(1, 4), segment + 1
            found[row, at : min(at + size, end)] = segment
            at += size
    return found


def _mask(rule: Callable, axis: bool = True) -> Callable:
    """A mask by a rule on the segments of query and key and their positions."""

    def packed_mask(segment_ids):
        positions = torch.arange(segment_ids.shape[1])
        found = rule(segment_ids[:, :, None], segment_ids[:, None, :], positions[:, None], positions[None, :])
        return found[:, None] if axis else found

    return packed_mask


def _right(q, k, i, j):
    return (q == k) & (k > 0) & (j <= i)


PACKED_MASK = Exercise(
    name="packed_mask",
    points=1,
    reference=reference.packed_mask,
    cases=(
        Case("rows", lambda draw: [segments(draw, 3, 9)]),
        Case("a long row", lambda draw: [segments(draw, 2, 24)]),
    ),
    mistakes=(
        Mistake(
            "across_examples",
            "a token attends to other examples of its row. Which keys belong to its own?",
            _mask(lambda q, k, i, j: (j <= i) & (k > 0) & (q > 0)),
        ),
        Mistake(
            "only_causal",
            "your mask is causal and no more: examples and padding see each other. Which keys belong to its "
            "own example?",
            _mask(lambda q, k, i, j: (j <= i).expand(q.shape[0], -1, -1)),
        ),
        Mistake(
            "not_causal",
            "a token attends to what follows it. Which keys are not later than the query?",
            _mask(lambda q, k, i, j: (q == k) & (k > 0)),
        ),
        Mistake(
            "not_causal_with_padding",
            "a token attends to what follows it, and padding to padding. Which two conditions are missing?",
            _mask(lambda q, k, i, j: q == k),
        ),
        Mistake(
            "padding_attends",
            "padding attends to padding: its segments are equal too. What tells a real segment?",
            _mask(lambda q, k, i, j: (q == k) & (j <= i)),
        ),
        Mistake(
            "padding_sees_itself",
            "each padding token attends to itself. What may attend to nothing in this course?",
            _mask(lambda q, k, i, j: _right(q, k, i, j) | (i == j)),
        ),
        Mistake(
            "blind_for_itself",
            "a token does not see itself. Is the diagonal part of a causal mask?",
            _mask(lambda q, k, i, j: _right(q, k, i, j) & (j < i)),
        ),
        Mistake(
            "upside_down",
            "your mask is transposed: a token sees what follows and not what came before. Which axis holds the keys?",
            _mask(lambda q, k, i, j: _right(k, q, j, i)),
        ),
        Mistake(
            "inverted",
            "your mask is True where attending is forbidden. What does True mean in this course?",
            _mask(lambda q, k, i, j: ~_right(q, k, i, j)),
        ),
        Mistake(
            "no_axis_for_heads",
            "your mask has no axis for the heads. Where must a 1 stand so that it broadcasts?",
            _mask(_right, axis=False),
        ),
    ),
)
