"""RoPE: queries and keys are turned by an angle that grows with their position."""

from __future__ import annotations

import torch
from torch import Tensor


def rotary_frequencies(d_head: int, base: float = 10000.0) -> Tensor:
    """Radians per position of each pair.

    Args:
        d_head: Head width D, even.
        base: The slowest pair advances by a little more than 1/base radians per position.

    Returns:
        `(D/2,)`, base^(−2i/D): 1 for the first pair, then ever slower.

    Raises:
        ValueError: For an odd width.
    """
    if d_head % 2:
        raise ValueError(f"d_head is {d_head}; a rotation turns pairs, so an even width is needed")
    return base ** (-torch.arange(0, d_head, 2) / d_head)


def tables_from_frequencies(frequencies: Tensor, positions: Tensor, scale: float = 1.0) -> tuple[Tensor, Tensor]:
    """Cosines and sines in the half-split layout, for any frequencies and positions.

    Args:
        frequencies: `(D/2,)`.
        positions: `(n,)`, whole or not.
        scale: Multiplies both tables; YaRN's attention scale.

    Returns:
        cos and sin, each `(n, D)`: columns i and i + D/2 belong to the same pair.
    """
    angles = positions.unsqueeze(-1) * frequencies  # (n, D/2)
    angles = torch.cat((angles, angles), dim=-1)  # (n, D)
    return angles.cos() * scale, angles.sin() * scale


def rotary_tables(n: int, d_head: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """The cosines and sines that RoPE needs, in the half-split layout of LLaMA in transformers.

    Args:
        n: Number of positions.
        d_head: Head width D, even.
        base: θ; 10,000 in the paper, larger in models with a long context.

    Returns:
        cos and sin, each `(n, D)`. Columns i and i + D/2 hold the same angle p·base^(−2i/D).

    Raises:
        ValueError: For an odd width.

    Source:
        Su et al. 2021 (arXiv 2104.09864), equation 15; layout of transformers' LlamaRotaryEmbedding.

    >>> rotary_tables(2, 4)[1]
    tensor([[0.0000, 0.0000, 0.0000, 0.0000],
            [0.8415, 0.0100, 0.8415, 0.0100]])
    """
    return tables_from_frequencies(rotary_frequencies(d_head, base), torch.arange(n))


def apply_rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turns each pair (x_i, x_{i + D/2}) by the angle of its position.

    Args:
        x: Queries or keys `(…, n, D)`.
        cos: `(n, D)`, from `rotary_tables`.
        sin: `(n, D)`.

    Returns:
        `(…, n, D)`: x_i·cos − x_{i + D/2}·sin in the first half, x_{i + D/2}·cos + x_i·sin in the second.

    Raises:
        ValueError: Where the last two axes of x are not those of the tables.

    Source:
        Su et al. 2021, equation 34; `rotate_half` of transformers' LLaMA.

    >>> apply_rotary(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0, 1.0]]))  # 90 degrees
    tensor([[0., 1.]])
    """
    if x.shape[-2:] != cos.shape[-2:]:
        raise ValueError(f"x ends in (n, d_head) = {tuple(x.shape[-2:])}, but the tables are {tuple(cos.shape)}")
    first, second = x.chunk(2, dim=-1)  # (…, n, D/2) each
    half_turn = torch.cat((-second, first), dim=-1)  # x turned by 90 degrees, (…, n, D)
    return x * cos + half_turn * sin


def half_split_to_interleaved(d_head: int) -> Tensor:
    """The order of columns that turns the half-split layout into the interleaved one of the paper.

    Args:
        d_head: Width D, even.

    Returns:
        `(D,)` int64: `x[..., order]` puts the pair (i, i + D/2) side by side into columns 2i and 2i + 1.

    >>> half_split_to_interleaved(6)
    tensor([0, 3, 1, 4, 2, 5])
    """
    return torch.arange(d_head).view(2, d_head // 2).T.flatten()
