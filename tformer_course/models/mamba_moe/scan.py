"""State spaces that change with the input: the selective scan, its parallel form, and the same as a masked matrix."""

from __future__ import annotations

import torch
from torch import Tensor


def _steps(x: Tensor, delta: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """ā = exp(δa) and b̄x = δbx, each `(B, T, C, N)`."""
    decay = torch.exp(delta[..., None] * a)
    return decay, (delta * x)[..., None] * b[:, :, None, :]


def selective_scan(x: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """h_t = exp(δ_t a) h_{t−1} + δ_t b_t x_t from h = 0, y_t = c_t · h_t + d x_t, step by step.

    Each channel has a state of N numbers of its own, and a step size of its own at each position. b and c are shared
    by all channels. Memory for the states: one step's, not all T.

    Args:
        x, delta: `(B, T, C)`; delta is positive.
        a: `(C, N)`.
        b, c: `(B, T, N)`.
        d: `(C,)`.

    Returns:
        `(B, T, C)`.

    Source:
        Gu, Dao 2023 (arXiv 2312.00752), algorithm 2; b̄ = δb is what their code does (equation 4 has the exact hold).
    """
    h = x.new_zeros(x.shape[0], x.shape[2], a.shape[1])  # (B, C, N)
    drive = delta * x  # (B, T, C)
    outputs = []
    # unbind once: slices taken in the loop would each cost a tensor of the whole length in the backward pass
    for step, enter, write, read in zip(*(t.unbind(1) for t in (delta, drive, b, c)), strict=True):
        h = torch.exp(step[..., None] * a) * h + enter[..., None] * write[:, None, :]
        outputs.append((h @ read[..., None])[..., 0])  # (B, C)
    return torch.stack(outputs, dim=1) + d * x


def associative_scan(a: Tensor, b: Tensor) -> Tensor:
    """h_t = a_t h_{t−1} + b_t from h = 0 for all t, in O(log T) operations on whole tensors.

    Two steps make one step: (a₁, b₁) then (a₂, b₂) is (a₁a₂, a₂b₁ + b₂), and this is associative. After the sweep
    with the shift s each position holds the steps of the 2s positions that end in it.

    Args:
        a, b: `(B, T, …)` of one shape; the scan runs along axis 1.

    Returns:
        h `(B, T, …)`.

    Source:
        Hillis, Steele 1986; Blelloch 1990, "Prefix sums and their applications", section 1.4.

    >>> associative_scan(torch.full((1, 4), 0.5), torch.ones(1, 4))
    tensor([[1.0000, 1.5000, 1.7500, 1.8750]])
    """
    length, shift = a.shape[1], 1
    while shift < length:
        head_a, head_b = a[:, :shift], b[:, :shift]  # their past is complete
        b = torch.cat([head_b, a[:, shift:] * b[:, :-shift] + b[:, shift:]], dim=1)
        a = torch.cat([head_a, a[:, shift:] * a[:, :-shift]], dim=1)
        shift *= 2
    return b


def selective_scan_parallel(x: Tensor, delta: Tensor, a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """`selective_scan` by `associative_scan`: few operations, but all T states are in memory at once.

    Args and Returns are those of `selective_scan`; the states are `(B, T, C, N)`.
    """
    h = associative_scan(*_steps(x, delta, a, b))  # (B, T, C, N)
    return (h @ c[..., None])[..., 0] + d * x


def ssd_matrix(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """The scan with one decay for the whole state, written as a masked matrix M: y = M x.

    Args:
        a: `(T,)`, the decay at each position.
        b: `(T, N)`, the keys of attention.
        c: `(T, N)`, the queries.

    Returns:
        `(T, T)`: (c_i · b_j) a_{j+1} ⋯ a_i for j ≤ i, else 0.

    Source:
        Dao, Gu 2024 (Mamba-2, arXiv 2405.21060), equation 6 and section 4.1: M = L ∘ (C Bᵀ).
    """
    length = a.shape[0]
    lower = torch.ones(length, length, dtype=torch.bool, device=a.device).tril(-1)
    # Row i, column j holds a_i below the diagonal and 1 on it: products down a column run over j+1 … i.
    factors = torch.where(lower, a[:, None], torch.ones_like(a[:, None]))
    return (c @ b.T * factors.cumprod(dim=0)).tril()


def selective_matrix(delta: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """How much each output of a selective scan takes from each input, for one sample and one channel.

    Args:
        delta: `(T,)`.
        a: `(N,)`.
        b, c: `(T, N)`.

    Returns:
        `(T, T)`: Σ_n c_in exp(a_n (δ_{j+1} + … + δ_i)) δ_j b_jn for j ≤ i, else 0; the skip d is not in it.

    Source:
        Ali, Zimerman, Wolf 2024 ("The hidden attention of Mamba models", arXiv 2403.01590), equation 10.
    """
    total = delta.cumsum(0)
    passed = (total[:, None] - total[None, :]).clamp(min=0)  # (T, T), the time between j and i
    decay = torch.exp(passed[..., None] * a)  # (T, T, N)
    return (torch.einsum("in,ijn,jn->ij", c, decay, b) * delta).tril()
