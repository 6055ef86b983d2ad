"""What a block is made of: normalisation, the feed-forward network, DropPath.

Dimension key, the same letters in every chapter:
    B batch, C d_model, F d_ff. "…" stands for any number of leading dimensions.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Shift each vector of the last axis to mean 0, scale it to variance 1, then apply a learned gain and bias.

    Args:
        x: `(…, C)`.
        weight: `(C,)`, the gain.
        bias: `(C,)`.
        eps: Added to the variance, under the root; keeps a constant vector finite.

    Returns:
        `(…, C)`.

    Source:
        Ba, Kiros, Hinton 2016 (arXiv 1607.06450), section 3.

    >>> layer_norm(torch.tensor([1.0, 3.0]), torch.ones(2), torch.zeros(2), eps=0.0)
    tensor([-1.,  1.])
    """
    centred = x - x.mean(dim=-1, keepdim=True)  # (…, C)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (…, 1), divided by C and not by C − 1
    return centred * torch.rsqrt(variance + eps) * weight + bias


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Divide each vector of the last axis by its root mean square. No mean is taken off, no bias is added.

    Args:
        x: `(…, C)`.
        weight: `(C,)`, the gain.
        eps: Added to the mean square, under the root.

    Returns:
        `(…, C)`.

    Source:
        Zhang, Sennrich 2019 (arXiv 1910.07467), equation 4.

    >>> rms_norm(torch.tensor([7.0, 1.0]), torch.ones(2), eps=0.0)  # root mean square 5
    tensor([1.4000, 0.2000])
    """
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight


def feed_forward(x: Tensor, w_in: Tensor, b_in: Tensor, w_out: Tensor, b_out: Tensor) -> Tensor:
    """The same two-layer network at every position: GELU(x W_in + b_in) W_out + b_out, with the exact GELU.

    Args:
        x: `(…, C)`.
        w_in: `(C, F)`.
        b_in: `(F,)`.
        w_out: `(F, C)`.
        b_out: `(C,)`.

    Returns:
        `(…, C)`.

    Source:
        Vaswani et al. 2017, section 3.3 (with ReLU); Hendrycks, Gimpel 2016 (arXiv 1606.08415): x·Φ(x).
    """
    return F.gelu(x @ w_in + b_in) @ w_out + b_out  # (…, F) inside


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """Gated feed-forward network: (SiLU(x W_gate) ⊙ x W_up) W_down.

    Args:
        x: `(…, C)`.
        w_gate: `(C, F)`; SiLU of this product says how much of each hidden unit passes.
        w_up: `(C, F)`.
        w_down: `(F, C)`.

    Returns:
        `(…, C)`.

    Source:
        Shazeer 2020 (arXiv 2002.05202), equation 6.
    """
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down  # (…, F) inside


def swiglu_hidden(d_model: int, multiple_of: int = 1) -> int:
    """Hidden width at which three matrices cost what the two of a GELU network of width 4C cost.

    Args:
        d_model: C.
        multiple_of: The width is rounded up to a multiple of this; hardware likes 64 or 256.

    Returns:
        ⌈8C / 3⌉, rounded up to the multiple.

    Source:
        Shazeer 2020, section 2: the width is reduced by 2/3.

    >>> swiglu_hidden(1024), swiglu_hidden(1024, multiple_of=256)
    (2731, 2816)
    """
    width = -(-8 * d_model // 3)  # division rounded up, in whole numbers: no float can be off by one
    return -(-width // multiple_of) * multiple_of


def drop_path(x: Tensor, p: float, training: bool, generator: torch.Generator | None = None) -> Tensor:
    """Stochastic depth: in training a sample loses this branch as a whole with probability p.

    Args:
        x: `(B, …)`, the output of a branch, before it is added to the residual stream.
        p: Probability of dropping, 0 ≤ p ≤ 1.
        training: Without it x is returned as it is.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        `(B, …)`; a sample is either all zeros or x / (1 − p), so the expectation is x. For p = 1 all is zero.

    Raises:
        ValueError: For p outside 0 … 1.

    Source:
        Huang et al. 2016 (arXiv 1603.09382).
    """
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"p is {p}; a probability lies in 0 … 1")
    if not training or p == 0.0:
        return x
    if p == 1.0:  # 0 / 0 would be NaN
        return x * 0.0
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)  # one coin per sample
    kept = torch.rand(shape, generator=generator, device=x.device) >= p
    return x * kept.to(x.dtype) / (1.0 - p)
