"""Parts that both attentions of the chapter share: weights with something wrong in them."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def weigh(scores: Tensor, mask: Tensor | None, axis: int = -1, masking: str = "right") -> Tensor:
    """Weights from scores; `masking` says what is wrong with the mask, "right" nothing."""
    if mask is None or masking == "ignored":
        return torch.softmax(scores, axis)
    if masking == "inverted":
        mask = ~mask
    if masking == "after":
        return torch.softmax(scores, axis) * mask
    if masking == "renormalised":  # a row whose hidden keys had all the weight is lost
        kept = torch.softmax(scores, axis) * mask
        return kept / kept.sum(-1, keepdim=True).clamp_min(1e-12)
    if masking == "low":  # far below small scores, and above large ones
        return torch.softmax(scores.masked_fill(~mask, -1e4), axis) * mask.any(-1, keepdim=True)
    if masking == "zero":
        return torch.softmax(scores.masked_fill(~mask, 0.0), axis)
    if masking == "large":
        return torch.softmax(scores.masked_fill(~mask, -1e9), axis)
    if masking == "added":  # unlike masked_fill, a sum lets the NaN of the backward pass through
        bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        return torch.softmax(scores + bias, axis).nan_to_num(0.0)
    weights = torch.softmax(scores.masked_fill(~mask, -math.inf), axis)
    if masking == "nan":
        return weights
    return torch.where(mask.any(-1, keepdim=True), weights, torch.zeros_like(weights))


def exp_by_hand(scores: Tensor, mask: Tensor | None) -> Tensor:
    powers = scores.exp() if mask is None else scores.exp() * mask
    return powers / powers.sum(-1, keepdim=True)


def empty_second_row(mask: Tensor) -> Tensor:
    mask[..., 1, :] = False
    return mask
