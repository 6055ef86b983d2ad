"""Positions that are added to the input, and the bias that treats distance as a spring."""

from __future__ import annotations

import torch
from torch import Tensor


def sinusoidal_encoding(n: int, d: int, base: float = 10000.0) -> Tensor:
    """The position vectors of the first Transformer: d/2 clocks of different speed, each read as (sin, cos).

    Args:
        n: Number of positions.
        d: Width, even.
        base: How slow the clocks get: pair i advances by ω_i = base^(−2i/d) radians per position.

    Returns:
        `(n, d)`; column 2i is sin(p·ω_i), column 2i + 1 is cos(p·ω_i).

    Raises:
        ValueError: For an odd width.

    Source:
        Vaswani et al. 2017 (arXiv 1706.03762), section 3.5.

    >>> sinusoidal_encoding(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    if d % 2:
        raise ValueError(f"d is {d}; sine and cosine come in pairs, so an even width is needed")
    frequencies = base ** (-torch.arange(0, d, 2) / d)  # (d/2,)
    angles = torch.arange(n).unsqueeze(-1) * frequencies  # (n, d/2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)  # (n, d)


def shift_matrix(offset: int, d: int, base: float = 10000.0) -> Tensor:
    """The linear map that moves every position vector by `offset` positions, wherever it stands.

    Args:
        offset: How far to move; may be negative.
        d: Width, even.
        base: As in `sinusoidal_encoding`.

    Returns:
        `(d, d)`, orthogonal, with `encoding[p + offset] = shift @ encoding[p]`: along its diagonal d/2 blocks
        (cos, sin; −sin, cos), block i for the angle offset·ω_i.

    Raises:
        ValueError: For an odd width.

    Source:
        Vaswani et al. 2017, section 3.5: "PE_pos+k can be represented as a linear function of PE_pos".
    """
    if d % 2:
        raise ValueError(f"d is {d}; sine and cosine come in pairs, so an even width is needed")
    angles = offset * base ** (-torch.arange(0, d, 2) / d)  # (d/2,)
    cos, sin = angles.cos(), angles.sin()
    # sin(a + b) = cos b · sin a + sin b · cos a, and cos(a + b) = −sin b · sin a + cos b · cos a.
    blocks = torch.stack((torch.stack((cos, sin), -1), torch.stack((-sin, cos), -1)), dim=-2)  # (d/2, 2, 2)
    return torch.block_diag(*blocks)  # (d, d)


def spring_bias(n: int, stiffness: float) -> Tensor:
    """A penalty on distance as the energy of a spring, to be added to attention scores.

    Args:
        n: Number of positions.
        stiffness: k ≥ 0; softmax turns the bias into a Gaussian window of standard deviation 1/√k positions.
            A tensor keeps its gradient.

    Returns:
        `(n, n)`, entry (i, j) = −½·k·(i − j)².

    >>> spring_bias(3, 2.0)
    tensor([[-0., -1., -4.],
            [-1., -0., -1.],
            [-4., -1., -0.]])
    """
    positions = torch.arange(n, dtype=torch.get_default_dtype())  # (n,)
    distance = positions.unsqueeze(-1) - positions  # (n, n)
    return -0.5 * stiffness * distance**2
