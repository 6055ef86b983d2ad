"""Attention in two levels: inside patches, then among patches."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def hierarchical_attention(x: Tensor, patch: int) -> Tensor:
    """Self-attention inside each patch, then among the means of the patches.

    Args:
        x: `(B, n, d)`. Queries, keys and values are x itself: there are no projections.
        patch: Tokens per patch; divides n.

    Returns:
        `(B, n, d)`: each token's output inside its patch plus its patch's output among the means (taken of the first
        outputs). n·patch + (n/patch)² pairs instead of n².

    Raises:
        ValueError: Where patch does not divide n, with both numbers.

    Source:
        The idea of Yang et al. 2016 (Hierarchical Attention Networks) without their recurrent layers.
    """
    if x.shape[1] % patch:
        raise ValueError(f"patches of {patch} do not divide {x.shape[1]} tokens")
    local = _attend(x.unflatten(1, (-1, patch)))  # (B, n/patch, patch, d)
    among = _attend(local.mean(dim=2))  # (B, n/patch, d)
    return (local + among.unsqueeze(2)).flatten(1, 2)


def _attend(x: Tensor) -> Tensor:
    weights = torch.softmax(x @ x.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
    return weights @ x
