"""Exact attention that never holds the T×S matrix: online softmax, tiles, and a backward pass that computes anew.

One engine serves both: `flash_attention` sees all keys (or all before the query), `sliding_window_attention` the
last `window` of them. Only tiles that hold a visible pair are computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def online_softmax(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """Maximum and Σ exp(score − maximum) of a row that comes in pieces, each read once.

    Args:
        blocks: Score tensors `(…, S_i)` of one row of scores, along the last axis, unequal lengths. −inf is masked.

    Returns:
        The maximum and the total, each `(…)`. A row of −inf only gives (−inf, 0).

    Raises:
        ValueError: Where there is no block.

    Source:
        Milakov, Gimelshein 2018 (arXiv 1805.02867), algorithm 3.
    """
    maximum = total = None
    for block in blocks:
        if maximum is None:
            maximum, total = block.new_full(block.shape[:-1], -math.inf), block.new_zeros(block.shape[:-1])
        higher = torch.maximum(maximum, block.amax(dim=-1))  # (…)
        # −inf − (−inf) is NaN. Where nothing is visible yet, any finite reference gives exp(−inf) = 0.
        reference = higher.masked_fill(higher == -math.inf, 0.0)
        total = total * torch.exp(maximum - reference) + torch.exp(block - reference.unsqueeze(-1)).sum(dim=-1)
        maximum = higher
    if maximum is None:
        raise ValueError("there are 0 blocks; at least 1 is needed")
    return maximum, total


def flash_attention(
    q: Tensor, k: Tensor, v: Tensor, block_q: int, block_k: int, causal: bool = False
) -> tuple[Tensor, Tensor]:
    """softmax(q kᵀ / √D) v, tile by tile, in memory that grows with T and S but not with T·S.

    Args:
        q: Queries `(…, T, D)`.
        k: Keys `(…, S, D)`.
        v: Values `(…, S, D_v)`.
        block_q: Queries per tile, at least 1; the last tile may be smaller.
        block_k: Keys per tile.
        causal: Query i sees keys 0 … i only; then T = S.

    Returns:
        Output `(…, T, D_v)` and logsumexp of the scaled scores `(…, T)`. Both can be differentiated; backward holds
        one tile at a time too.

    Raises:
        ValueError: For a block below 1, or causal=True with T ≠ S.

    Source:
        Dao et al. 2022 (arXiv 2205.14135), algorithms 1, 4; Dao 2023 (arXiv 2307.08691) keeps logsumexp alone.
    """
    if min(block_q, block_k) < 1:
        raise ValueError(f"blocks of {block_q} queries and {block_k} keys; at least 1 is needed")
    if causal and q.shape[-2] != k.shape[-2]:
        raise ValueError(f"causal attention needs as many queries as keys, not {q.shape[-2]} and {k.shape[-2]}")
    return _Tiled.apply(q, k, v, block_q, block_k, k.shape[-2] if causal else 0)


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Causal attention to the last `window` positions, in memory and time that grow with T, not with T².

    Args:
        q: Queries `(…, T, D)`.
        k: Keys `(…, T, D)`.
        v: Values `(…, T, D_v)`.
        window: Number of visible positions, the query's own included, at least 1.

    Returns:
        Output `(…, T, D_v)`.

    Raises:
        ValueError: For a window below 1, or T ≠ S.
    """
    if window < 1:
        raise ValueError(f"window is {window}; at least 1 is needed")
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"a causal window needs as many queries as keys, not {q.shape[-2]} and {k.shape[-2]}")
    block = min(128, max(16, window))
    return _Tiled.apply(q, k, v, block, block, window)[0]


def _tiles(queries: slice, num_keys: int, block_k: int, window: int) -> Iterator[tuple[slice, Tensor | None]]:
    """The tiles of keys that a block of queries needs, each with its mask, or None where all of it is visible.

    `window` is the number of visible positions of a causal query; 0 means that all keys are visible.
    """
    first, last = (max(0, queries.start - window + 1), queries.stop) if window else (0, num_keys)
    for start in range(first // block_k * block_k, last, block_k):
        keys = slice(start, min(start + block_k, num_keys))
        inside = not window or (keys.stop - 1 <= queries.start and keys.start > queries.stop - 1 - window)
        if inside:
            yield keys, None
            continue
        back = torch.arange(queries.start, queries.stop)[:, None] - torch.arange(keys.start, keys.stop)  # (bq, bk)
        yield keys, (back >= 0) & (back < window)


def _rows(length: int, block: int) -> Iterator[slice]:
    return (slice(start, min(start + block, length)) for start in range(0, length, block))


class _Tiled(torch.autograd.Function):
    """The engine. Saved for backward are the inputs, the output and one number per row; weights are computed anew."""

    @staticmethod
    def forward(ctx, q, k, v, block_q, block_k, window):
        scale = 1 / math.sqrt(q.shape[-1])
        lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
        output = q.new_zeros(*lead, q.shape[-2], v.shape[-1])  # (…, T, D_v)
        logsumexp = q.new_full((*lead, q.shape[-2]), -math.inf)  # (…, T)
        for rows in _rows(q.shape[-2], block_q):
            queries = q[..., rows, :] * scale  # (…, bq, D)
            size = rows.stop - rows.start
            maximum, total = q.new_full((*lead, size, 1), -math.inf), q.new_zeros(*lead, size, 1)
            partial = q.new_zeros(*lead, size, v.shape[-1])  # (…, bq, D_v), not divided by the total yet
            for keys, mask in _tiles(rows, k.shape[-2], block_k, window):
                scores = queries @ k[..., keys, :].transpose(-2, -1)  # (…, bq, bk)
                if mask is not None:
                    scores = scores.masked_fill(~mask, -math.inf)
                higher = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
                reference = higher.masked_fill(higher == -math.inf, 0.0)  # a row of this tile may see nothing yet
                shrink, weights = torch.exp(maximum - reference), torch.exp(scores - reference)
                total = total * shrink + weights.sum(dim=-1, keepdim=True)
                partial = partial * shrink + weights @ v[..., keys, :]
                maximum = higher
            output[..., rows, :] = partial / total  # every query sees at least one key
            logsumexp[..., rows] = (maximum + total.log()).squeeze(-1)
        ctx.save_for_backward(q, k, v, output, logsumexp)
        ctx.settings = (block_q, block_k, window)
        return output, logsumexp

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output, grad_logsumexp):
        q, k, v, output, logsumexp = ctx.saved_tensors
        block_q, block_k, window = ctx.settings
        scale = 1 / math.sqrt(q.shape[-1])
        lead = output.shape[:-2]
        grad_q, grad_k, grad_v = (x.new_zeros(*lead, *x.shape[-2:]) for x in (q, k, v))
        # Softmax's Jacobian needs Σ_j p_j (∂L/∂p_j) = grad_output · output: no row of weights.
        shared = (grad_output * output).sum(dim=-1) - grad_logsumexp  # (…, T)
        for rows in _rows(q.shape[-2], block_q):
            queries, upstream = q[..., rows, :], grad_output[..., rows, :]
            for keys, mask in _tiles(rows, k.shape[-2], block_k, window):
                tile_k, tile_v = k[..., keys, :], v[..., keys, :]
                scores = queries @ tile_k.transpose(-2, -1) * scale  # (…, bq, bk), once more
                weights = torch.exp(scores - logsumexp[..., rows, None])  # final at once: no running maximum
                if mask is not None:
                    weights = weights.masked_fill(~mask, 0.0)
                grad_v[..., keys, :] += weights.transpose(-2, -1) @ upstream
                grad_weights = upstream @ tile_v.transpose(-2, -1)  # (…, bq, bk)
                grad_scores = weights * (grad_weights - shared[..., rows, None]) * scale
                grad_q[..., rows, :] += grad_scores @ tile_k
                grad_k[..., keys, :] += grad_scores.transpose(-2, -1) @ queries
        grads = (grad.sum_to_size(x.shape) for grad, x in zip((grad_q, grad_k, grad_v), (q, k, v), strict=True))
        return (*grads, None, None, None)
