"""flash_attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch.nn.attention.flex_attention import flex_attention

from ...models import efficient_attention as reference
from ...models.efficient_attention import flash
from ..core.exercise import Case, Exercise, Mistake
from .masks import positions_back
from .watching import without_square
from .windows import draw_qkv


def _tiled(
    rescale: str = "right",
    partial: bool = True,
    lse: str = "right",
    causal_at: str = "token",
    scale: Callable = lambda q: 1 / math.sqrt(q.shape[-1]),
    cut: str = "",
) -> Callable:
    """Tiles written with a loop, with one thing wrong."""

    def flash_attention(q, k, v, block_q, block_k, causal=False):
        length, keys = q.shape[-2], k.shape[-2]
        rows, sums = [], []
        for i in range(0, length, block_q):
            queries = q[..., i : i + block_q, :] * scale(q)
            maximum = queries.new_full((*queries.shape[:-1], 1), -math.inf)
            total, out = torch.zeros_like(maximum), 0.0
            for j in range(0, keys if partial else keys // block_k * block_k, block_k):
                if causal and causal_at != "nowhere" and j > i + block_q - 1:
                    break
                scores = queries @ k[..., j : j + block_k, :].transpose(-2, -1)
                if causal and causal_at == "token":
                    back = torch.arange(i, min(i + block_q, length))[:, None] - torch.arange(j, j + scores.shape[-1])
                    scores = scores.masked_fill(back < 0, -math.inf)
                higher = torch.maximum(maximum, scores.amax(-1, keepdim=True))
                safe = higher.masked_fill(higher == -math.inf, 0.0)
                weights, shrink = torch.exp(scores - safe), torch.exp(maximum - safe)
                total = total * (1 if rescale == "none" else shrink) + weights.sum(-1, keepdim=True)
                out = out * (1 if rescale in ("none", "total only") else shrink) + weights @ v[..., j : j + block_k, :]
                maximum = higher
            rows.append(out / (1.0 if cut == "not divided" else total))
            logsumexp = {
                "right": maximum + total.log(),
                "no maximum": total.log(),
                "no log": maximum + total,
                "total": total,
                "maximum": maximum,
                "unscaled": (maximum + total.log()) / scale(q),
            }[lse]
            sums.append(logsumexp.squeeze(-1))
        output, logsumexp = torch.cat(rows, -2), torch.cat(sums, -1)
        if cut == "lse detached":
            logsumexp = logsumexp.detach()
        return (logsumexp, output) if cut == "swapped" else output if cut == "output only" else (output, logsumexp)

    return flash_attention


def _whole_matrix(q, k, v, block_q, block_k, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(positions_back(q.shape[-2]) < 0, -math.inf)
    return torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1)


def _tile_means(q, k, v, block_q, block_k, causal=False):
    """One softmax per tile of keys, averaged."""
    parts = []
    for j in range(0, k.shape[-2], block_k):
        scores = q @ k[..., j : j + block_k, :].transpose(-2, -1) / math.sqrt(q.shape[-1])
        parts.append((torch.softmax(scores, -1) @ v[..., j : j + block_k, :], torch.logsumexp(scores, -1)))
    output = sum(p for p, _ in parts) / len(parts)
    return output, torch.logsumexp(torch.stack([s for _, s in parts]), 0)


def _tile_sums(q, k, v, block_q, block_k, causal=False):
    """One softmax per tile of keys, added: the weights of a row sum to the number of tiles."""
    output, logsumexp = _tile_means(q, k, v, block_q, block_k)
    return output * -(-k.shape[-2] // block_k), logsumexp


def _blocks(block_q: int, block_k: int, causal: bool = False) -> Callable:
    return lambda answer, q, k, v: answer(q, k, v, block_q, block_k, causal)


def _size_of_tiles(answer: Callable, q, k, v, block_q: int, block_k: int) -> dict:
    return without_square(lambda *x: answer(*x, block_q, block_k), q, k, v, backward=False)


FLASH_ATTENTION = Exercise(
    name="flash_attention",
    points=3.5,
    reference=reference.flash_attention,
    helpers=(flash._Tiled, reference.simulate_flash, flex_attention),
    cases=(
        Case("values", lambda draw: draw_qkv(draw, 2, t=6, s=8), call=_blocks(3, 4), grad=True),
        Case("last blocks that are smaller", lambda draw: draw_qkv(draw, t=7, s=9), call=_blocks(3, 4), grad=True),
        Case("causal", lambda draw: draw_qkv(draw, 2, t=7, s=7), call=_blocks(3, 2, True), grad=True),
        Case("heads, one tile", lambda draw: draw_qkv(draw, 2, 3, t=5, s=6), call=_blocks(16, 16)),
        Case("large scores", lambda draw: draw_qkv(draw, scale=40.0), call=_blocks(2, 2)),
        Case("float32", lambda draw: draw_qkv(draw, 2, dtype=torch.float32), call=_blocks(4, 3)),
        Case(
            "no T×S tensor",
            lambda draw: [draw.normal(192, 4) for _ in range(3)],
            call=lambda answer, *qkv: without_square(lambda *x: answer(*x, 32, 32, True), *qkv, backward=False),
        ),
        Case(
            "tiles of the size asked for",
            lambda draw: [draw.normal(192, 4) for _ in range(3)],
            call=lambda answer, *qkv: [_size_of_tiles(answer, *qkv, 192, 16), _size_of_tiles(answer, *qkv, 16, 192)],
        ),
    ),
    mistakes=(
        Mistake(
            "no_rescaling",
            "your sums add numbers that were measured against different maxima. When a tile raises the maximum, by "
            "what must the old sum and the old output be multiplied?",
            _tiled(rescale="none"),
        ),
        Mistake(
            "output_not_rescaled",
            "you rescale the total, but not the output that was added up so far. Both were measured against the old "
            "maximum: what does the output need?",
            _tiled(rescale="total only"),
        ),
        Mistake(
            "last_partial_block",
            "the keys after the last whole block are lost. How large is the last tile?",
            _tiled(partial=False),
        ),
        Mistake(
            "logsumexp_without_maximum",
            "your logsumexp lacks the maximum that was subtracted before exp. What is log(e^m · Σ e^(s − m))?",
            _tiled(lse="no maximum"),
        ),
        Mistake(
            "logsumexp_without_log",
            "your second value adds maximum and total. What is log(e^m · total)?",
            _tiled(lse="no log"),
        ),
        Mistake("total_returned", "your second value is the total. What is logsumexp?", _tiled(lse="total")),
        Mistake("maximum_returned", "your second value is the maximum. What is logsumexp?", _tiled(lse="maximum")),
        Mistake(
            "logsumexp_unscaled",
            "your logsumexp is √D times too large. Of which scores is it the logsumexp?",
            _tiled(lse="unscaled"),
        ),
        Mistake(
            "logsumexp_detached",
            "the values are right, but no gradient flows through your logsumexp. What does detach() do?",
            _tiled(cut="lse detached"),
        ),
        Mistake(
            "causal_at_block_level",
            "your causal mask hides whole tiles only, so a query sees later keys of a tile on the diagonal. What must "
            "be masked inside such a tile?",
            _tiled(causal_at="block"),
        ),
        Mistake(
            "causal_ignored",
            "with causal=True your queries see what follows them. Which pairs (i, j) must be hidden?",
            _tiled(causal_at="nowhere"),
        ),
        Mistake(
            "no_scaling",
            "your scores are not scaled. What does attention divide them by in this chapter?",
            _tiled(scale=lambda q: 1.0),
        ),
        Mistake(
            "scaled_by_d",
            "you divide the scores by D. By which power of D does the spread of q·k grow?",
            _tiled(scale=lambda q: 1 / q.shape[-1]),
        ),
        Mistake(
            "not_divided",
            "your output is a sum, not a mean: it is never divided by the total. When is that done?",
            _tiled(cut="not divided"),
        ),
        Mistake(
            "softmax_per_tile",
            "each tile has a softmax of its own, and you average them. Is every tile equally important for a query?",
            _tile_means,
        ),
        Mistake(
            "softmax_per_tile_added",
            "each tile has a softmax of its own, and you add them: the weights of a row sum to the number of tiles. "
            "What must all tiles of a row share?",
            _tile_sums,
        ),
        Mistake(
            "output_only",
            "you return the output alone. What does the docstring ask for as the second value?",
            _tiled(cut="output only"),
        ),
        Mistake("swapped", "you return (logsumexp, output). Which of the two comes first?", _tiled(cut="swapped")),
        Mistake(
            "block_k_ignored",
            "your tiles hold all keys, whatever block_k says. How many columns may a tile have?",
            lambda q, k, v, block_q, block_k, causal=False: _tiled()(q, k, v, block_q, k.shape[-2], causal),
        ),
        Mistake(
            "block_q_ignored",
            "your tiles hold all queries, whatever block_q says. How many rows may a tile have?",
            lambda q, k, v, block_q, block_k, causal=False: _tiled()(q, k, v, q.shape[-2], block_k, causal),
        ),
        Mistake(
            "square",
            "the values are right, but you make a tensor with T×S entries. How large is a tile?",
            _whole_matrix,
        ),
    ),
)
