"""Attention whose cost grows linearly: feature maps in place of the softmax, or fewer keys."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

CHUNK = 128  # positions that a causal sum handles at once


def elu_features(x: Tensor) -> Tensor:
    """φ(x) = elu(x) + 1, the feature map of Katharopoulos et al. 2020: `(…, D)` → `(…, D)`, all positive."""
    return F.elu(x) + 1


def linear_attention(
    q: Tensor, k: Tensor, v: Tensor, feature_map: Callable[[Tensor], Tensor], causal: bool = False
) -> Tensor:
    """φ(q)(φ(k)ᵀ v) / (φ(q) φ(k)ᵀ 1): keys and values are multiplied first, so no T×S matrix is made.

    Args:
        q: Queries `(…, T, D)`.
        k: Keys `(…, S, D)`.
        v: Values `(…, S, D_v)`.
        feature_map: φ, maps `(…, n, D)` to `(…, n, m)`, row by row.
        causal: Position t sees keys 0 … t only; then T = S.

    Returns:
        Output `(…, T, D_v)`; 0 where the normaliser is 0.

    Raises:
        ValueError: For causal=True with T ≠ S.

    Source:
        Katharopoulos et al. 2020 (arXiv 2006.16236), equations 4 to 9.
    """
    features_q, features_k = feature_map(q), feature_map(k)  # (…, T, m), (…, S, m)
    # A column of ones among the values: its weighted sum is the normaliser.
    values = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)  # (…, S, V+1)
    if causal:
        if q.shape[-2] != k.shape[-2]:
            raise ValueError(f"causal attention needs as many queries as keys, not {q.shape[-2]} and {k.shape[-2]}")
        sums = _causal_sums(features_q, features_k, values)
    else:
        sums = features_q @ (features_k.transpose(-2, -1) @ values)  # (…, T, V+1); the bracket is (…, m, V+1)
    weighted, normaliser = sums[..., :-1], sums[..., -1:]
    empty = normaliser == 0
    return (weighted / normaliser.masked_fill(empty, 1.0)).masked_fill(empty, 0.0)


def _causal_sums(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Σ_{j ≤ t} (q_t · k_j) v_j for every t, in chunks: pairs inside a chunk, one state `(m, D_v)` for all before."""
    length, size = q.shape[-2], min(CHUNK, q.shape[-2])
    short = -length % size
    q, k, v = (F.pad(x, (0, 0, 0, short)).unflatten(-2, (-1, size)) for x in (q, k, v))  # (…, chunks, size, ·)
    inside = (q @ k.transpose(-2, -1)).tril() @ v  # (…, chunks, size, D_v)
    states = k.transpose(-2, -1) @ v  # (…, chunks, m, D_v), what each chunk adds
    before = states.cumsum(dim=-3) - states  # what all earlier chunks have added
    return (inside + q @ before).flatten(-3, -2)[..., :length, :]


def favor_features(x: Tensor, projection: Tensor) -> Tensor:
    """Positive random features whose dot product is, on average, exp(x · y).

    Args:
        x: `(…, T, D)`. For attention queries and keys are divided by D^¼ first, so that x · y is the scaled score.
        projection: `(m, D)`, standard normal rows, independent or orthogonal.

    Returns:
        `(…, T, m)`: exp(w_r · x − ‖x‖²/2) / √m for each row w_r.

    Source:
        Choromanski et al. 2021 (Performer, arXiv 2009.14794), lemma 1.
    """
    half_square = x.square().sum(dim=-1, keepdim=True) / 2  # (…, T, 1)
    return torch.exp(x @ projection.T - half_square) / math.sqrt(projection.shape[0])


def orthogonal_gaussian(m: int, d: int, generator: torch.Generator | None = None) -> Tensor:
    """Normal rows that are orthogonal within each block of d: the same averages, less variance.

    Args:
        m: Number of rows.
        d: Width.
        generator: Source of randomness.

    Returns:
        `(m, d)` in torch's default dtype.

    Source:
        Choromanski et al. 2021, section 3.2 (as in the authors' code: each row gets the length of a normal vector).
    """
    blocks = []
    for _ in range(-(-m // d)):
        directions, r = torch.linalg.qr(torch.randn(d, d, generator=generator))
        blocks.append(directions * r.diagonal().sign())  # without the sign QR is not uniform over rotations
    lengths = torch.randn(m, d, generator=generator).norm(dim=-1, keepdim=True)
    return torch.cat(blocks)[:m] * lengths


def linformer_attention(q: Tensor, k: Tensor, v: Tensor, e: Tensor, f: Tensor) -> Tensor:
    """softmax(q (e k)ᵀ / √D) (f v): S keys and values are mixed into k_len of them.

    Args:
        q: Queries `(…, T, D)`.
        k: Keys `(…, S, D)`.
        v: Values `(…, S, D_v)`.
        e: `(k_len, S)`, mixes the keys.
        f: `(k_len, S)`, mixes the values.

    Returns:
        Output `(…, T, D_v)`.

    Raises:
        ValueError: Where e or f is not as wide as there are keys: a trained Linformer has one length.

    Source:
        Wang et al. 2020 (arXiv 2006.04768), equation 7.
    """
    for name, matrix in (("e", e), ("f", f)):
        if matrix.shape[-1] != k.shape[-2]:
            raise ValueError(f"{name} mixes {matrix.shape[-1]} positions, but there are {k.shape[-2]} keys")
    keys, values = e @ k, f @ v  # (…, k_len, D), (…, k_len, D_v)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (…, T, k_len)
    return torch.softmax(scores, dim=-1) @ values


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Causal linear attention that corrects: each key's old value is read, and only the difference is written.

    Args:
        q, k: `(…, T, D)`; keys of length 1.
        v: `(…, T, D_v)`.
        beta: `(…, T, 1)`, how much of the difference is written, 0 to 1.

    Returns:
        Output `(…, T, D_v)`: S_t = S_{t−1} + β k (v − S_{t−1}ᵀ k)ᵀ, read with q.

    Source:
        Schlag et al. 2021 (arXiv 2102.11174); Yang et al. 2024 (arXiv 2406.06484) computes it in parallel.
    """
    state = q.new_zeros(*q.shape[:-2], k.shape[-1], v.shape[-1])  # (…, D, D_v)
    outputs = []
    for t in range(q.shape[-2]):
        key, value = k[..., t, :, None], v[..., t, None, :]  # (…, D, 1), (…, 1, D_v)
        old = key.transpose(-2, -1) @ state  # (…, 1, D_v), what the memory says now
        state = state + beta[..., t, :, None] * key @ (value - old)
        outputs.append(q[..., t, None, :] @ state)
    return torch.cat(outputs, dim=-2)
