"""Positions as a bias on the scores: ALiBi's straight lines and T5's buckets."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def alibi_slopes(num_heads: int) -> Tensor:
    """One slope per head, a geometric series.

    Args:
        num_heads: H, at least 1.

    Returns:
        `(H,)`. For a power of two: 2^(−8/H), 2^(−16/H), …, 2^(−8). Otherwise, with P the largest power of two below
        H: the P slopes of P heads, then every second slope of 2P heads until there are H.

    Raises:
        ValueError: For fewer than 1 head.

    Source:
        Press, Smith, Lewis 2021 (arXiv 2108.12409), section 3 and the authors' `get_slopes`.

    >>> alibi_slopes(2)
    tensor([0.0625, 0.0039])
    """
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}; at least 1 is needed")
    power = 2 ** int(math.log2(num_heads))
    slopes = [2.0 ** (-8.0 * (head + 1) / power) for head in range(power)]
    # The slopes of 2·power heads are the same series with twice as many steps; its odd ones lie in between.
    slopes += [2.0 ** (-4.0 * (2 * head + 1) / power) for head in range(num_heads - power)]
    return torch.tensor(slopes)


def alibi_bias(num_heads: int, n: int) -> Tensor:
    """The bias that ALiBi adds to causal attention scores.

    Args:
        num_heads: H.
        n: Number of positions.

    Returns:
        `(H, n, n)`: −slope·(i − j) for j ≤ i, −inf for keys that come after the query.

    Source:
        Press, Smith, Lewis 2021, figure 3.

    >>> alibi_bias(1, 3)[0]
    tensor([[-0.0000,    -inf,    -inf],
            [-0.0039, -0.0000,    -inf],
            [-0.0078, -0.0039, -0.0000]])
    """
    positions = torch.arange(n)
    distance = positions.unsqueeze(-1) - positions  # (n, n), i − j
    bias = -alibi_slopes(num_heads)[:, None, None] * distance  # (H, n, n)
    return bias.masked_fill(distance < 0, -math.inf)


def t5_bucket(distance: Tensor, num_buckets: int = 32, max_distance: int = 128) -> Tensor:
    """Which of T5's learned biases a distance uses, in a causal (decoder) layer.

    Args:
        distance: int64 of any shape, i − j; negative distances count as 0.
        num_buckets: Number of biases per head.
        max_distance: From here on all distances share the last bucket.

    Returns:
        int64 of the same shape. The first half of the buckets holds one distance each, the rest grow like a logarithm.

    Source:
        Raffel et al. 2020 (arXiv 1910.10683), section 2.1; transformers' T5Attention.
    """
    distance = distance.clamp(min=0)
    exact = num_buckets // 2
    steps = (distance.clamp(min=1).float() / exact).log() / math.log(max_distance / exact) * (num_buckets - exact)
    far = (exact + steps.long()).clamp(max=num_buckets - 1)
    return torch.where(distance < exact, distance, far)
