"""sliding_window_attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ...models.efficient_attention import flash
from ..core.exercise import Case, Exercise, Mistake
from .masks import one_side, positions_back
from .watching import masked_attention, without_square


def draw_qkv(draw, *lead: int, t: int = 7, s: int = 7, dtype=torch.float64, scale: float = 1.0) -> list[Tensor]:
    """Queries and keys of width 4, values of width 3."""
    q, k, v = draw.normal(*lead, t, 4, dtype=dtype), draw.normal(*lead, s, 4, dtype=dtype), draw.normal(*lead, s, 3)
    return [q * scale, k * scale, v.to(dtype)]


def _by_mask(rule: Callable, scale: bool = True) -> Callable:
    def sliding_window_attention(q, k, v, window):
        q = q if scale else q * math.sqrt(q.shape[-1])
        return masked_attention(q, k, v, rule(positions_back(q.shape[-2]), window))

    return sliding_window_attention


def _same_block(back: Tensor, w: int) -> Tensor:
    block = torch.arange(len(back)) // w
    return (block[:, None] == block) & (back >= 0)


def _two_blocks(back: Tensor, w: int) -> Tensor:
    block = torch.arange(len(back)) // w
    return ((block[:, None] - block) <= 1) & (back >= 0)


def _whole_blocks_only(q, k, v, window):
    whole = q.shape[-2] // window * window
    out = _by_mask(one_side)(q, k, v, window)
    return torch.cat([out[..., :whole, :], torch.zeros_like(out[..., whole:, :])], dim=-2)


def _padded_with_zeros(q, k, v, window):
    """Keys before the first are zeros and take part in the softmax."""
    k, v = (torch.nn.functional.pad(x, (0, 0, window - 1, 0)) for x in (k, v))
    back = torch.arange(q.shape[-2])[:, None] - torch.arange(-(window - 1), q.shape[-2])
    return masked_attention(q, k, v, (back >= 0) & (back < window))


SLIDING_WINDOW_ATTENTION = Exercise(
    name="sliding_window_attention",
    points=2,
    reference=reference.sliding_window_attention,
    helpers=(flash._Tiled,),
    cases=(
        Case("values", lambda draw: [*draw_qkv(draw, 2), 3], grad=True),
        Case("heads", lambda draw: [*draw_qkv(draw, 2, 3, t=10, s=10), 4]),
        Case("window wider than the text", lambda draw: [*draw_qkv(draw), 20]),
        Case("large scores", lambda draw: [*draw_qkv(draw, scale=40.0), 2]),
        Case("float32", lambda draw: [*draw_qkv(draw, 2, dtype=torch.float32), 3]),
        Case(
            "no T×T tensor",
            lambda draw: [draw.normal(512, 8) for _ in range(3)],
            call=lambda answer, q, k, v: without_square(lambda *x: answer(*x, 8), q, k, v),
            limit=8.0,
        ),
    ),
    mistakes=(
        Mistake(
            "square",
            "the values are right, but you make a tensor with T×T entries. Which keys can a block of queries see "
            "at all?",
            _by_mask(one_side),
        ),
        Mistake(
            "off_by_one",
            "each query sees one key too many. The query's own position counts: which keys are 0 ≤ i − j < window?",
            _by_mask(lambda b, w: (b >= 0) & (b <= w)),
        ),
        Mistake(
            "one_too_few",
            "each query sees one key too few. The query's own position counts: which is the first of the window?",
            _by_mask(lambda b, w: (b >= 0) & (b < max(w - 1, 1))),
        ),
        Mistake(
            "block_edges_lost",
            "your queries see only the keys of their own block. Where are the window's keys of the first query of a "
            "block?",
            _by_mask(_same_block),
        ),
        Mistake(
            "two_whole_blocks",
            "your queries see all of the block before theirs, also keys that lie further back than the window. What "
            "must be masked inside the two blocks?",
            _by_mask(_two_blocks),
        ),
        Mistake(
            "not_causal",
            "your window also looks ahead. Which sign of i − j is the future?",
            _by_mask(lambda b, w: b.abs() < w),
        ),
        Mistake(
            "two_sided",
            "your window looks half back and half ahead. Which of the chapter's two windows is causal?",
            _by_mask(lambda b, w: b.abs() <= w // 2),
        ),
        Mistake(
            "full_causal", "your queries see the whole past. What does window limit?", _by_mask(lambda b, w: b >= 0)
        ),
        Mistake(
            "no_scaling",
            "your scores are not scaled. What does attention divide them by in this chapter?",
            _by_mask(one_side, scale=False),
        ),
        Mistake(
            "zeros_take_part",
            "the zeros that you put before the first key take part in the softmax of the first queries. What score "
            "must a key have that is not there?",
            _padded_with_zeros,
        ),
        Mistake(
            "rest_lost",
            "the queries after the last whole block get zeros. What does “any T” ask for?",
            _whole_blocks_only,
        ),
    ),
)
